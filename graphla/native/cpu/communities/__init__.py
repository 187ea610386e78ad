"""Communities and colourings on the CPU."""
