"""The scan of a text in memory: bytes, numbers, records, and all threads on chunks of lines."""
