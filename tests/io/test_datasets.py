"""Datasets: downloads from a server on this machine, cache, checksums, refusals."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import io
import sys
import tarfile
import threading

import pytest

import graphla as gl
from graphla.errors import DomainMismatch, InvalidValue, MissingPackage, ReadError
from graphla.io import datasets
from graphla.io.datasets import MATRICES, SNAP, Dataset

SNAP_TEXT = b"# Undirected graph: tiny.txt\r\n# FromNodeId\tToNodeId\r\n0\t1\r\n1\t0\r\n1\t3\r\n"
MTX = b"%%MatrixMarket matrix coordinate integer symmetric\n% UF\n4 4 3\n2 1 5\n3 2 6\n4 4 7\n"


def archive(**members):
    """Return the bytes of a tar.gz; a member without content is a folder."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name.replace("__", "/"))
            if content is None:
                info.type = tarfile.DIRTYPE
            else:
                info.size = len(content)
            tar.addfile(info, io.BytesIO(content or b""))
    return out.getvalue()


MATRIX = archive(tiny__tiny_b=b"1\n", tiny__readme=b"text", **{"tiny__tiny.mtx": MTX})


class Server:
    """Files on 127.0.0.1 and the list of requests."""

    def __init__(self):
        self.files, self.requests = {}, []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.requests.append(self.path)
                content = server.files.get(self.path)
                self.send_response(404 if content is None else 200)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                self.wfile.write(content or b"")

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/mirror"
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()


@pytest.fixture
def server(monkeypatch):
    """Serve a SNAP graph and a matrix, which are all that the registry lists."""
    server = Server()
    server.files["/mirror/some/tiny.txt.gz"] = gzip.compress(SNAP_TEXT)
    server.files["/mirror/Group/tiny.tar.gz"] = MATRIX
    tiny = Dataset(SNAP, "some/tiny.txt.gz", "undirected", "min")
    monkeypatch.setattr(datasets, "REGISTRY", {"tiny": tiny, "tidy": tiny})
    yield server
    server.close()


