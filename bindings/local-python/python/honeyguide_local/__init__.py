"""Sentence encoders in process for honeyguide: a folder with a model in, vectors out. Nothing is ever downloaded."""

from .model import LocalModel, Progress, local_model

__all__ = ["LocalModel", "Progress", "local_model"]
