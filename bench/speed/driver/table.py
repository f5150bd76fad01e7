"""Shows results as text, one block per catalog. Knows nothing of how they were taken."""

from __future__ import annotations

from typing import Any

COLUMNS = (
    ("engine", 20),
    ("p50 µs", 9),
    ("÷ ours", 20),
    ("p99 µs", 9),
    ("÷ ours", 8),
    ("update µs", 10),
    ("÷ ours", 8),
    ("1st/warm", 8),
    ("build ms", 9),
    ("÷ ours", 7),
    ("B/tool", 7),
    ("hit@5", 6),
)


def show(results: dict[str, Any]) -> str:
    """The whole table."""
    out = []
    for name, catalog in results["catalogs"].items():
        realism = ", ".join(f"{key.replace('_', ' ')} {value:g}" for key, value in catalog["realism"].items())
        out += [f"{name}: {realism}", line([title for title, _ in COLUMNS])]
        for rows in catalog["groups"].values():
            out += [row(engine, figures, catalog["realism"]["tools"]) for engine, figures in rows.items()]
        if "readers" in catalog:
            out.append(beside_a_writer(catalog["readers"]))
        out.append("")
    out += cold(results.get("cold", {}))
    for name, sizes in results.get("files", {}).items():
        out.append(f"{name}: native {sizes['native'] / 1e6:.2f} MB, download {sizes['download'] / 1e6:.2f} MB")
    before, after = results["load_before"], results["load_after"]
    out.append(f"load average {before} before and {after} after, {results['rounds']} rounds")
    return "\n".join(out)


def row(engine: str, figures: dict[str, Any], tools: float) -> str:
    """One engine."""
    if "missing" in figures:
        return f"{engine:20} not measured: {figures['missing']}"
    ratios = figures["over_ours"]

    def ratio(key: str, with_range: bool = False) -> str:
        found = ratios.get(key)
        if not found:
            return "-"
        text = short(found["median"])
        return f"{text} [{short(found['min'])}-{short(found['max'])}]" if with_range else text

    return line(
        [
            engine,
            short(figures["p50_us"]["median"]),
            ratio("p50_us", True),
            short(figures["p99_us"]["median"]),
            ratio("p99_us"),
            short(figures["update_cpu_us"]["median"]),
            ratio("update_cpu_us"),
            short(figures["first_after_change_over_warm"]["median"]),
            short(figures["ready_cpu_ms"]["median"]),
            ratio("ready_cpu_ms"),
            short(figures.get("memory", figures["rss_growth"])["median"] / max(1, tools)),
            f"{figures['hits_at_5']:.3f}",
        ]
    )


def beside_a_writer(readers: dict[str, Any]) -> str:
    """The readers' line."""
    if "missing" in readers:
        return f"readers beside a writer: not measured: {readers['missing']}"
    idle, busy, ratio = (readers[key]["median"] for key in ("idle_p99_us", "busy_p99_us", "busy_over_idle_p99"))
    writes = readers["writes_per_second"]["median"]
    return f"readers' p99: {idle:g} µs alone, {busy:g} µs beside {writes:g} writes a second ({ratio:g} times)"


def cold(rows: dict[str, Any]) -> list[str]:
    """The cold starts."""
    if not rows:
        return []
    out = ["cold start, CPU ms (least, median)   over the bare interpreter"]
    for name, figures in rows.items():
        taken, over = figures["cpu_ms"], figures["over_bare_ms"]
        out.append(f"  {name:20} {taken['min']:7} {taken['median']:7}   {over['min']:7} {over['median']:7}")
    return [*out, ""]


def line(cells: list[str]) -> str:
    """One line of cells, the first to the left."""
    (first, *others), (width, *widths) = cells, [width for _, width in COLUMNS]
    return " ".join([f"{first:<{width}}", *(f"{cell:>{wide}}" for cell, wide in zip(others, widths, strict=True))])


def short(number: float) -> str:
    """Three digits that say something."""
    if number >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}"
