#!/usr/bin/env python3
"""Writes the licence texts of the Rust crates that are linked into packages of ours: notices.py FILE PACKAGE...

Their licences ask for it. Where a crate leaves the choice, it is taken under the MIT License, whose text is a tenth of
the other's. Knows nothing of packages: whoever packs puts the file beside our own licences.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

NAMES = ("license", "licence", "copying", "notice", "unlicense")
# In the names of the files of what need not be chosen where MIT may be.
OTHERS = ("apache", "unlicense", "zlib", "boost", "bsl", "bsd")


# Where the terms of the MIT License and its like begin; above stands who holds the copyright.
TERMS = "Permission is hereby granted"


@dataclass
class Group:
    """Crates under the same terms, but for spaces; by the notices of who holds their copyright."""

    terms: str
    crates: dict[str, list[str]] = field(default_factory=dict)

    def text(self) -> str:
        """All notices, and the terms once."""
        return "\n\n".join(
            [*("\n".join([*titles, holders]).strip() for holders, titles in self.crates.items()), self.terms]
        )


def main(file: str, bindings: list[str]) -> int:
    groups: dict[str, Group] = {}
    for crate in linked_crates(bindings):
        title = f"{crate['name']} {crate['version']} ({crate['license'] or 'see the text'})"
        found = licence_texts(Path(crate["manifest_path"]).parent, crate["license"] or "")
        for text in found or ["(the crate carries no text of its own)"]:
            holders, terms = parted(text)
            group = groups.setdefault(" ".join(terms.split()), Group(terms))
            group.crates.setdefault(holders, []).append(title)
    parts = [
        "The native part of this package contains these Rust crates, and the Rust standard library (MIT OR Apache-2.0)."
        "\nWhat leaves the choice of a licence is taken under the MIT License."
        "\nBelow the crates of a licence, each with its copyright notice, stands its text."
    ]
    parts += [group.text() for group in groups.values()]
    Path(file).write_text(("\n\n" + "-" * 100 + "\n\n").join(parts) + "\n")
    return 0


def linked_crates(bindings: list[str]) -> list[dict[str, str]]:
    """What is linked on any platform; what only runs while building is not."""
    packages = [part for binding in bindings for part in ("--package", binding)]
    tree = ["cargo", "tree", "--locked", "--edges", "normal,no-proc-macro", "--target", "all", "--prefix", "none"]
    lines = run(*tree, "--format", "{p}", *packages).splitlines()
    named = {tuple(line.replace(" v", " ").split()[:2]) for line in lines if line.strip()}
    every = json.loads(run("cargo", "metadata", "--locked", "--format-version", "1"))["packages"]
    found = [package for package in every if (package["name"], package["version"]) in named and package["source"]]
    return sorted(found, key=lambda package: (package["name"], package["version"]))


def licence_texts(folder: Path, licence: str) -> list[str]:
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name.lower().startswith(NAMES)]
    # All of these are needed, and one of each; the older way to leave the choice is a stroke.
    needed = [part.strip(" ()").replace("/", " OR ").split(" OR ") for part in licence.split(" AND ")]
    fixed = " ".join(part[0].lower() for part in needed if len(part) == 1)
    if any(len(part) > 1 and "MIT" in map(str.strip, part) for part in needed) and any(
        "mit" in file.name.lower() for file in files
    ):
        dropped = [other for other in OTHERS if other not in fixed]
        files = [file for file in files if not any(other in file.name.lower() for other in dropped)]
    # A text that only differs in its spaces is the same text.
    texts = (file.read_text(errors="replace").strip() for file in files)
    return ["\n".join(line.rstrip() for line in text.splitlines()) for text in texts]


def parted(text: str) -> tuple[str, str]:
    """Who holds the copyright, and the terms."""
    if text.count(TERMS) != 1:
        return "", text
    holders, terms = text.split(TERMS)
    return holders.strip(), TERMS + terms


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
