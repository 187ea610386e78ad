"""Results by node: NetworkX's labels, in its order."""

from __future__ import annotations

import pytest

from tests.interop.networkx.installed import nx


@pytest.mark.parametrize("labels", [[False, True], [0.0, 1.0], [1, 0], ["0", "1"]])
def test_nodes_keep_their_type_and_order(labels):
    G = nx.path_graph(2)
    G = nx.relabel_nodes(G, dict(enumerate(labels)))
    found = nx.single_source_shortest_path_length(G, labels[0], backend="graphla")
    assert list(map(type, found)) == [type(labels[0])] * 2
    assert found == {labels[0]: 0, labels[1]: 1}
