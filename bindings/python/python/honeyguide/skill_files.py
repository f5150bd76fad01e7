"""Lists folders and reads files for the engine, and nothing outside of the folder it was told. Decides nothing else."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .generated.types import FileProblem, FolderEntry, FolderEntryKind, FolderListing, SkillText

__all__ = ["forward", "list_folder", "read_inside"]

# The largest ignore file that is looked at, in bytes.
IGNORE_BYTES = 262_144


def list_folder(path: str, most: int) -> FolderListing:
    """What is in a folder, links not followed; without a `real` path when it cannot be read."""
    try:
        real = os.path.realpath(path, strict=True)
        entries: list[FolderEntry] = []
        cut = False
        with os.scandir(real) as found:
            for entry in found:
                if len(entries) >= most:
                    cut = True
                    break
                # A name that is no Unicode text can be told of, but not opened.
                name = os.fsencode(entry.name).decode("utf-8", "replace")
                entries.append({"name": name, "kind": _kind(entry)})
        listing: FolderListing = {"real": forward(real), "entries": entries, "ignore": None, "cut": cut}
        if {"name": ".gitignore", "kind": "file"} in entries:
            listing["ignore"] = read_inside(real, ".gitignore", IGNORE_BYTES).get("text")
        return listing
    except (OSError, ValueError):
        return {}


def read_inside(directory: str, file: str, most_bytes: int) -> SkillText:
    """The text of a file of this folder. All links are followed first: what leads out of the folder is not read."""
    try:
        root = os.path.realpath(directory, strict=True)
        real = os.path.realpath(os.path.join(root, file), strict=True)
        if real == root or not real.startswith(root.rstrip(os.sep) + os.sep):
            return _problem("outside")
        # Neither a link that was put there meanwhile nor a pipe that nobody writes to holds the program up.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(real, flags), "rb") as opened:
            # `st_mode` of a regular file, as `stat.S_ISREG` tells it.
            about = os.fstat(opened.fileno())
            if about.st_mode & 0o170000 != 0o100000:
                return _problem("unreadable")
            data = opened.read(most_bytes + 1)
        return _problem("tooLarge") if len(data) > most_bytes else {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return _problem("notText")
    except (FileNotFoundError, NotADirectoryError):
        return _problem("missing")
    except (OSError, ValueError):
        return _problem("unreadable")


def forward(path: str) -> str:
    """A path with `/` between its parts, as the engine writes them."""
    return path.replace("\\", "/") if os.sep == "\\" else path


def _problem(problem: FileProblem) -> SkillText:
    return {"problem": problem}


def _kind(entry: os.DirEntry[str]) -> FolderEntryKind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"
