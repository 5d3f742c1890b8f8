"""Making a plan happen: one loop, threads that fetch, threads that read, relays that deliver."""
