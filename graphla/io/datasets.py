"""Download public graphs by name from SNAP and from the SuiteSparse Matrix Collection."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import tarfile
import zlib
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from graphla.errors import DomainMismatch, InvalidValue, MissingPackage, ReadError

if TYPE_CHECKING:
    from graphla.core.graph import Graph

SNAP = "https://snap.stanford.edu/data"
MATRICES = "https://sparse.tamu.edu/MM"


class Dataset(NamedTuple):
    """The location of a graph, and the arguments with which it is read."""

    collection: str  # base URL
    file: str  # path below the base URL, and below the cache folder
    kind: str | None = None  # None: the kind that the file declares
    dup: str | None = "min"
    sha256: str | None = None


def _snap(kind: str, *files: str) -> dict[str, Dataset]:
    return {
        Path(file).name.removesuffix(".ungraph"): Dataset(SNAP, f"{file}.txt.gz", kind)
        for file in files
    }


REGISTRY = {
    **_snap("undirected", "ca-AstroPh", "ca-CondMat", "ca-GrQc", "ca-HepPh", "ca-HepTh"),
    **_snap("undirected", "as-skitter", "email-Enron", "facebook_combined"),
    **_snap("undirected", "loc-brightkite_edges", "loc-gowalla_edges"),
    **_snap("undirected", "roadNet-CA", "roadNet-PA", "roadNet-TX"),
    **_snap(
        "undirected",
        *(
            f"bigdata/communities/com-{name}.ungraph"
            for name in ("amazon", "dblp", "friendster", "lj", "orkut", "youtube")
        ),
    ),
    **_snap("directed", "amazon0302", "amazon0312", "amazon0505", "amazon0601"),
    **_snap("directed", "cit-HepPh", "cit-HepTh", "cit-Patents"),
    **_snap("directed", "email-Eu-core", "email-EuAll", "p2p-Gnutella08", "p2p-Gnutella31"),
    **_snap("directed", "soc-Epinions1", "soc-LiveJournal1", "soc-pokec-relationships"),
    **_snap("directed", "soc-Slashdot0811", "soc-Slashdot0902", "wiki-Talk", "wiki-Vote"),
    **_snap("directed", "web-BerkStan", "web-Google", "web-NotreDame", "web-Stanford"),
    **{
        name: Dataset(MATRICES, f"{name}.tar.gz")
        for name in (
            *("DIMACS10/coPapersDBLP", "DIMACS10/delaunay_n20", "DIMACS10/europe_osm"),
            *("DIMACS10/kron_g500-logn16", "DIMACS10/kron_g500-logn21"),
            *("DIMACS10/rgg_n_2_20_s0", "DIMACS10/road_central", "DIMACS10/road_usa"),
            *("GAP/GAP-kron", "GAP/GAP-road", "GAP/GAP-twitter", "GAP/GAP-urand", "GAP/GAP-web"),
            *("Gleich/wb-edu", "Kamvar/Stanford"),
            *("LAW/hollywood-2009", "LAW/indochina-2004", "LAW/uk-2002"),
            *("Newman/dolphins", "Newman/football", "Newman/karate", "Newman/lesmis"),
            *("Newman/netscience", "Newman/polblogs", "Newman/power"),
        )
    },
}


def names() -> list[str]:
    """Return the listed names, sorted.

    :func:`fetch` accepts these, and the ``Group/Name`` of every square matrix of the SuiteSparse
    Matrix Collection.

    Examples
    --------
    >>> import graphla as gl
    >>> "roadNet-CA" in gl.datasets.names(), "GAP/GAP-road" in gl.datasets.names()
    (True, True)
    """
    return sorted(REGISTRY)


def fetch(name: str, *, cache: Any = None, base_url: str | None = None) -> Graph:
    """Return a public graph; it is downloaded once and then read from a cache.

    Parameters
    ----------
    name : str
        One of :func:`names`, or the ``Group/Name`` of a matrix of the
        SuiteSparse Matrix Collection.
    cache : path-like, optional
        Folder for the files. Default: the user's cache folder for ``graphla``.
    base_url : str, optional
        URL of a mirror, in place of https://snap.stanford.edu/data or
        https://sparse.tamu.edu/MM.

    Returns
    -------
    Graph
        Of the kind that the collection declares. Vertex numbers that no edge of a SNAP file uses
        are isolated vertices. Duplicate edges of SNAP files are merged.

    Raises
    ------
    InvalidValue
        The name is unknown.
    MissingPackage
        pooch is not installed: ``pip install 'graphla[io]'``.
    ReadError
        The file cannot be downloaded, has another SHA-256 than expected (it is then deleted), or
        does not contain a graph.

    Notes
    -----
    The collections publish no checksums, so trust is on first use: the SHA-256 of the first
    download is written to ``<file>.sha256``, and every later use and download must match it.
    Only HTTPS protects the first download. Delete the ``.sha256`` file to accept a new version.

    Examples
    --------
    >>> import graphla as gl
    >>> G = gl.datasets.fetch("roadNet-CA")  # doctest: +SKIP
    """
    from graphla.io import read

    dataset = _dataset(name)
    path = _download(dataset, cache, base_url or dataset.collection)
    return read(path, kind=dataset.kind, dup=dataset.dup)


def _dataset(name: Any) -> Dataset:
    if not isinstance(name, str):
        raise DomainMismatch(f"name must be a string, not {type(name).__name__}")
    if name in REGISTRY:
        return REGISTRY[name]
    if re.fullmatch(r"[\w-]+/[\w+.-]*\w[\w+.-]*", name):
        return Dataset(MATRICES, f"{name}.tar.gz")
    similar = get_close_matches(name, REGISTRY, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(similar)}?" if similar else ""
    raise InvalidValue(
        f"no graph is called {name!r}{hint} (graphla.io.datasets.names() lists them)"
    )


def _download(dataset: Dataset, cache: Any, base_url: str) -> Path:
    """Download and unpack a file unless it is cached, verify it, and return its path."""
    try:
        import pooch
    except ImportError as error:
        raise MissingPackage("datasets.fetch needs pooch: pip install 'graphla[io]'") from error
    if not base_url.startswith(("http://", "https://")):
        raise InvalidValue(f"base_url={base_url!r} must start with http:// or https://")
    folder = Path(pooch.os_cache("graphla") if cache is None else cache)
    path = folder / dataset.file
    checksum = path.with_name(f"{path.name}.sha256")
    known = dataset.sha256 or (checksum.exists() and checksum.read_text()[:64]) or None
    url = f"{base_url.rstrip('/')}/{dataset.file}"
    store = pooch.create(folder, "", registry={dataset.file: known}, urls={dataset.file: url})
    try:
        store.fetch(dataset.file, processor=_unpack)
    except (gzip.BadGzipFile, tarfile.TarError, EOFError, KeyError, zlib.error) as error:
        path.unlink()
        raise ReadError(url, None, f"expected the gzip file of a graph: {error}") from error
    except OSError as error:
        raise ReadError(url, None, f"cannot be downloaded to {folder}: {error}") from error
    except ValueError as error:  # pooch's error for a wrong checksum
        path.unlink(missing_ok=True)
        raise ReadError(url, None, f"expected SHA-256 {known}; the download is deleted") from error
    if not checksum.exists():
        checksum.write_text(f"{pooch.file_hash(str(path))}  {path.name}\n")
    return _graph_file(path)


def _graph_file(path: Path) -> Path:
    """Return the graph's file: the Matrix Market file beside an archive, or `path` itself."""
    stem = path.name.removesuffix(".tar.gz")
    return path if stem == path.name else path.with_name(f"{stem}.mtx")


def _unpack(file: str, action: str, _: Any) -> None:
    """pooch's processor: check that a new file is a gzip file, extract Name/Name.mtx of an archive.

    `action` is "fetch" for a file that was already in the cache.
    """
    path = Path(file)
    target = _graph_file(path)
    if action == "fetch" and target.exists():
        return
    if target == path:
        with gzip.open(path) as compressed:
            compressed.read(1)
        return
    part = target.with_name(f"{target.name}.part")
    try:
        with tarfile.open(path) as archive, part.open("wb") as out:
            member = archive.extractfile(f"{target.stem}/{target.name}")
            if member is None:
                raise tarfile.ReadError(f"{target.stem}/{target.name} is not a file")
            shutil.copyfileobj(member, out)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
