"""Draws results as SVG: two panels of lines over the size of the catalog, one of bars for the SDKs. All scales are
logarithmic. Colours and text can be read on white and on black. Knows nothing of how the figures were taken.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

WIDTH, HEIGHT = 1080, 445
PLOT_TOP, PLOT_BOTTOM = 98, 380
PANEL = 215
GAP = 135
LEFT = 58
COLOURS = {
    "honeyguide": "#e69f00",
    "tantivy": "#3b8fd4",
    "ratel-ai-core": "#d0553e",
    "ratel-ai": "#d0553e",
}
# A change is the engine's to make ready for readers; a bare catalog does less.
ENGINE_OF = {"update_cpu_us": {"honeyguide": "a bare catalog", "honeyguide engine": "honeyguide"}}
OTHER = "#8a8f98"
BARS = ("honeyguide (Node)", "FlexSearch", "MiniSearch", "honeyguide (Python)", "bm25s", "ratel-ai", "SQLite FTS5")
BARS_AT = "1000"
STYLE = """text { font: 12px system-ui, sans-serif; fill: #757b85 }
@media (prefers-color-scheme: dark) { text { fill: #a8aeb8 } } .title { font-size: 13px; font-weight: 600 }
.small { font-size: 11px } .grid { stroke: #8a8f98; stroke-opacity: .25 } .line { fill: none; stroke-width: 2.5 }"""


def draw(results: dict[str, Any]) -> str:
    """The picture."""
    sizes = {int(name): entry for name, entry in results["catalogs"].items() if name.isdigit()}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="Time of a search and of a change, by engine and size of the catalog">',
        f"<style>{STYLE}</style>",
        text(LEFT - 40, 24, "Honeyguide beside other engines", "title"),
        text(LEFT - 40, 42, f"lower is better; medians of {results['rounds']} rounds, logarithmic scales", "small"),
    ]
    if sizes:
        parts += lines(LEFT, "warm search, top 5", sizes, "p50_us")
        parts += lines(LEFT + PANEL + GAP, "change one tool, then search (CPU)", sizes, "update_cpu_us")
    if BARS_AT in results["catalogs"]:
        parts += bars(LEFT + 2 * (PANEL + GAP), results["catalogs"][BARS_AT]["groups"])
    return "\n".join([*parts, "</svg>", ""])


def lines(left: float, title: str, sizes: dict[int, Any], key: str) -> list[str]:
    """A panel of one line for each engine of the core's group."""
    series: dict[str, list[tuple[int, float]]] = {}
    for size, entry in sorted(sizes.items()):
        for engine, row in entry["groups"].get("core", {}).items():
            shown = ENGINE_OF.get(key, {}).get(engine, engine)
            if shown in COLOURS and key in row:
                series.setdefault(shown, []).append((size, row[key]["median"]))
    values = [value for points in series.values() for _, value in points]
    if not values:
        return []
    least, most = decades(values)
    x = scale(min(sizes), max(max(sizes), 10 * min(sizes)), left, left + PANEL)
    y = scale(least, most, PLOT_BOTTOM, PLOT_TOP)
    parts = [text(left, PLOT_TOP - 14, title, "title")]
    for exponent in range(round(math.log10(least)), round(math.log10(most)) + 1):
        at = y(10**exponent)
        parts.append(f'<line class="grid" x1="{left}" x2="{left + PANEL}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(text(left - 6, at + 4, duration(10**exponent), "small", "end"))
    parts += [text(x(size), PLOT_BOTTOM + 18, f"{size:,}", "small", "middle") for size in sorted(sizes)]
    parts.append(text(left + PANEL / 2, PLOT_BOTTOM + 38, "tools", "small", "middle"))
    ends = spread({engine: y(points[-1][1]) for engine, points in series.items()}, 27)
    for engine, points in series.items():
        path = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in points)
        colour = COLOURS[engine]
        parts.append(f'<polyline class="line" stroke="{colour}" points="{path}"/>')
        parts += [f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3.5" fill="{colour}"/>' for size, value in points]
        end = ends[engine]
        parts.append(text(left + PANEL + 10, end, engine, "small", colour=colour))
        parts.append(text(left + PANEL + 10, end + 13, duration(points[-1][1]), "small"))
    return parts


def bars(left: float, groups: dict[str, Any]) -> list[str]:
    """A panel of one bar for each SDK."""
    rows = {name: row for group in groups.values() for name, row in group.items()}
    shown = [(name, rows[name]["p50_us"]["median"]) for name in BARS if "p50_us" in rows.get(name, {})]
    if not shown:
        return []
    width = WIDTH - left - 70
    least, most = decades([value for _, value in shown])
    x = scale(least, most, 0, width)
    parts = [text(left, PLOT_TOP - 14, "warm search in SDKs, 1,000 tools", "title")]
    step = (PLOT_BOTTOM - PLOT_TOP) / len(shown)
    for place, (name, value) in enumerate(shown):
        top, wide = PLOT_TOP + place * step, x(value) + 4
        colour = COLOURS.get(name.split(" (")[0], OTHER)
        parts.append(text(left, top + 11, name, "small"))
        parts.append(
            f'<rect x="{left}" y="{top + 16:.1f}" width="{wide:.1f}" height="{step - 26:.1f}" rx="2" fill="{colour}"/>'
        )
        parts.append(text(left + 10 + x(value), top + 16 + (step - 26) / 2 + 4, duration(value), "small"))
    return parts


def decades(values: list[float]) -> tuple[float, float]:
    """The powers of ten around positive numbers."""
    least = math.floor(math.log10(max(1e-3, min(values))))
    return 10.0**least, 10.0 ** max(least + 1, math.ceil(math.log10(max(values))))


def scale(least: float, most: float, start: float, end: float) -> Any:
    """Places numbers between two points, by their logarithms."""
    span = math.log(most / least) or 1
    return lambda value: start + (end - start) * math.log(max(value, least) / least) / span


def spread(places: dict[str, float], apart: float) -> dict[str, float]:
    """Moves labels down until none covers another."""
    moved: dict[str, float] = {}
    last = -math.inf
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        last = max(place, last + apart)
        moved[name] = last
    over = max(0.0, last - (PLOT_BOTTOM - 10))
    return {name: place - over for name, place in moved.items()}


def duration(micros: float) -> str:
    """Microseconds in the unit that suits them."""
    for unit, size in (("s", 1e6), ("ms", 1e3), ("µs", 1.0)):
        if micros >= size:
            return f"{micros / size:.3g} {unit}"
    return f"{micros * 1000:.3g} ns"


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start", colour: str = "") -> str:
    """Words at a place."""
    fill = f' style="fill: {colour}"' if colour else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{fill}>{escape(words)}</text>'
