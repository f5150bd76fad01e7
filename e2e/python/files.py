"""The folder of files that a run writes, and what is observed of it. Knows nothing of skills."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any


class Files:
    """One folder, empty at first."""

    def __init__(self, home: Path) -> None:
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        self.home = os.path.realpath(home)

    def place(self, path: str) -> str:
        """Where a file of the scenario is."""
        return os.path.join(self.home, path)

    def write(self, files: dict[str, Any]) -> None:
        """Writes files: a text, `{link}` to another place, or None for none."""
        for path, content in files.items():
            place = Path(self.place(path))
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            else:
                place.unlink(missing_ok=True)
            if content is None:
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, str):
                place.write_bytes(content.encode())
            else:
                place.symlink_to(self.place(content["link"]))

    def hide(self, observed: Any) -> Any:
        """What was observed, with the folder's own path told as `<home>`."""
        if isinstance(observed, str):
            return observed.replace(self.home, "<home>")
        if type(observed) is list:
            return [self.hide(part) for part in observed]
        if type(observed) is dict:
            return {key: self.hide(part) for key, part in observed.items()}
        return observed
