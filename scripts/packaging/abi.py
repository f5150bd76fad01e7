#!/usr/bin/env python3
"""Fails when a native file needs a newer system than is promised: abi.py DIRECTORY...

Looks into every addon, wheel and npm tarball that is there. A file for glibc may ask for no symbol of a glibc newer
than 2.17 (CentOS 7, manylinux2014), a file for musl for none of glibc at all, and a wheel's tag must say the same.
Knows nothing of how a file was built.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

OLDEST_GLIBC = (2, 17)
WHEEL_TAG = re.compile(r"-(?:manylinux2014|manylinux_2_17|musllinux_1_2)_\w+[.\w]*\.whl$")
GLIBC = re.compile(r"\bGLIBC_(\d+)\.(\d+)")
NEEDED = re.compile(r"\(NEEDED\).*\[(.+)\]")
# What a system of either C library has of its own; anything more would have to be installed.
OF_THE_SYSTEM = re.compile(
    r"^(?:lib(?:c|m|dl|rt|pthread|util)\.so(?:\.\d+)?|libgcc_s\.so\.1|ld-linux-[\w-]+\.so\.\d|libc\.musl-\w+\.so\.1)$"
)


def main(folders: list[str]) -> int:
    faults = []
    seen = 0
    for place, file in native_files(folders):
        seen += 1
        newest, needed = asks_for(file)
        print(f"{place}: glibc {dotted(newest) if newest else 'none'}, needs {', '.join(needed) or 'nothing'}")
        faults += judge(place, newest, needed)
    if not seen:
        faults.append(f"no native file below {', '.join(folders)}")
    for fault in faults:
        print(f"FAULT: {fault}")
    return 1 if faults else 0


def judge(place: str, newest: tuple[int, int] | None, needed: list[str]) -> list[str]:
    """What is wrong with a file that asks for this much."""
    faults = []
    musl = "musl" in place
    if musl and newest:
        faults.append(f"{place} is for musl and asks for glibc {dotted(newest)}")
    elif not musl and newest is None:
        faults.append(f"{place} is for glibc and asks for none: it is a file for another C library")
    elif newest and newest > OLDEST_GLIBC:
        faults.append(f"{place} asks for glibc {dotted(newest)}; promised is {dotted(OLDEST_GLIBC)}")
    faults += [f"{place} needs {name}" for name in needed if not OF_THE_SYSTEM.match(name)]
    wheel = place.partition(":")[0]
    if wheel.endswith(".whl") and not WHEEL_TAG.search(wheel):
        faults.append(f"{wheel} has a tag that no old system installs")
    return faults


def native_files(folders: list[str]) -> Iterator[tuple[str, Path]]:
    """Every ELF file, with where it is; what stands in an archive is laid out for a while."""
    for file in sorted(file for folder in folders for file in Path(folder).iterdir()):
        if file.suffix == ".node":
            yield file.name, file
        elif file.suffix in (".whl", ".tgz"):
            with tempfile.TemporaryDirectory() as folder:
                lay_out(file, folder)
                for inner in sorted(Path(folder).rglob("*")):
                    if inner.suffix in (".so", ".node"):
                        yield f"{file.name}:{inner.name}", inner


def lay_out(archive: Path, folder: str) -> None:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(archive) as tarball:
            tarball.extractall(folder, filter="data")


def asks_for(file: Path) -> tuple[tuple[int, int] | None, list[str]]:
    """The newest glibc whose symbols a file asks for, and the libraries it needs."""
    said = subprocess.run(["readelf", "-VdW", file], check=True, capture_output=True, text=True).stdout
    versions = [(int(found[1]), int(found[2])) for found in GLIBC.finditer(said)]
    return max(versions, default=None), NEEDED.findall(said)


def dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
