"""Everything the built-in model has ever read, generated from a seed."""
