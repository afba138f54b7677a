"""The table seen by a camera: tags to print, a photograph to read, and what it says of the ships."""
