"""graphla as a backend of NetworkX: ``nx.pagerank(G, backend="graphla")``.

NetworkX finds it by the entry points ``networkx.backends`` (:mod:`.backend`) and
``networkx.backend_info`` (:mod:`.info`). A call converts the graph once
(:mod:`.labelled_graph`), runs one algorithm of :mod:`graphla.algorithms` on it, and gives
back what NetworkX would: dictionaries by node, generators, NetworkX graphs. Nothing
here is loaded before the first such call, and nothing computes on graphs by itself.
"""
