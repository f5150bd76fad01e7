"""Small models that the tests make."""

from __future__ import annotations

import json
import shutil
import struct
from array import array
from pathlib import Path

import pytest

TOKENIZER = Path(__file__).resolve().parents[3] / "core" / "model" / "tests" / "golden" / "wordpiece.json"
WIDTH = 8


def write_model(folder: Path) -> Path:
    """A static model: a table of one vector for each token, whose first value is the token's number."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(TOKENIZER, folder / "tokenizer.json")
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": False}), encoding="utf-8")
    tokens = len(json.loads(TOKENIZER.read_text(encoding="utf-8"))["model"]["vocab"])
    table = array("f", (place // WIDTH if place % WIDTH == 0 else place % 7 / 7 for place in range(tokens * WIDTH)))
    size = 4 * len(table)
    header = json.dumps({"embeddings": {"dtype": "F32", "shape": [tokens, WIDTH], "data_offsets": [0, size]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + table.tobytes())
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_model(tmp_path / "tiny")
