"""Numbers, names and sentences as people read them."""
