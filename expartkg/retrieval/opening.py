"""Opening a graph: the shipped ones, files, and Oxigraph directories."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyoxigraph import Quad, RdfFormat, Store, parse

from expartkg.errors import GraphError
from expartkg.retrieval.descriptions import descriptions_in, descriptions_in_lines
from expartkg.retrieval.store import Graph

SHIPPED = Path(__file__).resolve().parents[2] / "kg"


def open_graph(source: str) -> Graph:
    """Opens a graph: the name of a shipped one, a file, an Oxigraph directory, a SPARQL endpoint.

    Files are N-Triples, Turtle, N-Quads, TriG, RDF/XML or JSON-LD, also gzipped; the name's
    ending decides. They are read into memory; a directory is opened read-only, and at once if
    `retrieval.loading` has made it. Of an endpoint (`http(s)://…`) the names are fetched.
    Raises `GraphError`, whose message says what is wrong with the file and where.
    """
    if is_endpoint(source):
        return _open_endpoint(source)
    path = locate_graph(source)
    if path.is_dir():
        return _open_directory(path)
    return _open_shipped(path, source) if source in _shipped() else _open_file(path)


def is_endpoint(source: str) -> bool:
    """Whether a graph stays on a server."""
    return source.lower().startswith(("http://", "https://"))


def locate_graph(source: str) -> Path:
    """The file or the directory of a graph that is no endpoint. Raises `GraphError`."""
    shipped = _shipped()
    path = shipped.get(source) or Path(source)
    if not path.exists():
        names = ", ".join(sorted(shipped)) or "none"
        raise GraphError(f"There is no graph {source[:200]}: give a file, or one of: {names}.")
    return path


def load_file(path: Path) -> Store:
    """The statements of a file, and nothing beside them. Raises `GraphError`."""
    rdf_format = rdf_format_of(path)
    _, data = _read(path)
    return _load_valid(data, rdf_format, path)


def _shipped() -> dict[str, Path]:
    return {path.name.removesuffix(".nt.gz"): path for path in SHIPPED.glob("*.nt.gz")}


def _open_shipped(path: Path, name: str) -> Graph:
    """Names can be used while the facts are still being loaded, in a thread of their own.

    That halves the time to the first answer. It takes a file that is known to be valid, since an
    error would come late; what ships was checked when it was built, and gzip has a checksum.
    """
    packed, data = _read(path)
    store = Store()
    loader = ThreadPoolExecutor(1, thread_name_prefix="load graph")
    loading = loader.submit(store.bulk_load, data, RdfFormat.N_TRIPLES, lenient=True)
    loader.shutdown(wait=False)

    def loaded() -> Store:
        loading.result()
        return store

    descriptions = descriptions_in_lines(data)
    return Graph(name, descriptions, loaded, hashlib.sha256(packed).hexdigest())


def _open_endpoint(address: str) -> Graph:
    # It brings an HTTP client, which other graphs do not need.
    from expartkg.retrieval.remote import Endpoint, RemoteStatements, remote_descriptions

    statements = RemoteStatements(Endpoint(address))
    descriptions = remote_descriptions(statements)
    return Graph(statements.endpoint.name, descriptions, lambda: statements)


def open_store(path: Path) -> Store:
    """The store of an Oxigraph directory. Raises `GraphError`."""
    try:
        return Store.read_only(str(path))
    except (OSError, RuntimeError, ValueError) as error:
        # Of what kind the error is, depends on what of the directory is damaged.
        raise GraphError(
            f"{path} is not an Oxigraph store, or a damaged one: {error}. Load it again with "
            "python -m expartkg kg load."
        ) from error


def _open_directory(path: Path) -> Graph:
    # Other graphs need no index that was saved.
    from expartkg.retrieval.saved.index import has_index, open_index

    store = open_store(path)
    if has_index(path):
        index = open_index(path)
        return Graph(path.name, index, lambda: store, index.sha256, path)
    return Graph(path.name, descriptions_in(store), lambda: store, place=path)


def _open_file(path: Path) -> Graph:
    rdf_format = rdf_format_of(path)
    packed, data = _read(path)
    store = _load_valid(data, rdf_format, path)
    sha256 = hashlib.sha256(packed).hexdigest()
    return Graph(path.name, descriptions_in(store), lambda: store, sha256, path)


def _load_valid(data: bytes, rdf_format: RdfFormat, path: Path) -> Store:
    try:
        return _load(data, rdf_format)
    except SyntaxError as error:
        raise GraphError(f"{path} is not valid {rdf_format}: {error}.") from error


def _read(path: Path) -> tuple[bytes, bytes]:
    """The bytes of a file, and what they are when unpacked."""
    try:
        packed = path.read_bytes()
        return packed, gzip.decompress(packed) if path.suffix.lower() == ".gz" else packed
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise GraphError(f"{path} is cut off or damaged ({error}); fetch it again.") from error
    except OSError as error:
        raise GraphError(f"{path} cannot be read: {error.strerror or error}.") from error


def rdf_format_of(path: Path) -> RdfFormat:
    """The format that a file's name says it has. Raises `GraphError` if it says none."""
    extension = path.name.lower().removesuffix(".gz").rpartition(".")[2]
    rdf_format = RdfFormat.from_extension(extension)
    if rdf_format is None:
        raise GraphError(
            f"{path} has an ending that is no RDF format; "
            "use .nt, .ttl, .nq, .trig, .rdf or .jsonld, with .gz behind it if compressed."
        )
    return rdf_format


def _load(data: bytes, rdf_format: RdfFormat) -> Store:
    store = Store()
    if rdf_format.supports_datasets:
        # D_e is a set of triples: the named graph that a triple stands in does not matter.
        store.extend(
            Quad(quad.subject, quad.predicate, quad.object) for quad in parse(data, rdf_format)
        )
    else:
        store.load(data, rdf_format)
    return store
