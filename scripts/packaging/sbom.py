#!/usr/bin/env python3
"""Writes which Rust crates are linked into a wheel, as CycloneDX: sbom.py FILE PACKAGE

For the wheel's `sboms/` (PEP 770). maturin would write one by itself, with the paths of the machine that built it, the
crates that only run while building, and another number each time. Knows nothing of licence texts: `notices.py` writes
those.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from notices import linked_crates, run


def main(file: str, binding: str) -> int:
    metadata = json.loads(run("cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"))
    (own,) = (package for package in metadata["packages"] if package["name"] == binding)
    Path(file).write_text(json.dumps(bill(own, linked_crates([binding])), separators=(",", ":")) + "\n")
    return 0


def bill(own: dict[str, Any], crates: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(own)},
        "components": [{**component(crate), "purl": purl(crate)} for crate in crates],
    }


def component(crate: dict[str, Any]) -> dict[str, Any]:
    said = {"type": "library", "name": crate["name"], "version": crate["version"]}
    # Cargo once took `MIT/Apache-2.0`; SPDX does not.
    licence = (crate["license"] or "").replace("/", " OR ")
    return {**said, "licenses": [{"expression": licence}]} if licence else said


def purl(crate: dict[str, Any]) -> str:
    return f"pkg:cargo/{crate['name']}@{crate['version']}"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
