"""onnxruntime on the exported model: tokens by `tokenizers`, batches of like length, mean pooling in numpy.

`runtime.py FOLDER TEXTS QUERIES THREADS MODEL.onnx`.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from protocol import run

if TYPE_CHECKING:
    from collections.abc import Callable

TOKENS = 256
# The fastest of those tried (8, 32): of 32 texts of like length too many are padded still.
BATCH = 8


def load(folder: str, threads: int) -> Callable[[list[str]], Any]:
    """Reads the model; what it imports belongs to that."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(sys.argv[5], options, providers=["CPUExecutionProvider"])
    wanted = [value.name for value in session.get_inputs()]
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.enable_truncation(TOKENS)
    tokenizer.enable_padding()

    def batch(texts: list[str]) -> Any:
        tokens = tokenizer.encode_batch(texts)
        ids = np.array([one.ids for one in tokens])
        mask = np.array([one.attention_mask for one in tokens])
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = session.run(None, {name: inputs[name] for name in wanted})[0]
        pooled = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def encode(texts: list[str]) -> Any:
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        vectors: list[Any] = [None] * len(texts)
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            for place, vector in zip(places, batch([texts[place] for place in places]), strict=True):
                vectors[place] = vector
        return vectors

    return encode


run("onnxruntime", version("onnxruntime"), load)
