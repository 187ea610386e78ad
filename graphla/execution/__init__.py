"""Push or pull, storage hints and fusion: all that is not mathematics in an algorithm."""
