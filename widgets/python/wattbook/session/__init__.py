"""The state of a Study: solution, history, and the file that holds them."""
