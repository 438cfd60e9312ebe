"""An index of a graph on disk, which opens at once: its files are mapped, not read."""
