"""Columns of numbers by row of a case, and the DataFrames made of them."""
