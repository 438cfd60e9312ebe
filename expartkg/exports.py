"""A Run for people to take away: Markdown, and a page of HTML that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from expartkg.comparison import Comparison
from expartkg.directions import without_directions
from expartkg.errors import UsageError
from expartkg.files import write_atomically
from expartkg.records import Intervention, Iteration, PictureSource, RankedTriple, Run, Verdict
from expartkg.runs import run_to_json, to_text
from expartkg.support.marked import legend, marked

if TYPE_CHECKING:
    from jinja2 import Environment
    from PIL.Image import Image

TEMPLATES = Path(__file__).parent / "templates"
PICTURE_PIXELS = 960
GENERATED = (
    "The answers are generated text and may be wrong. The facts are statements of the graph that "
    "is named below; Wikidata's are free to use (CC0)."
)


def run_to_markdown(run: Run) -> str:
    """The Run for people: the answer first, then every iteration with its facts."""
    title = run.artwork.title or run.question.text
    notice = run.engine.get("notice")
    lines = [f"# {_escape(title)}", "", *_answer_to_markdown(run), ""]
    lines += [_escape(str(notice)), ""] if notice else []
    lines += [
        f"Question: {_escape(run.question.text)}",
        "",
        f"Engine: {_escape(str(run.engine['name']))}. Status: {run.status}. "
        f"Iterations: {len(run.iterations)}.",
        "",
    ]
    if credit := credit_of(run.artwork.picture):
        lines += [f"Picture: {_escape(credit)}", ""]
    lines += [GENERATED, ""]
    if run.error:
        lines += [f"Error: {_escape(run.error)}", ""]
    if run.interventions:
        lines += ["## What a person changed", ""]
        lines += [f"- {_escape(_change_line(change))}" for change in run.interventions]
        lines.append("")
    for iteration in run.iterations:
        lines += _iteration_to_markdown(iteration)
    lines += ["## Settings and signature", "", "```json", _used(run), "```"]
    return "\n".join(lines) + "\n"


def _answer_to_markdown(run: Run) -> list[str]:
    """The generated text with its marks and, apart from it, what the catalogue has."""
    pieces = list(marked(run))
    text = "".join(f"{one.text} {one.mark}" if one.status else one.text for one in pieces)
    lines = [_quote(text or run.answer or "No answer.")]
    if pieces:
        lines += ["", f"The text above is generated. Its marks: {legend()}.", ""]
    for one in pieces:
        if one.reasons:
            lines.append(f"- {one.mark} “{_escape(one.text)}”: {_escape('; '.join(one.reasons))}")
    return lines


def _change_line(change: Intervention) -> str:
    said = [f"fact left out: {' – '.join(fact.labels)}" for fact in change.removed_facts]
    said += [f"entity left out: {entity.label}" for entity in change.removed_entities]
    said += [f"entity added: {entity.label}" for entity in change.added_entities]
    said += [f"question: {change.question}"] if change.question else []
    return f"From iteration {change.iteration} on: {'; '.join(said)}"


def _iteration_to_markdown(iteration: Iteration) -> list[str]:
    entities = dict.fromkeys(mention.entity for mention in iteration.mentions)
    named = (
        ", ".join(f"{_escape(entity.label)} ({_escape(entity.id)})" for entity in entities)
        or "none"
    )
    lines = [
        f"## Iteration {iteration.number}",
        "",
        f"Entities named in the {iteration.source}: {named}",
        "",
    ]
    if iteration.facts:
        lines += ["| Subject | Predicate | Object | Score |", "| --- | --- | --- | ---: |"]
        lines += [_fact_to_markdown(fact) for fact in iteration.facts]
        lines.append("")
    lines += [_quote(iteration.answer.text), "", f"Verdict: {verdict_line(iteration.verdict)}", ""]
    return lines


def _fact_to_markdown(fact: RankedTriple) -> str:
    cells = [_escape(label) for label in fact.triple.labels]
    return f"| {' | '.join(cells)} | {fact.score:.3f} |"


def verdict_line(verdict: Verdict | None) -> str:
    """A verdict in a few words, with its method and probability."""
    if verdict is None:
        return "not judged"
    p = "" if verdict.p_true is None else f", p = {verdict.p_true:.2f}"
    return f"{verdict.accepted} ({verdict.method}{p})"


def _quote(text: str) -> str:
    return "\n".join(f"> {_escape(line)}" for line in text.splitlines() or [""])


_SPECIAL = str.maketrans({character: f"\\{character}" for character in r"\`*_[]<>|#&~"})
# What makes the line that it begins a part of a list, a rule, or the line before it a heading.
_BEGINS = re.compile(r"\A([0-9]{0,9})([-+=.)])")


def credit_of(source: PictureSource | None) -> str:
    """Where a picture comes from, in one line; empty if nobody said."""
    if source is None or source.origin == "file":
        return ""
    if source.origin == "drawn":
        return "Drawn by the ExpArt-KG museum guide after the work."
    parts = (source.file, source.author, source.licence, "Wikimedia Commons", source.page)
    return ", ".join(part for part in parts if part)


def _escape(text: str) -> str:
    """Text as Markdown that shows it as it is: no markup, no HTML, one line."""
    return _BEGINS.sub(r"\1\\\2", " ".join(without_directions(text).split()).translate(_SPECIAL))


def run_to_html(run: Run) -> str:
    """The Run as one file that a browser shows without a network; it can run no script.

    The picture is in it, as far as the Run has it.
    """
    picture = _data_url(run.artwork.image) if run.artwork.image else ""
    template = templates().get_template("run.html")
    return template.render(run=run, used=_used(run), picture=picture, **_checked(run))


def comparison_to_html(comparison: Comparison) -> str:
    """Two runs side by side as one file, like `run_to_html`."""
    return templates().get_template("comparison.html").render(comparison=comparison)


def comparison_to_json(comparison: Comparison) -> str:
    """Two runs and their names: `{"compared":[{"name","run"},{"name","run"}]}`."""
    sides = [{"name": side.name, "run": run_to_json(side.run)} for side in comparison.sides]
    return to_text({"compared": sides}) + "\n"


@cache
def templates() -> Environment:
    """The templates of exports."""
    # Imported late: nothing else on the command line needs it.
    from expartkg.templating import templates_in

    environment = templates_in(TEMPLATES)
    environment.filters.update(verdict=verdict_line, used=_used)
    environment.globals["generated"] = GENERATED
    return environment


def _checked(run: Run) -> dict[str, object]:
    """What `marked.html` and `graph.html` show."""
    from markupsafe import Markup

    from expartkg.subgraph import STYLE, draw, facts_of, work_of

    facts = facts_of(run.iterations)
    return {
        "marked": list(marked(run)),
        "legend": legend(),
        "graph": draw(facts, work_of(facts, run.artwork.id), key="facts"),
        "graph_style": Markup(STYLE.read_text(encoding="utf-8")),
    }


def _data_url(image: Image) -> str:
    # Most exports have no picture, and decoders take their time to import.
    from expartkg.pictures import data_url

    small = image.copy()
    small.thumbnail((PICTURE_PIXELS, PICTURE_PIXELS))
    return data_url(small, "JPEG", quality=85, optimize=True)


def _used(run: Run) -> str:
    return to_text({"settings": dict(run.settings), "signature": dict(run.signature)})


def _json_text(run: Run) -> str:
    return to_text(run_to_json(run)) + "\n"


_FORMATS: Mapping[str, Callable[[Run], str]] = {
    ".json": _json_text,
    ".md": run_to_markdown,
    ".html": run_to_html,
}


def export_text(run: Run, ending: str) -> str:
    """The Run in the format of an ending: `.json`, `.md` or `.html`."""
    return _FORMATS[ending](run)


def check_export_path(path: Path) -> None:
    """Raises `UsageError` before a run is made for a path that no export can be written to."""
    if path.suffix.lower() not in _FORMATS:
        raise UsageError(f"--export takes a file ending in {', '.join(_FORMATS)}: {path}")
    if path.is_dir():
        raise UsageError(f"--export takes a file, and {path} is a folder.")


def export_run(run: Run, path: Path) -> None:
    """Writes the Run in the format of the path's ending, all of it or nothing."""
    check_export_path(path)
    text = export_text(run, path.suffix.lower())
    write_atomically(path, text.encode("utf-8", "backslashreplace"))
