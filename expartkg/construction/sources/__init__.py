"""Where statements come from, behind the protocol `knowledge.Knowledge`.

`snapshot` reads a folder of tab-separated Wikidata extracts, `graph` a graph that was built before,
`wikidata` asks the live Wikidata, `dump` reads a dump of it.
"""
