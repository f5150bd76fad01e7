#!/usr/bin/env python3
"""Encodes texts with all-MiniLM-L6-v2, for the quality bench: a JSON string a line in, 32-bit floats out.

`bench/quality/embed.py TEXTS VECTORS`, in the environment of the benches. Knows nothing of tools and queries.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from encoder import Encoder


def main() -> None:
    """Encodes every line."""
    texts_path, vectors_path = map(Path, sys.argv[1:3])
    texts = [json.loads(line) for line in texts_path.read_text(encoding="utf-8").splitlines()]
    vectors = Encoder().encode(texts, lambda _: None)
    # Whoever finds the file finds all of it.
    unfinished = vectors_path.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(vectors.astype("<f4").tobytes())
    unfinished.replace(vectors_path)


if __name__ == "__main__":
    main()
