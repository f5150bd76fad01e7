#!/usr/bin/env python3
"""Packs what is published once more, as small as deflate can: recompress.py FILE...

npm and maturin compress for speed; a file that is fetched many times is worth half a minute once. Takes npm packages
(`.tgz`) and wheels (`.whl`), and leaves what they hold as it was: `recompress` raises when it does not read back
the same.
"""

from __future__ import annotations

import gzip
import struct
import sys
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import zopfli.gzip
import zopfli.zlib

# More tries than these find hardly a byte more; a block may end wherever it is worth its table.
EFFORT = {"numiterations": 15, "blocksplittingmax": 0}
DEFLATED = 8
# What an entry says of itself, in the central directory and before its bytes (APPNOTE 4.3.7, 4.3.12, 4.3.16).
CENTRAL = struct.Struct("<4s2B5H3L5H2L")
LOCAL = struct.Struct("<4s5H3L2H")
END = struct.Struct("<4s4H2LH")
# The file name is UTF-8; no other flag is wanted, since sizes stand before the bytes.
UTF8 = 0x800


def main(files: list[str]) -> int:
    for name in files:
        file = Path(name)
        before = file.read_bytes()
        after = recompress(file.name, before)
        file.write_bytes(after)
        print(f"{len(before) / 1e6:5.2f} MB -> {len(after) / 1e6:5.2f} MB  {file.name}")
    return 0


def recompress(name: str, packed: bytes) -> bytes:
    """The same package in fewer bytes, or as it was."""
    smaller, read = (zip_again, entries) if name.endswith(".whl") else (gzip_again, gzip.decompress)
    again = smaller(packed)
    if read(again) != read(packed):
        raise ValueError(f"{name} does not read back as it was")
    return min(again, packed, key=len)


def gzip_again(packed: bytes) -> bytes:
    return bytes(zopfli.gzip.compress(gzip.decompress(packed), **EFFORT))


def zip_again(packed: bytes) -> bytes:
    out, directory = BytesIO(), b""
    archive = zipfile.ZipFile(BytesIO(packed))
    for info in archive.infolist():
        data = archive.read(info)
        name = info.filename.encode()
        # What zlib puts around it: two bytes before, a checksum behind.
        body = bytes(zopfli.zlib.compress(data, **EFFORT))[2:-4]
        method = DEFLATED if len(body) < len(data) else zipfile.ZIP_STORED
        body = body if method == DEFLATED else data
        year, month, day, hour, minute, second = info.date_time
        common = (
            UTF8,
            method,
            hour << 11 | minute << 5 | second // 2,
            (year - 1980) << 9 | month << 5 | day,
            zlib.crc32(data),
            len(body),
            len(data),
            len(name),
            0,
        )
        start = out.tell()
        out.write(LOCAL.pack(b"PK\x03\x04", 20, *common) + name + body)
        made = (info.create_version, info.create_system, 20)
        attributes = (0, 0, info.internal_attr, info.external_attr, start)
        directory += CENTRAL.pack(b"PK\x01\x02", *made, *common, *attributes) + name
    start, count = out.tell(), len(archive.infolist())
    out.write(directory + END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), start, 0))
    return out.getvalue()


def entries(packed: bytes) -> list[tuple[str, int, tuple[int, ...], bytes]]:
    """What a zip holds: names, modes, times and bytes."""
    archive = zipfile.ZipFile(BytesIO(packed))
    return [(i.filename, i.external_attr, i.date_time, archive.read(i)) for i in archive.infolist()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
