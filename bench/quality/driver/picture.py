"""Draws results as SVG: how well each engine finds what is right, and what abstention costs and spares, set by set.

Colours and text can be read on white and on black. Knows nothing of how the figures were taken.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from speed.driver.picture import STYLE, text

MACRO = "macro"
WIDTH, EDGE, LEFT, RIGHT = 1120, 10, 190, 30
TOP, ROW = 92, 21
COLUMNS, PANEL, PANEL_GAP, PANEL_HEIGHT = 4, 200, 58, 130
OURS, HYBRID, FLAT, REFERENCE, OTHER = "#e69f00", "#1b9e77", "#3b8fd4", "#d0553e", "#8a8f98"
COLOURS = {
    "honeyguide": OURS,
    "honeyguide, hybrid": HYBRID,
    "flat BM25": FLAT,
    "ratel-ai": REFERENCE,
    "ratel-ai, hybrid": REFERENCE,
    "ratel-ai, hybrid, own texts": REFERENCE,
}
# Whose curves are drawn, and whose statuses.
CURVES = ("flat BM25", "honeyguide", "honeyguide, hybrid")
# How far a column reaches down from its best; what lies lower is written.
SPAN = 0.4
# Points of recall@5 that a panel of abstention reaches to, and that may be lost.
LOST_SHOWN, LOST_MOST = 20, 2
SHIPPED = {"ok": 5.0, "ok or weak": 3.0}

Scale = Callable[[float], float]


def draw(results: dict[str, Any]) -> str:
    """The picture."""
    rows = {name: row for name, row in results["rows"].items() if "missing" not in row}
    below = TOP + ROW * len(rows) + 50
    curves = results["doubts"]["curves"]
    sets = list(curves["honeyguide"])
    height = below + (40 + (-(-len(sets) // COLUMNS)) * (PANEL_HEIGHT + 62) if sets else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="Retrieval quality by engine, and what abstention costs">',
        f"<style>{STYLE}</style>",
        text(EDGE, 24, "How well queries find their tools", "title"),
        text(EDGE, 42, "NDCG@10, right is better; a line spans 95 of 100 resamples of the queries", "small"),
        *ranking(rows, list(results["sets"])),
    ]
    if sets:
        parts += [
            text(EDGE, below, "What abstention costs, and what still slips through", "title"),
            text(
                EDGE,
                below + 18,
                "right: points of recall@5 lost; up: answers of 100 given where nothing is right; lower left is best. "
                "Dots are what ships: large, only `ok` counts; small, `weak` counts, too",
                "small",
            ),
        ]
        for place, name in enumerate(sets):
            left = EDGE + 30 + (place % COLUMNS) * (PANEL + PANEL_GAP)
            top = below + 52 + (place // COLUMNS) * (PANEL_HEIGHT + 62)
            parts += abstention(left, top, name, results)
    return "\n".join([*parts, "</svg>", ""])


def ranking(rows: dict[str, Any], sets: list[str]) -> list[str]:
    """A line for each engine, a column for the macro mean and for each set."""
    names = [MACRO, *sets]
    width = (WIDTH - LEFT - RIGHT) / len(names)
    parts = []
    for column, name in enumerate(names):
        values = [row["sets"][name]["ndcg"] for row in rows.values()]
        left = LEFT + column * width
        most = max(value[2] for value in values)
        least = max(min(value[1] for value in values), most - SPAN)
        x = scale(least, most, left + 8, left + width - 22)
        parts.append(text(left, TOP - 22, name, "title" if name == MACRO else ""))
        bottom = TOP + ROW * len(rows) - 8
        for value in (least, most):
            parts.append(rule(x(value), x(value), TOP - 10, bottom))
            parts.append(text(x(value), bottom + 14, f"{100 * value:.0f}", "small", "middle"))
        for number, (row, value) in enumerate(zip(rows, values, strict=True)):
            y, colour = TOP + ROW * number, COLOURS.get(row, OTHER)
            if value[0] < least:
                parts.append(text(x(least), y + 4, f"\u2190 {100 * value[0]:.0f}", "small"))
                continue
            parts.append(rule(x(max(least, value[1])), x(value[2]), y, y, colour))
            parts.append(dot(x(value[0]), y, 4.0, colour))
    for number, row in enumerate(rows):
        parts.append(text(LEFT - 10, TOP + ROW * number + 4, row, "small", "end", COLOURS.get(row, "")))
    return parts


def abstention(left: float, top: float, name: str, results: dict[str, Any]) -> list[str]:
    """A panel for one set."""
    x = scale(0, LOST_SHOWN, left, left + PANEL)
    y = scale(0, 100, top + PANEL_HEIGHT, top)
    negatives = results["sets"][name]["negatives"]
    parts = [text(left, top - 8, f"{name}, {negatives} negatives", "small")]
    parts += [rule(left, left + PANEL, y(value), y(value)) for value in (0, 50, 100)]
    parts += [text(left - 5, y(value) + 4, str(value), "small", "end") for value in (0, 50, 100)]
    parts += [text(x(value), y(0) + 16, str(value), "small", "middle") for value in (0, LOST_MOST, 10, LOST_SHOWN)]
    parts.append(rule(x(LOST_MOST), x(LOST_MOST), top, y(0)))
    curves = results["doubts"]["curves"]
    for row in filter(curves.__contains__, CURVES):
        points = [(100 * lost, 100 * wrong) for _, _, lost, wrong in curves[row][name]]
        shown = " ".join(f"{x(lost):.1f},{y(wrong):.1f}" for lost, wrong in points if lost <= LOST_SHOWN)
        parts.append(f'<polyline class="line" stroke="{COLOURS[row]}" points="{shown}"/>')
    rules = results["doubts"]["rules"]
    for row, (status, size) in product(CURVES, SHIPPED.items()):
        if (outcome := rules.get(f"{row}, {status}", {}).get(name)) is None:
            continue
        lost, wrong = 100 * outcome["lost"], 100 * outcome["false_ok"]
        parts.append(dot(x(min(LOST_SHOWN, lost)), y(wrong), size, COLOURS[row]))
        if lost > LOST_SHOWN:
            parts.append(text(x(LOST_SHOWN) + 8, y(wrong) + 4, f"{lost:.0f} \u2192", "small"))
    return parts


def scale(least: float, most: float, start: float, end: float) -> Scale:
    """Places numbers between two points."""
    span = (most - least) or 1
    return lambda value: start + (end - start) * (value - least) / span


def rule(left: float, right: float, top: float, bottom: float, colour: str = "") -> str:
    """A straight line; of the grid where it has no colour."""
    kind = f'stroke="{colour}" stroke-width="1.6"' if colour else 'class="grid"'
    return f'<line {kind} x1="{left:.1f}" x2="{right:.1f}" y1="{top:.1f}" y2="{bottom:.1f}"/>'


def dot(x: float, y: float, size: float, colour: str) -> str:
    """A dot."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" fill="{colour}"/>'
