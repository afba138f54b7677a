"""The pages people see, a folder for each part; the frame that they share is in frame.py."""
