#!/usr/bin/env python3
"""Prints what each dependency weighs in the native file, and holds the totals to the aim.

    sizes.py --library LIBRARY --addon ADDON --download FILE... [--download FILE...]
    sizes.py --addon ADDON --download FILE...

LIBRARY is the addon with its symbols; the files of one `--download` are fetched together. Without a library only the
totals are printed, which then have no aim.
A symbol belongs to the crate whose code it is. Code of the standard library, or of a generic container, that was made
for a crate's type counts for that crate: without the crate it would not be there. What no symbol names (unwinding
tables, relocations, strings) stands in lines of its own.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

MOST_NATIVE = 6_000_000
MOST_DOWNLOAD = 2_500_000
STANDARD = {"core", "alloc", "std", "hashbrown", "compiler_builtins", "gimli", "addr2line", "rustc_demangle"}
# The path of an item starts where no other path goes on.
CRATE = re.compile(r"(?<![\w:.$])(?:_<)?([a-z][a-z0-9_]*)(?:\[[0-9a-f]+\])?::")
# The sections that symbols name.
CONTENT = {".text", ".rodata", ".data", ".data.rel.ro", ".tdata"}
LINES = 25


def main(library: str | None, addon: str, downloads: list[list[str]]) -> int:
    if library is None:
        for files, what in [([addon], "native file"), *((files, "download") for files in downloads)]:
            weigh(files, None, what)
        return 0
    sections = read_sections(addon)
    symbols = read_symbols(library)
    if not symbols:
        raise SystemExit(f"{library} was stripped, so nothing can be said of its dependencies")
    print_table("code and constants, per crate", group(symbols), LINES)
    print_table("and beside them", beside(sections, sum(size for size, _ in symbols)), 8)
    faults = [weigh([addon], MOST_NATIVE, "native file")]
    faults += [weigh(files, MOST_DOWNLOAD, "download") for files in downloads]
    return 1 if any(faults) else 0


def beside(sections: dict[str, int], named: int) -> Counter[str]:
    """The tables of the loader and of unwinding, and what stands between the symbols: strings, above all."""
    content = sum(size for name, size in sections.items() if name in CONTENT)
    tables = {name: size for name, size in sections.items() if name not in CONTENT}
    return Counter({**tables, "constants without a name": max(content - named, 0)})


def print_table(title: str, rows: Counter[str], most: int) -> None:
    print(f"{title}:")
    for name, size in rows.most_common(most):
        print(f"  {size / 1000:9.1f} kB  {name}")
    rest = rows.most_common()[most:]
    if rest:
        print(f"  {sum(size for _, size in rest) / 1000:9.1f} kB  {len(rest)} others")


def weigh(files: list[str], most: int | None, what: str) -> bool:
    size = sum(Path(file).stat().st_size for file in files)
    over = most is not None and size > most
    aim = "" if most is None else f", {'OVER the aim of' if over else 'of at most'} {most / 1e6:.1f} MB"
    names = " + ".join(Path(file).name for file in files)
    print(f"{what:12} {size / 1e6:5.2f} MB{aim}  {names}")
    return over


def group(symbols: list[tuple[int, str]]) -> Counter[str]:
    sizes: Counter[str] = Counter()
    for size, name in symbols:
        sizes[crate_of(name)] += size
    return sizes


def crate_of(name: str) -> str:
    """The crate that a demangled symbol belongs to."""
    found = CRATE.findall(name)
    for crate in found:
        if crate not in STANDARD:
            return crate
    return "std" if found else "(no crate: C, data without a path)"


def read_symbols(library: str) -> list[tuple[int, str]]:
    """Size and demangled name of every symbol that takes room in the file; one of several at the same address."""
    listing = run("nm", "--print-size", "--defined-only", "--demangle", library)
    at: dict[str, tuple[int, str]] = {}
    for line in listing.splitlines():
        parts = line.split(" ", 3)
        if len(parts) == 4 and parts[2].lower() in "tdrw":
            address, size, _, name = parts
            at[address] = max(at.get(address, (0, "")), (int(size, 16), name))
    return list(at.values())


def read_sections(file: str) -> dict[str, int]:
    lines = (line.split() for line in run("size", "--format=sysv", "--radix=10", file).splitlines())
    return {
        parts[0]: int(parts[1])
        for parts in lines
        if len(parts) == 3 and parts[0].startswith(".") and parts[0] != ".bss"
    }


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--library")
    parser.add_argument("--addon", required=True)
    parser.add_argument("--download", nargs="+", action="append", required=True)
    asked = parser.parse_args()
    sys.exit(main(asked.library, asked.addon, asked.download))
