"""How a system's view becomes words and pictures: names, sentences, maps; it knows no page."""
