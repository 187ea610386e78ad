"""Public graphs by name: SNAP's, and any square matrix of the SuiteSparse Matrix Collection."""

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
    """Where a graph is and how to read it."""

    collection: str  # address
    file: str  # below the address, and below the cache
    kind: str | None = None  # None: the file says it
    dup: str | None = None
    sha256: str | None = None


def _snap(kind: str, *files: str) -> dict[str, Dataset]:
    return {
        Path(file).name.removesuffix(".ungraph"): Dataset(SNAP, f"{file}.txt.gz", kind, "min")
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
    """Return the names listed here, sorted.

    :func:`fetch` takes these and the ``Group/Name`` of every square matrix of
    the SuiteSparse Matrix Collection.

    Examples
    --------
    >>> import graphla as gl
    >>> "roadNet-CA" in gl.datasets.names(), "GAP/GAP-road" in gl.datasets.names()
    (True, True)
    """
    return sorted(REGISTRY)


def fetch(name: str, *, cache: Any = None, base_url: str | None = None) -> Graph:
    """Return a public graph, downloaded once and then read from a cache.

    Parameters
    ----------
    name : str
        One of :func:`names`, or the ``Group/Name`` of a matrix of the
        SuiteSparse Matrix Collection.
    cache : path-like, optional
        Folder that keeps the files; the user's cache folder for ``graphla`` by
        default.
    base_url : str, optional
        Address of a mirror, in place of https://snap.stanford.edu/data or
        https://sparse.tamu.edu/MM.

    Returns
    -------
    Graph
        Of the kind that the collection says. A number of a SNAP file that no
        edge uses is an isolated vertex. Duplicate edges of SNAP are merged.

    Raises
    ------
    InvalidValue
        The name is unknown.
    MissingPackage
        pooch is not installed: ``pip install 'graphla[io]'``.
    ReadError
        The file cannot be downloaded, has not the expected SHA-256, or does not
        hold a graph. Nothing of a file with the wrong checksum is kept.

    Notes
    -----
    The collections publish no checksums, so trust is on first use: the SHA-256
    of the first download is written beside the file (``<file>.sha256``), and
    every later use, a new download too, must match it. The first download
    itself is protected by HTTPS only. Delete that file to accept a new version.

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
    near = get_close_matches(name, REGISTRY, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise InvalidValue(
        f"no graph is called {name!r}{hint} (graphla.io.datasets.names() lists them)"
    )


def _download(dataset: Dataset, cache: Any, base_url: str) -> Path:
    """Return the file to read, in the cache, verified and out of its archive."""
    try:
        import pooch
    except ImportError as error:
        raise MissingPackage("datasets.fetch needs pooch: pip install 'graphla[io]'") from error
    if not base_url.startswith(("http://", "https://")):
        raise InvalidValue(f"base_url={base_url!r} is not the address of an HTTP(S) server")
    folder = Path(pooch.os_cache("graphla") if cache is None else cache)
    path = folder / dataset.file
    record = path.with_name(f"{path.name}.sha256")
    known = dataset.sha256 or (record.exists() and record.read_text()[:64]) or None
    url = f"{base_url.rstrip('/')}/{dataset.file}"
    store = pooch.create(folder, "", registry={dataset.file: known}, urls={dataset.file: url})
    try:
        store.fetch(dataset.file, processor=_unpack)
    except (gzip.BadGzipFile, tarfile.TarError, EOFError, KeyError, zlib.error) as error:
        path.unlink()
        raise ReadError(url, None, f"expected the gzip file of a graph: {error}") from error
    except OSError as error:
        raise ReadError(url, None, f"cannot be downloaded to {folder}: {error}") from error
    except ValueError as error:  # pooch's word for a wrong checksum
        path.unlink(missing_ok=True)
        raise ReadError(url, None, f"expected SHA-256 {known}; what came is not kept") from error
    if not record.exists():
        record.write_text(f"{pooch.file_hash(str(path))}  {path.name}\n")
    return _content(path)


def _content(path: Path) -> Path:
    """Return the file of the graph: the Matrix Market file beside an archive, or `path` itself."""
    stem = path.name.removesuffix(".tar.gz")
    return path if stem == path.name else path.with_name(f"{stem}.mtx")


def _unpack(file: str, action: str, _: Any) -> None:
    """Extract Name/Name.mtx of an archive that is new; make sure that a new file is gzip's."""
    path = Path(file)
    content = _content(path)
    if action == "fetch" and content.exists():
        return
    if content == path:
        with gzip.open(path) as whole:
            whole.read(1)
        return
    part = content.with_name(f"{content.name}.part")
    try:
        with tarfile.open(path) as archive, part.open("wb") as out:
            member = archive.extractfile(f"{content.stem}/{content.name}")
            if member is None:
                raise tarfile.ReadError(f"{content.stem}/{content.name} is not a file")
            shutil.copyfileobj(member, out)
        os.replace(part, content)
    finally:
        part.unlink(missing_ok=True)
