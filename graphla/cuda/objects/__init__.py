"""Matrix, Vector and their conversions."""
