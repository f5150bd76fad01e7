"""Written by `make gen` from core's wire structs; never edited."""
