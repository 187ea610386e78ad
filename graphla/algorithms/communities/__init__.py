"""Communities and colourings."""
