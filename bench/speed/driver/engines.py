"""The engines: which there are, in which group, against which of ours, and how each is started.

A group is one language; its first engine is ours, and the ratios of the others are against it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .places import NODE, ROOT, SCRATCH, SPEED, VENV, attempt, progress

OURS = "honeyguide-bench-ours"
PACKAGES = {"ratel-ai": "ratel-ai==0.12.0", "bm25s": "bm25s==0.3.16 PyStemmer"}
MODULES = {"MiniSearch": "minisearch@7.2.0", "FlexSearch": "flexsearch@0.8.212"}


@dataclass
class Engine:
    """One row."""

    name: str
    group: str
    command: list[str]
    missing: str | None = None
    peer: bool = True


def prepare(groups: list[str], peers: bool) -> list[Engine]:
    """Builds and installs what is measured; what cannot be had says why."""
    ours = ours_binary()
    engines = [
        Engine("honeyguide", "core", [str(ours), "catalog"], peer=False),
        Engine("honeyguide engine", "core", [str(ours), "engine"], peer=False),
        Engine("honeyguide index", "core", [str(ours), "index"], peer=False),
    ]
    engines += rust_peers() if peers and "core" in groups else []
    engines += python_engines(peers) if "python" in groups else []
    engines += node_engines(peers) if "node" in groups else []
    progress("")
    return [engine for engine in engines if engine.group in groups]


def ours_binary() -> Path:
    """Builds our adapter as it is shipped."""
    packages = ["--package", "honeyguide-bench-kit", "--package", "honeyguide-bench-ours"]
    failed = attempt("building our engine", ["cargo", "build", "--release", "--bins", *packages])
    if failed:
        raise SystemExit(failed)
    return installed(release_folder() / OURS)


def installed(built: Path) -> Path:
    """A copy of what was built, as an installer writes it.

    A linker writes a file here and there, and the kernel keeps such a file in small pieces: each first touch of its
    code takes several times as long as in a file that was written from beginning to end, as what users install is.
    """
    copy = SCRATCH / "bin" / built.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.unlink(missing_ok=True)
    shutil.copy(built, copy)
    return copy


def release_folder() -> Path:
    """Where cargo puts binaries of the workspace."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    output = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    return Path(json.loads(output)["target_directory"]) / "release"


def rust_peers() -> list[Engine]:
    """The peers in Rust: a crate outside the workspace, with a target folder that is kept."""
    target = SCRATCH / "target"
    command = ["cargo", "build", "--release", "--target-dir", str(target)]
    failed = attempt("building the peers in Rust (minutes, the first time)", command, SPEED / "peers")
    built = target / "release" / "honeyguide-bench-peers"
    binary = str(built if failed else installed(built))
    return [
        Engine("ratel-ai-core", "core", [binary, "ratel"], failed),
        Engine("tantivy", "core", [binary, "tantivy"], failed),
    ]


def python_engines(peers: bool) -> list[Engine]:
    """The engines in Python, in an environment of their own; ours from its wheel."""
    failed = None
    if not (VENV / "python").exists():
        failed = attempt("making a Python environment", ["python3", "-m", "venv", str(VENV.parent)])
    pip = [str(VENV / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    wheels = [str(wheel) for wheel in (ROOT / ".build" / "artefacts" / "wheels").glob("honeyguide-*.whl")]
    no_wheel = None if wheels else "no wheel: run make build"
    ours = failed or no_wheel or attempt("installing our wheel", [*pip, "--no-deps", "--force-reinstall", *wheels])
    scripts = {"honeyguide (Python)": "ours", "ratel-ai": "reference", "bm25s": "sparse", "SQLite FTS5": "fts5"}
    engines = []
    for name, script in scripts.items():
        if script == "ours":
            missing = ours
        elif not peers:
            continue
        else:
            packages = PACKAGES.get(name, "").split()
            missing = failed or (attempt(f"installing {name}", [*pip, *packages]) if packages else None)
        command = [str(VENV / "python"), str(SPEED / "python" / f"{script}.py")]
        engines.append(Engine(name, "python", command, missing, script != "ours"))
    return engines


def node_engines(peers: bool) -> list[Engine]:
    """The engines in Node, in a folder outside the workspaces; ours from its tarball."""
    tarball = ROOT / ".build" / "artefacts" / "honeyguide.tgz"
    shutil.rmtree(NODE / "node_modules" / "honeyguide", ignore_errors=True)
    npm = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--no-package-lock"]
    modules = list(MODULES.values()) if peers else []
    ours = None if tarball.exists() else "no tarball: run make build"
    together = attempt("installing the engines in Node", [*npm, *([] if ours else [str(tarball)]), *modules], NODE)
    scripts = {"honeyguide (Node)": "ours", "MiniSearch": "minisearch", "FlexSearch": "flexsearch"}
    engines = []
    for name, script in scripts.items():
        if script != "ours" and not peers:
            continue
        missing = together or (ours if script == "ours" else None)
        command = ["node", "--expose-gc", str(NODE / f"{script}.mjs")]
        engines.append(Engine(name, "node", command, missing, script != "ours"))
    return engines