def kept(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_snap_is_downloaded_once(server, tmp_path):
    for _ in range(2):
        G = datasets.fetch("tiny", cache=tmp_path, base_url=server.url)
        assert (G.kind, G.n, G.nedges, G.dtype.name) == ("undirected", 4, 2, "BOOL")
    assert server.requests == ["/mirror/some/tiny.txt.gz"]
    assert kept(tmp_path) == ["some/tiny.txt.gz", "some/tiny.txt.gz.sha256"]
    digest, name = (tmp_path / "some/tiny.txt.gz.sha256").read_text().split()
    content = (tmp_path / "some/tiny.txt.gz").read_bytes()
    assert (digest, name) == (hashlib.sha256(content).hexdigest(), "tiny.txt.gz")


def test_matrix_is_extracted_from_its_archive(server, tmp_path):
    for _ in range(2):
        G = datasets.fetch("Group/tiny", cache=str(tmp_path), base_url=f"{server.url}/")
        assert G.kind == "undirected"  # as its header says
        rows, cols, values = G.A.to_coo()
        assert list(zip(rows.tolist(), cols.tolist(), values.tolist(), strict=True)) == [
            *[(0, 1, 5), (1, 0, 5), (1, 2, 6), (2, 1, 6), (3, 3, 7)],
        ]
    assert server.requests == ["/mirror/Group/tiny.tar.gz"]
    assert kept(tmp_path) == [
        *["Group/tiny.mtx", "Group/tiny.tar.gz", "Group/tiny.tar.gz.sha256"],
    ]
    (tmp_path / "Group/tiny.mtx").unlink()
    assert datasets.fetch("Group/tiny", cache=tmp_path, base_url=server.url).n == 4
    assert len(server.requests) == 1


def test_a_known_checksum_is_required(server, tmp_path, monkeypatch):
    right = hashlib.sha256(MATRIX).hexdigest()
    for digest in (right, "0" * 64):
        entry = Dataset(MATRICES, "Group/tiny.tar.gz", sha256=digest)
        monkeypatch.setitem(datasets.REGISTRY, "Group/tiny", entry)
        folder = tmp_path / digest
        if digest == right:
            assert datasets.fetch("Group/tiny", cache=folder, base_url=server.url).n == 4
        else:
            with pytest.raises(ReadError, match=f"expected SHA-256 {digest}") as caught:
                datasets.fetch("Group/tiny", cache=folder, base_url=server.url)
            assert caught.value.path == f"{server.url}/Group/tiny.tar.gz"
            assert kept(folder) == []


def test_a_damaged_file_is_fetched_again_and_must_match_the_first(server, tmp_path):
    def fetch():
        return datasets.fetch("tiny", cache=tmp_path, base_url=server.url)

    fetch()
    file = tmp_path / "some/tiny.txt.gz"
    whole = file.read_bytes()
    file.write_bytes(b"damaged")
    assert fetch().nedges == 2
    assert file.read_bytes() == whole
    assert len(server.requests) == 2

    file.unlink()
    server.files["/mirror/some/tiny.txt.gz"] = gzip.compress(SNAP_TEXT + b"2\t3\r\n")
    with pytest.raises(ReadError, match="expected SHA-256"):
        fetch()
    assert kept(tmp_path) == ["some/tiny.txt.gz.sha256"]
    (tmp_path / "some/tiny.txt.gz.sha256").unlink()
    assert fetch().nedges == 3


def test_a_new_archive_replaces_the_old_content(server, tmp_path):
    datasets.fetch("Group/tiny", cache=tmp_path, base_url=server.url)
    for name in ("tiny.tar.gz", "tiny.tar.gz.sha256"):
        (tmp_path / "Group" / name).unlink()
    shorter = MTX.replace(b"4 4 3", b"4 4 2").replace(b"4 4 7\n", b"")
    server.files["/mirror/Group/tiny.tar.gz"] = archive(**{"tiny__tiny.mtx": shorter})
    assert datasets.fetch("Group/tiny", cache=tmp_path, base_url=server.url).nedges == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("tiny", b"<html>come back later</html>"),
        ("Group/tiny", b"<html>come back later</html>"),
        ("Group/tiny", gzip.compress(b"not an archive", mtime=0)),
        ("Group/tiny", MATRIX[: len(MATRIX) // 2]),
        ("Group/tiny", archive(**{"other__other.mtx": MTX})),
        ("Group/tiny", archive(**{"tiny__tiny.mtx": None})),
    ],
    ids=["page", "page for an archive", "text", "half", "other file", "folder"],
)
def test_invalid_downloads_are_not_kept(server, tmp_path, name, content):
    for path in server.files:
        server.files[path] = content
    with pytest.raises(ReadError, match="expected the gzip file of a graph"):
        datasets.fetch(name, cache=tmp_path, base_url=server.url)
    assert kept(tmp_path) == []


def test_missing_on_the_server(server, tmp_path):
    with pytest.raises(ReadError, match=r"cannot be downloaded.*404") as caught:
        datasets.fetch("Group/none", cache=tmp_path, base_url=server.url)
    assert caught.value.path == f"{server.url}/Group/none.tar.gz"
    assert kept(tmp_path) == []


def test_offline(server, tmp_path):
    datasets.fetch("tiny", cache=tmp_path, base_url=server.url)
    server.close()
    assert datasets.fetch("tiny", cache=tmp_path, base_url=server.url).nedges == 2
    with pytest.raises(ReadError, match="cannot be downloaded"):
        datasets.fetch("Group/tiny", cache=tmp_path, base_url=server.url)
    assert kept(tmp_path) == ["some/tiny.txt.gz", "some/tiny.txt.gz.sha256"]


def test_without_pooch(server, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingPackage, match=r"pip install 'graphla\[io\]'"):
        datasets.fetch("tiny", cache=tmp_path, base_url=server.url)
    assert server.requests == []


def test_the_default_cache_and_address(server, monkeypatch, tmp_path):
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path / project)
    monkeypatch.setattr(
        datasets, "REGISTRY", {"tiny": Dataset(server.url, "some/tiny.txt.gz", "directed")}
    )
    assert datasets.fetch("tiny").nedges == 3
    assert kept(tmp_path / "graphla") == ["some/tiny.txt.gz", "some/tiny.txt.gz.sha256"]


@pytest.mark.parametrize("name", ["", "tinny", "tiny.txt", "a/b/c", "../tiny", "a/..", "a/", "/a"])
def test_unknown_name(server, tmp_path, name):
    with pytest.raises(InvalidValue, match="no graph is called"):
        datasets.fetch(name, cache=tmp_path, base_url=server.url)
    assert server.requests == []


def test_refused_arguments(server, tmp_path):
    with pytest.raises(InvalidValue, match="did you mean tiny or tidy"):
        datasets.fetch("tinyy", cache=tmp_path, base_url=server.url)
    with pytest.raises(DomainMismatch, match="must be a string"):
        datasets.fetch(5, cache=tmp_path)
    with pytest.raises(InvalidValue, match="http"):
        datasets.fetch("tiny", cache=tmp_path, base_url="/some/folder")


def test_registry():
    names = gl.datasets.names()
    assert names == sorted(set(names))
    assert {"roadNet-CA", "com-lj", "wiki-Vote", "GAP/GAP-road", "DIMACS10/road_usa"} <= set(names)
    entries = datasets.REGISTRY
    assert entries["com-lj"].file == "bigdata/communities/com-lj.ungraph.txt.gz"
    assert entries["wiki-Vote"] == Dataset(SNAP, "wiki-Vote.txt.gz", "directed", "min")
    assert entries["GAP/GAP-road"] == Dataset(MATRICES, "GAP/GAP-road.tar.gz")
    assert len({entry.file for entry in entries.values()}) == len(entries)
    for name, entry in entries.items():
        assert (entry.collection == MATRICES) == ("/" in name)
        assert entry.kind in (("undirected", "directed") if entry.collection == SNAP else (None,))
