"""What a seat may do: any engine's offers as controls of a page."""
