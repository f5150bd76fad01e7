"""Exports a BERT to ONNX in single precision, plain and fused: `export.py FOLDER PLAIN.onnx FUSED.onnx HEADS WIDTH`."""

from __future__ import annotations

import sys

import torch
from transformers import BertModel

NAMES = ["input_ids", "attention_mask", "token_type_ids"]


class States(torch.nn.Module):
    """The last states of a BERT, and nothing else."""

    def __init__(self, model: BertModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """As the exporter wants it."""
        found = self.model(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        return found.last_hidden_state


folder, plain, fused, heads, width = sys.argv[1:6]
example = torch.ones(2, 9, dtype=torch.long)
torch.onnx.export(
    States(BertModel.from_pretrained(folder, attn_implementation="eager").eval()),
    (example, example, example * 0),
    plain,
    input_names=NAMES,
    output_names=["states"],
    dynamic_axes={name: {0: "batch", 1: "length"} for name in [*NAMES, "states"]},
    opset_version=17,
    dynamo=False,
)
from onnxruntime.transformers import optimizer  # noqa: E402  (it wants the file above)

model = optimizer.optimize_model(plain, model_type="bert", num_heads=int(heads), hidden_size=int(width))
print(model.get_fused_operator_statistics())
model.save_model_to_file(fused)
