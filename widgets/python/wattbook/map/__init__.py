"""The map widget: its state, its messages with the page, and the picture in a saved notebook."""
