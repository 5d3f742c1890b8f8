"""What flows through a crawl: frozen values that know nothing of machines."""
