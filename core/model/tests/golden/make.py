#!/usr/bin/env python3
"""Writes `golden.json`: the vectors that the reference implementations make of the models of `families.json`.

`core/model/tests/golden/make.py [--minilm FOLDER]`, in an environment with torch, sentence-transformers, model2vec.
The models are those libraries' own reading of the files that the Rust tests write: the weights are a formula, so that
none is committed.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import torch
from model2vec import StaticModel
from safetensors.numpy import save_file
from sentence_transformers import SentenceTransformer

HERE = Path(__file__).resolve().parent
FAMILIES = json.loads((HERE / "families.json").read_text(encoding="utf-8"))


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description="Writes golden.json from the reference implementations.")
    parser.add_argument("--minilm", type=Path, help="the folder of all-MiniLM-L6-v2; without it its vectors are kept")
    options = parser.parse_args()
    torch.set_num_threads(1)
    target = HERE / "golden.json"
    golden = json.loads(target.read_text(encoding="utf-8")) if target.exists() else {}
    for name, family in FAMILIES["families"].items():
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), family)
            golden[name] = encode(Path(folder), family.get("reference"), FAMILIES["texts"])
    if options.minilm:
        golden["minilm"] = encode(options.minilm, None, FAMILIES["texts"] + FAMILIES["sentences"])
    lines = ",\n".join(
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(
            f" {json.dumps(role)}: [\n" + ",\n".join(f"  {json.dumps(v)}" for v in vectors) + "\n ]"
            for role, vectors in roles.items()
        )
        + "\n}"
        for name, roles in golden.items()
    )
    target.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def encode(folder: Path, reference: str | None, texts: list[str]) -> dict[str, list[list[float]]]:
    """The vectors of the texts in both roles, by the reference implementation of this kind of model."""
    if reference == "model2vec":
        vectors = StaticModel.from_pretrained(str(folder), force_download=False).encode(texts)
        return {"query": rounded(vectors), "document": rounded(vectors)}
    model = SentenceTransformer(str(folder), device="cpu")
    # `encode_document` prefers its own empty prompt to one that is saved as `passage`, which is what models mean by it.
    passage = "passage" if model.prompts.get("passage") else None
    documents = model.encode_document(texts, prompt_name=passage)
    return {"query": rounded(model.encode_query(texts)), "document": rounded(documents)}


def rounded(vectors: np.ndarray) -> list[list[float]]:
    """Numbers of six digits."""
    return [[float(f"{value:.6g}") for value in vector] for vector in vectors.astype(np.float64)]


def write(folder: Path, family: dict) -> None:
    """The files of a model."""
    for name, content in family["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    tokenizer = (HERE / family["tokenizer"]).read_text(encoding="utf-8")
    below = folder / family.get("below", "")
    below.mkdir(exist_ok=True)
    (below / "tokenizer.json").write_text(tokenizer, encoding="utf-8")
    tensors = {name: numbers(name, tensor) for name, tensor in shapes(family).items()}
    save_file(tensors, below / "model.safetensors", metadata={"format": "pt"})


def shapes(family: dict) -> dict[str, dict]:
    """The tensors of a model."""
    if "tensors" in family:
        return family["tensors"]
    config = family["files"]["config.json"]
    width, inner = config["hidden_size"], config["intermediate_size"]
    found = {
        "embeddings.word_embeddings.weight": [config["vocab_size"], width],
        "embeddings.position_embeddings.weight": [config["max_position_embeddings"], width],
        "embeddings.token_type_embeddings.weight": [config["type_vocab_size"], width],
        "embeddings.LayerNorm.weight": [width],
        "embeddings.LayerNorm.bias": [width],
    }
    for layer in range(config["num_hidden_layers"]):
        parts = {f"attention.self.{part}": (width, width) for part in ("query", "key", "value")}
        parts |= {"attention.output.dense": (width, width), "intermediate.dense": (inner, width)}
        parts |= {"output.dense": (width, inner)}
        for part, shape in parts.items():
            found[f"encoder.layer.{layer}.{part}.weight"] = list(shape)
            found[f"encoder.layer.{layer}.{part}.bias"] = [shape[0]]
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"encoder.layer.{layer}.{part}.weight"] = [width]
            found[f"encoder.layer.{layer}.{part}.bias"] = [width]
    return {family.get("prefix", "") + name: {"shape": shape} for name, shape in found.items()}


def numbers(name: str, tensor: dict) -> np.ndarray:
    """The weights of a tensor: a hash of its name and the place, between -1 and 1, exact in every type."""
    shape = tensor["shape"]
    if "values" in tensor:
        return np.array(tensor["values"], dtype=tensor["dtype"]).reshape(shape)
    seed = 2166136261
    for byte in name.removeprefix("bert.").encode():
        seed = (seed ^ byte) * 16777619 % 2**32
    state = np.arange(np.prod(shape), dtype=np.uint64) * np.uint64(2654435761) + np.uint64(seed)
    state %= np.uint64(2**32)
    state ^= state >> np.uint64(15)
    state = state * np.uint64(2246822519) % np.uint64(2**32)
    state ^= state >> np.uint64(13)
    values = (state >> np.uint64(24)).astype(np.float32) / 128 - 1
    if tensor.get("dtype") == "int8":
        return (values * 127).astype(np.int8).reshape(shape)
    if name.endswith("LayerNorm.weight"):
        values = values / 8 + 1
    elif name.endswith("bias"):
        values = values / 8
    elif "embeddings" not in name:
        values = values / 4
    return values.astype(tensor.get("dtype", "float32")).reshape(shape)


if __name__ == "__main__":
    main()
