#!/usr/bin/env python3
"""Checks that both bindings build their shared dependencies with the same features, so that cargo builds them once.

Knows nothing of what the dependencies are. When it fails, name the missing feature in the other binding's Cargo.toml.
"""

from __future__ import annotations

import subprocess
import sys


def features(package: str, target: str) -> dict[str, set[str]]:
    """Every dependency of a package with the sets of features it is built with."""
    command = ["cargo", "tree", "--package", package, "--edges", "normal,build", "--target", target]
    lines = subprocess.run(
        [*command, "--prefix", "none", "--format", "{p}\t{f}"], check=True, capture_output=True, text=True
    )
    found: dict[str, set[str]] = {}
    for line in lines.stdout.splitlines():
        name, _, rest = line.removesuffix(" (*)").partition("\t")
        found.setdefault(name, set()).add(rest.strip())
    return found


def main() -> int:
    """Prints every dependency that would be built twice."""
    version = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    target = next(line.removeprefix("host: ") for line in version.splitlines() if line.startswith("host: "))
    node, python = features("honeyguide-node", target), features("honeyguide-python", target)
    shared = node.keys() & python.keys()
    different = sorted(name for name in shared if node[name] != python[name])
    for name in different:
        print(f"{name}: built with {sorted(node[name])} for Node and {sorted(python[name])} for Python")
    print(f"{len(shared)} shared dependencies, {len(different)} of them built twice")
    return int(bool(different) or not shared)


if __name__ == "__main__":
    sys.exit(main())
