"""Where statements come from. `snapshot` reads a folder of tab-separated Wikidata extracts."""
