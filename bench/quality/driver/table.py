"""Shows results as text, for people who have not read how they were taken. Knows nothing of how they were taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

MACRO = "macro"
# Widths of the first column, and the least of the others.
FIRST, LEAST = 48, 9
ALL_METRICS = {
    "ndcg": "NDCG@10",
    "recall_1": "recall@1",
    "recall_5": "recall@5",
    "recall_10": "recall@10",
    "mrr": "MRR",
}
# Fewer negatives than this say little: one more or less is more than three points.
FEW = 30


def show(results: dict[str, Any]) -> str:
    """All tables that there are figures for."""
    parts = [sets(results), ranking(results), means(results), meaning(results)]
    parts += [doubts(results), *variants(results), by_name(results), look_alikes(results)]
    return "\n\n".join(part for part in parts if part)


def sets(results: dict[str, Any]) -> str:
    """What was measured on."""
    by_set = results["sets"]
    lines = [line("sets", by_set, list(by_set))]
    lines += [line(what, by_set, [f"{one[what]:,}" for one in by_set.values()]) for what in ("tools", "queries")]
    return "\n".join(lines)


def ranking(results: dict[str, Any]) -> str:
    """NDCG@10 by engine and set."""
    names = [*results["sets"], MACRO]
    lines = [
        "NDCG@10 of 100: 100 where the right tools stand first, less the further down, 0 outside the first ten",
        f"{line('engine', names, names)}  {'95 of 100':>11}  {'macro - ours':>20}",
    ]
    for row, figures in results["rows"].items():
        if "missing" in figures:
            lines.append(f"{row:{FIRST}} not measured: {figures['missing']}")
            continue
        cells = [points(figures["sets"][name]["ndcg"][0]) + mark(figures["minus_ours"][name]["ndcg"]) for name in names]
        spread = between(figures["sets"][MACRO]["ndcg"])
        lines.append(
            f"{line(row, names, cells)}  {spread:>11}  {signed(figures['minus_ours'][MACRO]['ndcg']):>20}".rstrip()
        )
    lines.append(
        "+ better than ours beyond chance, ~ no difference beyond chance, without a sign worse; macro: mean over sets"
    )
    return "\n".join(lines)


def means(results: dict[str, Any]) -> str:
    """Every metric's macro mean."""
    lines = [
        "Macro means of 100. recall@k: share of right tools among the first k; MRR: 1 / rank of the first right tool",
        f"{'engine':{FIRST}}" + "".join(f"{title:>20}" for title in ALL_METRICS.values()),
    ]
    for row, figures in results["rows"].items():
        if "missing" not in figures:
            cells = [figures["sets"][MACRO][metric] for metric in ALL_METRICS]
            lines.append(
                f"{row:{FIRST}}" + "".join(f"{points(cell[0])} {between(cell):>13}".rjust(20) for cell in cells)
            )
    return "\n".join(lines)


def meaning(results: dict[str, Any]) -> str:
    """Whether words and meaning together are worth more than either."""
    found = results["meaning"]
    if not found:
        return ""
    gains = found["over_the_better_arm"]
    lines = [
        "Hybrid, points of NDCG@10 over the better of its two arms, and over the reference's hybrid",
        line("", gains, list(gains)),
        line("over the better arm", gains, [f"{100 * gain:+.1f}" for gain in gains.values()]),
    ]
    lines += [f"over {row}, macro: {100 * over:+.1f}" for row, over in found["over_the_reference"].items()]
    return "\n".join(lines)


def doubts(results: dict[str, Any]) -> str:
    """What abstention costs, and what it still lets through."""
    rules = results["doubts"]["rules"]
    if not next(iter(rules.values())):
        return "Doubt: not measured, since no set at hand has frozen negatives"
    names = list(next(iter(rules.values())))
    counts = [results["sets"][name]["negatives"] for name in names if name != MACRO]
    lines = [
        "Doubt: points of recall@5 lost by doubting right answers / answers of 100 accepted where nothing is right",
        line("accepted", names, names),
        line("negatives", names, [f"{count}{'(few)' if count < FEW else ''}" for count in counts]),
    ]
    for rule, by_set in rules.items():
        cells = [f"{points(by_set[name]['lost'])} / {100 * by_set[name]['false_ok']:.0f}" for name in names]
        lines.append(line(rule, names, cells))
    lines.append(
        "one cut-off: the highest threshold for all sets that loses at most 2 points on each; best cut-offs: the\n"
        "highest for each set alone, which nobody could know beforehand; ours by its evidence, flat BM25 by its\n"
        "top score; without lift: the evidence of the words alone judges the hybrid ranking; without another part of\n"
        "the formula: its factor is 1, its offset or what is kept 0"
    )
    return "\n".join(lines)


