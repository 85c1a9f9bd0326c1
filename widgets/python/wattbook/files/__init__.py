"""Files: formats, companions, reading, writing, export."""
