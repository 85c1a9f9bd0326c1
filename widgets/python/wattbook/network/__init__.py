"""Networks: rows, keys and module of a case."""
