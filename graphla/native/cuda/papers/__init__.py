"""Algorithms of published papers and textbooks, reproduced to compare them."""
