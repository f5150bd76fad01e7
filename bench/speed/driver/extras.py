"""What is measured beside the rounds: cold starts, readers beside a writer, sizes, the state of the machine."""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .places import NODE, ROOT, SPEED, VENV, progress
from .rounds import run, spread

if TYPE_CHECKING:
    from .catalogs import Catalog

COLD_STARTS = 11


def cold(catalog: Catalog) -> dict[str, Any]:
    """CPU of processes that read the tools' file, import, register 100 and search once; over the bare interpreter."""
    tools = str(catalog.folder / "tools.jsonl")
    commands = {}
    if (VENV / "python").exists():
        script = [str(VENV / "python"), str(SPEED / "python" / "cold.py")]
        commands |= {f"python {what}": [*script, what, tools] for what in ("bare", "tools", "honeyguide", "ratel")}
    script = ["node", str(NODE / "cold.mjs")]
    commands |= {f"node {what}": [*script, what, tools] for what in ("bare", "tools", "honeyguide", "minisearch")}
    taken: dict[str, list[float]] = {}
    for number in range(COLD_STARTS):
        for name, command in commands.items():
            progress(f"cold start {number + 1} of {COLD_STARTS}: {name}")
            seconds = child_cpu(command)
            if seconds is not None:
                taken.setdefault(name, []).append(1000 * seconds)
    progress("")
    rows = {}
    for name, times in taken.items():
        bare = taken[f"{name.split()[0]} bare"]
        rows[name] = {
            "cpu_ms": {"min": round(min(times), 1), "median": round(statistics.median(times), 1)},
            "over_bare_ms": {
                "min": round(min(times) - min(bare), 1),
                "median": round(statistics.median(times) - statistics.median(bare), 1),
            },
        }
    return rows


def child_cpu(command: list[str]) -> float | None:
    """CPU seconds of one process; nothing when it failed."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command = ["nice", "-n", "-10", *command]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime if process.returncode == 0 else None


def readers(ours: str, catalog: Catalog, rounds: int) -> dict[str, Any]:
    """Searches beside a writer of 1,000 tools a second."""
    lines = []
    for number in range(rounds):
        progress(f"{catalog.name}: readers beside a writer, round {number + 1} of {rounds}")
        line = run([ours, "readers", *catalog.arguments()])
        if isinstance(line, str):
            return {"missing": line}
        lines.append(line)
    progress("")
    keys = ("idle_p99_us", "busy_p99_us", "busy_over_idle_p99", "writes_per_second")
    return {key: spread([line[key] for line in lines]) for key in keys}


def files() -> dict[str, Any]:
    """Sizes of what was built, in bytes; nothing where it was not."""
    sizes: dict[str, Any] = {}
    artefacts = ROOT / ".build" / "artefacts"
    for archive in [artefacts / "honeyguide.tgz", *(artefacts / "wheels").glob("*.whl")]:
        if archive.exists():
            native = natives(archive)
            sizes["npm tarball" if archive.suffix == ".tgz" else "wheel"] = {
                "download": archive.stat().st_size,
                "native": sum(native.values()),
            }
    return sizes


def natives(archive: Path) -> dict[str, int]:
    """The native files of an archive."""
    if archive.suffix == ".tgz":
        with tarfile.open(archive) as tar:
            entries = {member.name: member.size for member in tar.getmembers()}
    else:
        with zipfile.ZipFile(archive) as package:
            entries = {entry.filename: entry.file_size for entry in package.infolist()}
    return {name: size for name, size in entries.items() if name.endswith((".node", ".so", ".pyd", ".dylib"))}


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    model = platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "rust": version(["rustc", "--version"]),
        "node": version(["node", "--version"]),
        "python": platform.python_version(),
        "commit": version(["git", "rev-parse", "--short", "HEAD"]),
    }


def load() -> list[float]:
    """How busy the machine is."""
    return [round(value, 2) for value in os.getloadavg()] if hasattr(os, "getloadavg") else []


def version(command: list[str]) -> str:
    """The one line that a command prints."""
    if shutil.which(command[0]) is None:
        return "absent"
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT).stdout.strip()
