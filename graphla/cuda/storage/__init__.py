"""Forms of storage: lists, bitmaps, full arrays, CSR, bits, sliced ELL."""
