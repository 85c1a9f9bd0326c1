"""HTML representations that a notebook shows without a map."""
