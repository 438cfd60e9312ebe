"""`link`, `rank` and `retrieve`: retrieval step by step, without a model."""

from __future__ import annotations

import argparse

from expartkg.commands.options import settings_from, text_from
from expartkg.commands.printing import line, print_facts, print_mentions, say
from expartkg.retrieval import Retriever, open_graph
from expartkg.runs import fact_to_json, mention_to_json, ranked_to_json, to_text


def link_command(options: argparse.Namespace) -> int:
    retriever = Retriever(open_graph(settings_from(options).kg))
    mentions = retriever.names.find(text_from(options))
    if options.json:
        say(to_text({"mentions": [mention_to_json(mention) for mention in mentions]}))
    else:
        print_mentions(mentions)
    return 0


def retrieve_command(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    retriever = Retriever(open_graph(settings.kg))
    mentions = retriever.names.find(text_from(options))
    facts = retriever.facts(mentions, ranking=settings.ranking, top_k=settings.top_k)
    if options.json:
        document = {
            "mentions": [mention_to_json(mention) for mention in mentions],
            "facts": [fact_to_json(fact) for fact in facts],
        }
        say(to_text(document))
    else:
        print_mentions(mentions)
        print_facts(facts)
    return 0


def rank_command(options: argparse.Namespace) -> int:
    settings = settings_from(options)
    retriever = Retriever(open_graph(settings.kg))
    entity = retriever.graph.entity(options.entity)
    facts = retriever.ranker.rank(entity, settings.ranking, settings.top_k)
    if options.json:
        document = {
            "entity": entity.id,
            "label": entity.label,
            "N": len(retriever.graph),
            "facts": [ranked_to_json(fact) for fact in facts],
        }
        say(to_text(document))
    else:
        say(f"{line(entity.label)} ({entity.id}), N = {len(retriever.graph)}")
        print_facts(facts)
    return 0
