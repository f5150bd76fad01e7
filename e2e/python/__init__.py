"""The Python runner of the scenario; a translation of the Node and Rust runners beside it."""
