"""What ranks send to each other: gathers, exchanges by owner, and words that all agree on."""
