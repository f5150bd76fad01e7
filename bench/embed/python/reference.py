"""sentence-transformers on torch, as its documentation has it."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from protocol import BATCH, run

if TYPE_CHECKING:
    from collections.abc import Callable


def load(folder: str, threads: int) -> Callable[[list[str]], Any]:
    """Reads the model; what it imports belongs to that."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    model = SentenceTransformer(folder, device="cpu")
    return lambda texts: model.encode(texts, batch_size=BATCH, show_progress_bar=False)


run("sentence-transformers", f"{version('sentence-transformers')} on torch {version('torch')}", load)
