"""The graph, its properties, and what every engine and algorithm builds on."""
