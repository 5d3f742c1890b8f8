"""What may be written: the models of the language, and the way from a file to them."""
