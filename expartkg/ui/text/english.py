"""The page in English."""

from __future__ import annotations

from expartkg.subgraph import ENGLISH_LABELS
from expartkg.ui.text.english_tools import ENGLISH_TOOLS
from expartkg.ui.text.words import Counted, Field, Words

ENGLISH = Words(
    language="en",
    native_name="English",
    name="ExpArt-KG museum guide",
    purpose=(
        "Explains a work of art with facts from a knowledge graph, and shows every step: "
        "what was found, how it was ranked, and how the answer was judged."
    ),
    pages="Pages",
    browse_graph="Browse the graph",
    picture=Field("Picture of the artwork"),
    picture_alt="The picture of the artwork that you chose",
    fetch="Fetch its picture from Wikimedia Commons",
    fetching="Fetching the picture …",
    commons="Wikimedia Commons",
    no_picture="none",
    uploaded_picture="uploaded",
    drawn_picture="drawn by this guide after the work",
    title=Field("Title (optional)", example="for example Mona Lisa"),
    suggestions="Works of the graph",
    artist=Field("Artist (optional)", example="for example Leonardo da Vinci"),
    question=Field("Question", "Leave it empty to ask the standard question."),
    settings="Settings",
    method=Field("Method", "How long the guide goes on."),
    methods={
        "validate": "Validate: until an answer is judged True",
        "loop": "Loop: always all iterations",
        "baseline": "Baseline: one answer, without the graph",
    },
    ranking=Field("Ranking", "What puts a fact high on the list (TF-IDF)."),
    rankings={
        "qid": "QID: a rare neighbour",
        "pid": "PID: a rare predicate",
        "pid-qid": "PID-QID: both together",
    },
    max_iterations=Field("Iterations at most", "Rounds of looking up, writing and judging."),
    top_k=Field("Facts per entity (top-k)", "How many of the best facts go into the prompt."),
    source=Field("Retrieve again from", "Where later iterations look for entities."),
    sources={
        "answer": "the answer before",
        "question": "the question",
        "both": "both",
    },
    validator_facts=Field(
        "Show the judge the facts", "The paper's judge sees the question and the answer alone."
    ),
    reset="Back to the paper's settings",
    explain="Explain",
    stop="Stop",
    examples="Try one of these",
    nothing_to_explain="Add a picture, or type a title or a question.",
    recognising="Looking whether the guide knows this picture …",
    looks_like="The picture looks like:",
    recognised="Recognised in the picture:",
    alike=(
        "{points} details lie just as in the guide’s own picture of that work; {enough} are enough."
    ),
    similarity="Similarity {similarity:.2f} of 1",
    its_picture="Compare with its picture on Wikimedia Commons",
    use_work="Use this work",
    another_work="It is another work",
    less_alike="Works that are less like it",
    unknown_picture=Counted(
        "The guide does not recognise this picture; it knows a single work by its picture. "
        "Type the title if you know it: without one, the first iteration has no facts.",
        "The guide does not recognise this picture; it knows {n} works by their pictures. "
        "Type the title if you know it: without one, the first iteration has no facts.",
    ),
    refused_work="Then type the title, if you know it, or choose another work.",
    recognise_at_once=Field(
        "Use a recognised work at once", "Otherwise the guide asks you whether it is that work."
    ),
    ready="Add a picture or a title, then press Explain.",
    starting="Starting …",
    waiting=Counted(
        "Waiting: one other explanation comes first.",
        "Waiting: {n} other explanations come first.",
    ),
    crowded="Too many visitors are waiting. Please try again in a few minutes.",
    retrieving="Iteration {number}: looking up facts …",
    writing="Iteration {number}: writing the answer …",
    judging="Iteration {number}: judging the answer …",
    accepted="Done. The answer of iteration {number} was judged True.",
    exhausted={
        "validate": Counted(
            "Done. The one answer was not judged True; it is shown all the same.",
            "Done. None of the {n} answers was judged True; the last one is shown.",
        ),
        "loop": Counted("Done after one iteration.", "Done after all {n} iterations."),
        "baseline": Counted(
            "Done. One answer, written without the graph.",
            "Done. {n} answers, written without the graph.",
        ),
    },
    stopped="Stopped. What was written so far is kept.",
    overdue=(
        "The engine took too long and was told to stop. What was written so far is kept; "
        "try fewer iterations."
    ),
    stuck=(
        "The engine hangs in an earlier explanation, so none can be started. Try again in a few "
        "minutes; if that does not help, the guide has to be started again."
    ),
    guesses="After {most} wrong passwords in {minutes} minutes, none is taken until they are over.",
    broken=(
        "The guide broke off by a fault of its own; what was written so far is kept. "
        "The server's log has the details."
    ),
    found="Found in the graph:",
    picked="You chose:",
    not_found=(
        "The graph does not know the title “{title}”. "
        "The guide goes on with what the question names."
    ),
    unknown_title=(
        "The graph does not know this title. "
        "The guide will go on with what the question names, and with the picture."
    ),
    similar_titles="Did you mean one of these?",
    same_title=Counted(
        "One work has this title.", "{n} works have this title. Choose another if you mean it:"
    ),
    more_works=Counted(
        "One more has it; type the artist to bring it up.",
        "{n} more have it; type the artist to bring them up.",
    ),
    answer="Answer",
    notices={},
    no_answer_yet="The explanation will appear here.",
    legend="What the marks mean, and how many sentences have each",
    sentence_marks={
        "supported": "supported by the catalogue",
        "unsupported": "the model’s own words",
        "contradicts": "contradicts the catalogue",
    },
    sentence_explanations={
        "supported": (
            "The sentence names both ends of these facts, and nothing else in their places. "
            "What it says besides is the model’s own."
        ),
        "unsupported": (
            "No fact that was retrieved says this. It may be right or wrong; the catalogue "
            "was of no help."
        ),
        "contradicts": "The catalogue says otherwise:",
    },
    from_iterations="(iteration {numbers})",
    inception="inception",
    iterations="Iterations",
    no_iterations_yet=(
        "Each iteration shows the entities that were found, their ranked facts, "
        "the answer and the verdict."
    ),
    iteration="Iteration {number}",
    searched={
        "question": "Looked for entities in the question.",
        "answer": "Looked for entities in the answer before.",
        "both": "Looked for entities in the question and the answer before.",
    },
    no_graph="The graph was not used.",
    no_entities="No entity of the graph is named there, so the prompt has no facts.",
    entities=Counted("1 entity", "{n} entities"),
    facts=Counted("1 fact", "{n} facts"),
    candidates=Counted("only one of this name", "one of {n} of this name"),
    ranked_facts="Ranked facts",
    facts_about="About",
    subject="Subject",
    predicate="Predicate",
    object="Object",
    score="Score",
    score_title="{score}  (f = {f}, n_t = {n_t}, N = {N:,})",
    facts_dropped=Counted(
        "One more fact was left out, because the prompt has no room for it.",
        "{n} more facts were left out, because the prompt has no room for them.",
    ),
    new="new",
    scores="How these scores come about",
    scores_explained=(
        "A term counts f times among the statements of {entity}, and n_t of all N = {N} entities "
        "have it among theirs. Its weight is ln(1 + f) × ln((N + 1) / (n_t + 1)): high if it is "
        "frequent here and rare elsewhere."
    ),
    prompt="The prompt, word for word",
    system_prompt="System",
    user_prompt="User",
    changes="What changed against the answer before",
    changes_legend="Underlined is new, struck out is gone.",
    no_changes="Nothing: both answers are the same, word for word.",
    retrieval="Looking up",
    writing_step="Writing",
    judging_step="Judging",
    seconds="{s:.2f} s",
    subgraph=ENGLISH_LABELS,
    being_written="Being written, see above …",
    finish_reasons={
        "stop": "",
        "length": "Cut at the longest length that the engine writes.",
        "repetition": "Cut, because the engine repeated itself.",
        "stopped": "Stopped here.",
        "failed": "The engine failed here.",
    },
    verdict="Verdict",
    true="True",
    false="False",
    probability="p = {p:.2f}",
    verdict_methods={
        "forced": "from the probabilities that the model gives to True and False",
        "text": "read from what the model wrote",
        "rule": "by a fixed rule, not by a model",
    },
    writing_badge="being written",
    judging_badge="being judged",
    not_judged="not judged",
    cut="cut off",
    used="What was used",
    asked="Question",
    artwork="Artwork",
    artworks_found={
        "picked": "{title} ({id}), chosen by you",
        "title": "{title} ({id}), found by the title",
        "recognised": "{title} ({id}), recognised in the picture",
        "none": "not found in the graph",
    },
    engine="Engine",
    graph="Graph",
    graph_size="{name}, {n:,} entities",
    graph_sha256="Graph: SHA-256 of the file",
    graph_content="Graph: what it holds",
    shipped_graphs={
        "artworks": "every artwork of its source, with general concepts such as oil paint as "
        "objects of facts, and titles that several works share. The other graph, expartkg, holds "
        "only what a set of questions names without doubt. Neither is the authors’ file "
        "(kg/README.md)",
        "expartkg": "what a set of questions names, as in Section 3 of the paper: titles of "
        "Wikipedia articles, unambiguous and no general concepts. The other graph, artworks, holds "
        "every artwork of its source. Neither is the authors’ file (kg/README.md)",
    },
    yes="yes",
    no="no",
    setting_names={
        "method": "Method",
        "ranking": "Ranking",
        "top_k": "Facts per entity (top-k)",
        "max_iterations": "Iterations at most",
        "source": "Retrieve again from",
        "facts_budget": "Room for facts in the prompt (tokens)",
        "validator_facts": "The judge sees the facts",
        "time_limit": "Time limit (seconds)",
    },
    detail_names={"name": "Name", "sees_pictures": "Sees pictures"},
    version="Version",
    tools=ENGLISH_TOOLS,
)