def variants(results: dict[str, Any]) -> list[str]:
    """What ours gains or loses by a change, on NDCG@10."""
    names = [*results["sets"], MACRO]
    tables = []
    for part, what in (("variants", "Ours, changed"), ("variants_of_meaning", "Ours, hybrid, changed")):
        lines = [
            f"{what}: points of NDCG@10 gained or lost (without an idea, the loss is what the idea is worth)",
            f"{line('change', names, names)}  {'macro, 95 of 100':>20}",
        ]
        for row, figures in results[part].items():
            minus = figures["minus_ours"]
            cells = [f"{100 * minus[name]['ndcg'][0]:+.1f}" + chance(minus[name]["ndcg"]) for name in names]
            lines.append(f"{line(row, names, cells)}  {between_signed(minus[MACRO]['ndcg']):>20}")
        lines.append("~ no difference beyond chance")
        tables.append("\n".join(lines) if results[part] else "")
    return tables


def by_name(results: dict[str, Any]) -> str:
    """How often a tool is found by its name."""
    by_set = results["names"]
    lines = [
        "Names: tools of 100 that stand first when called by their name, namesakes first together;\n"
        "with one typo in a word of five letters or more, that stand among the first three",
        line("called by", by_set, list(by_set)),
    ]
    for part, digits in (("exact", 2), ("typos", 1)):
        for way in next(iter(by_set.values()))[part]:
            shares = [found[part][way] for found in by_set.values()]
            cells = [f"{100 * share['right'] / max(1, share['asked']):.{digits}f}" for share in shares]
            lines.append(line(f"typo: {way}" if part == "typos" else way, by_set, cells))
    lines.append(line("tools with a namesake", by_set, [f"{found['namesakes']}" for found in by_set.values()]))
    return "\n".join(lines)


def look_alikes(results: dict[str, Any]) -> str:
    """How look-alikes share a page."""
    found = results["families"]
    lines = [
        f"Families: {found['families']} of look-alikes, {found['tools']} tools, pages of {found['page']} (of 100)",
        f"{'':{FIRST}}{'largest family':>18}{'needs served':>18}{'queries served':>18}",
    ]
    for needs in ("one need", "two needs"):
        for order, title in (("plain", "plain order"), ("diverse", "look-alikes behind")):
            keys = ("largest_family", "needs_served", "all_served")
            cells = "".join(f"{points(found[needs][order][key]):>18}" for key in keys)
            lines.append(f"{f'{needs}, {title}':{FIRST}}" + cells)
    lines.append(
        "largest family: share of a page that one family takes; served: the very tool that was meant is on the page"
    )
    return "\n".join(lines)


def line(first: str, names: Iterable[str], cells: list[str]) -> str:
    """One line of cells under the names of the columns, the first to the left."""
    columns = zip(names, [*cells, *[""] * len(list(names))], strict=False)
    return f"{first:{FIRST}}" + "".join(f"{cell:>{max(len(name), LEAST) + 2}}" for name, cell in columns)


def points(share: float) -> str:
    """A share as points of 100."""
    return f"{100 * share:.1f}"


def between(figures: list[float]) -> str:
    """An interval."""
    return f"[{points(figures[1])} {points(figures[2])}]"


def signed(figures: list[float]) -> str:
    """A difference with its interval; nothing where it is of a row to itself."""
    if figures == [0, 0, 0]:
        return ""
    return f"{100 * figures[0]:+.1f} [{100 * figures[1]:+.1f} {100 * figures[2]:+.1f}]"


def between_signed(figures: list[float]) -> str:
    """The interval of a difference."""
    return f"[{100 * figures[1]:+.1f} {100 * figures[2]:+.1f}]"


def chance(figures: list[float]) -> str:
    """Whether a difference may be none."""
    return "~" if figures[1] <= 0 <= figures[2] else " "


def mark(figures: list[float]) -> str:
    """How a difference to ours is to be read."""
    if figures == [0, 0, 0]:
        return " "
    return "+" if figures[1] > 0 else chance(figures)
