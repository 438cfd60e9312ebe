"""What is said around an explanation, in English."""

from __future__ import annotations

from expartkg.ui.text.counted import Counted, Field
from expartkg.ui.text.tools import Comparing, Keeping, Many, Steering, Tools

ENGLISH_TOOLS = Tools(
    keeping=Keeping(
        heading="Keep it",
        json="JSON (everything, can be opened here again)",
        markdown="Markdown (text)",
        html="HTML (a page that needs nothing else)",
        link="Link to this work with these settings",
        copy="Copy the link",
        copied="Copied",
        expires="The files can be had for about an hour.",
        wrong_link="The link has something that this page does not know, which is left out: {what}",
        open="Open a saved explanation",
        open_info=(
            "A saved .json is shown again as it was, without any model. Or look at one of these:"
        ),
        upload="Open a .json",
        examples="Saved explanations to look at",
        made_by=(
            "A saved explanation of {work}, made by the engine “{engine}” with the graph "
            "“{graph}”. Nothing was computed anew."
        ),
        picture_left_out="Its picture is not in the file.",
        while_running="Stop the explanation that is going on first.",
    ),
    comparing=Comparing(
        heading="Compare two ways",
        pair=Field(
            "What to compare",
            "Both are run with what is filled in above, one after the other; only this differs.",
        ),
        pairs={
            "graph": "with the graph, and the baseline without it",
            "ranking": "ranking QID and PID",
            "both": "ranking QID and PID-QID",
            "title": "with the title and without it",
            "last": "what is shown now, and what is filled in above",
        },
        start="Compare",
        stop="Stop comparing",
        idle="Fill in a work above, then press Compare.",
        no_title="Type a title first: it is what is left out in one of the two.",
        no_last="Nothing is shown yet that could be compared. Explain or open something first.",
        first="The first of two: {status}",
        second="The second of two: {status}",
        done="Done. Words and facts that only one of them has are marked.",
        only_here="Facts only here",
        in_both=Counted("1 fact in both", "{n} facts in both"),
        no_facts="None.",
        legend="Underlined words are in this answer only.",
        html="Both as HTML",
        json="Both as JSON",
        values={
            "title": "Title",
            "with": "with",
            "without": "without",
            "shown": "What was shown",
            "filled": "What is filled in",
        },
    ),
    steering=Steering(
        heading="Change something and run again",
        info=(
            "Rounds before the chosen one stay as they are. From there on facts and entities that "
            "you untick are left out, entities that you add are looked up, and your question is "
            "asked. What you changed is noted in the explanation."
        ),
        nothing="When an explanation is finished, it can be changed here.",
        iteration=Field("Run again from iteration"),
        question=Field("What is asked from there on"),
        entities=Field("Entities", "Untick those that are to be left out."),
        facts=Field("Facts", "Untick those that are to be left out."),
        add=Field("Add an entity", "Type a work, or the exact name of anything in the graph."),
        added="Added entities",
        start="Run again",
        unchanged="Nothing is changed yet: untick something, add an entity or edit the question.",
        gone="The explanation to be changed is no longer here; explain or open it again.",
        interventions="What was changed",
        from_iteration="From iteration {number} on:",
        removed_facts="facts left out:",
        removed_entities="entities left out:",
        added_entities="entities added:",
        new_question="question:",
    ),
    many=Many(
        heading="Many works at once",
        info=(
            "A table (.csv) of at most {most} works. Its first line names the columns: title, "
            "artist, image, artwork (an id such as Q12418). Add the files that the column image "
            "names. The settings above hold for all."
        ),
        files="Table and pictures",
        start="Explain all",
        stop="Stop explaining",
        no_table="Add a table that ends in .csv, .tsv or .txt.",
        two_tables="There is more than one table; add one at a time.",
        too_many="The table has {n} works, and {most} can be explained at once here. Divide it, or "
        "use the command line.",
        no_work="The table has no work that can be explained.",
        too_large="The table is larger than 1 MB; divide it, or use the command line.",
        explained="explained",
        done="{done} of {total} works are explained.",
        stopped="Stopped. What is finished is kept: {done} of {total} works.",
        left_out="Line {number} is left out: {reason}.",
        download="Download all (ZIP)",
        waiting="{number} of {total}: {name}. {status}",
    ),
)
