"""The rows: which engines there are, how each is installed and started. What cannot be had says why."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from speed.driver.engines import MODULES as SPEED_MODULES
from speed.driver.engines import PACKAGES as SPEED_PACKAGES
from speed.driver.engines import release_folder
from speed.driver.places import ROOT, SPEED, VENV, attempt, progress

QUALITY = ROOT / "bench" / "quality"
NODE = QUALITY / "node"
BINARY = "honeyguide-bench-quality"
OURS, FLAT, REFERENCE = "honeyguide", "flat BM25", "ratel-ai"
HYBRID, SEMANTIC = "honeyguide, hybrid", "honeyguide, semantic"
# The reference's hybrid twice: with the vectors of our texts, and with those of the texts that it embeds itself.
REFERENCE_HYBRID, REFERENCE_OWN = "ratel-ai, hybrid", "ratel-ai, hybrid, own texts"
# Our own rows with vectors, and how our binary calls them.
MEANING = {
    HYBRID: "hybrid",
    SEMANTIC: "semantic",
    "honeyguide, RRF-60": "ranks",
    "honeyguide, z-scores": "deviations",
}

# Script, arguments and packages of each row in Python; those of the speed bench stand there.
PYTHON = {
    REFERENCE: ("reference", [], SPEED_PACKAGES["ratel-ai"]),
    "bm25s": ("sparse", [], SPEED_PACKAGES["bm25s"]),
    "bm25s, stems": ("sparse", ["stem"], SPEED_PACKAGES["bm25s"]),
    "rank_bm25": ("okapi", [], "rank-bm25==0.2.2"),
    "SQLite FTS5": ("fts5", [], ""),
    "tantivy": ("inverted", [], "tantivy==0.27.0"),
    "FastMCP BM25": ("transform", [], "fastmcp==4.2.3"),
}
MODULES = {
    "MiniSearch": ("minisearch", [], SPEED_MODULES["MiniSearch"]),
    "Orama": ("orama", [], "@orama/orama@3.1.18"),
    "Orama, stop words": ("orama", ["stop"], "@orama/orama@3.1.18 @orama/stopwords@3.1.18"),
}
# What the adapters of a language share.
SHARED = {
    "python": [QUALITY / "python" / "protocol.py", SPEED / "python" / "protocol.py"],
    "node": [NODE / "protocol.mjs", SPEED / "node" / "protocol.mjs"],
}


@dataclass
class Engine:
    """One row: a process that takes TOOLS.jsonl and QUERIES.jsonl and prints its answers."""

    name: str
    command: list[str]
    arguments: list[str] = field(default_factory=list)
    missing: str | None = None
    # What stands before the files of vectors, for an engine that takes them.
    before_vectors: list[str] | None = None
    # Whether the texts behind them are those that the reference embeds.
    is_projected: bool = False
    # What its answers depend on beside the set; answers of an engine that never changes are kept.
    sources: list[Path] = field(default_factory=list)
    packages: str = ""


def prepare(peers: bool) -> list[Engine]:
    """Installs what is measured."""
    engines = [Engine(OURS, [str(binary()), "ours"])]
    engines += [meaning(row, row) for row in MEANING]
    engines.append(Engine(FLAT, [str(binary()), "flat"]))
    engines += [*python_engines(), *node_engines()] if peers else []
    progress("")
    return engines


def build() -> None:
    """Builds our own rows as the engine is shipped."""
    failed = attempt("building our engine", ["cargo", "build", "--release", "--package", BINARY])
    if failed:
        raise SystemExit(failed)


def meaning(name: str, row: str, *arguments: str) -> Engine:
    """One of our own rows with vectors, under a name, and with what changes it."""
    return Engine(name, [str(binary()), MEANING[row]], list(arguments), before_vectors=["--vectors"])


@cache
def binary() -> Path:
    """Our own rows."""
    return release_folder() / BINARY


def python_engines() -> list[Engine]:
    """The engines in Python, in the environment of the benches."""
    failed = None
    if not (VENV / "python").exists():
        failed = attempt("making a Python environment", ["python3", "-m", "venv", str(VENV.parent)])
    pip = [str(VENV / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    engines = []
    for name, (script, arguments, packages) in PYTHON.items():
        path = QUALITY / "python" / f"{script}.py"
        missing = failed
        if packages and not failed:
            missing = attempt(f"installing {name}", [*pip, *packages.split()])
        sources = [path, *SHARED["python"]]
        command = [str(VENV / "python"), str(path)]
        engines.append(Engine(name, command, arguments, missing, sources=sources, packages=packages))
        if name == REFERENCE:
            engines += [reference_hybrid(name, missing, packages) for name in (REFERENCE_HYBRID, REFERENCE_OWN)]
    return engines


def reference_hybrid(name: str, missing: str | None, packages: str) -> Engine:
    """The reference's ranking and vectors of our model, put together as it does it."""
    path = QUALITY / "python" / "reference_hybrid.py"
    sources = [path, QUALITY / "python" / "reference.py", *SHARED["python"]]
    command = [str(VENV / "python"), str(path)]
    projected = name == REFERENCE_OWN
    return Engine(
        name, command, [], missing, before_vectors=[], is_projected=projected, sources=sources, packages=packages
    )


def node_engines() -> list[Engine]:
    """The engines in Node, in a folder outside the workspaces."""
    npm = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--no-package-lock"]
    wanted = dict.fromkeys(" ".join(packages for _, _, packages in MODULES.values()).split())
    failed = attempt("installing the engines in Node", [*npm, *wanted], NODE)
    engines = []
    for name, (script, arguments, packages) in MODULES.items():
        path = NODE / f"{script}.mjs"
        sources = [path, *SHARED["node"]]
        engines.append(Engine(name, ["node", str(path)], arguments, failed, sources=sources, packages=packages))
    return engines
