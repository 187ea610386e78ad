"""Compare implementations: run them side by side on graphs, verify, time and report."""
