"""What the pages of the graph say, in every language. Braces are filled in with `str.format`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from expartkg.ui.text import Counted


@dataclass(frozen=True, slots=True)
class BrowsingWords:
    """The pages of the graph in one language."""

    skip: str
    guide: str
    graph: str
    sparql: str

    # An entity
    explain: str
    on_wikidata: str
    show_picture: str
    picture_of: str
    literals: str
    facts: str
    facts_in: str
    no_facts: str
    is_of: str
    all_of_them: Counted
    all_facts: str
    report: str
    report_fact: str
    nearby: str
    nearby_how: str
    shares: str
    previous: str
    next: str
    page_of: str
    missing: str
    missing_how: str

    # The graph
    graph_size: str
    search: str
    search_info: str
    find: str
    works: str
    others: str
    nothing_found: str
    kinds: str
    no_kind: str
    of_kind: str

    # SPARQL
    query: str
    query_info: str
    run: str
    running: str
    examples: str
    example_names: tuple[str, ...]
    rows: Counted
    took: str
    shown: str
    cut: str
    csv: str
    yes: str
    no: str
    results: str
    no_answer: str


ENGLISH = BrowsingWords(
    skip="Skip to the content",
    guide="Explain an artwork",
    graph="The graph",
    sparql="SPARQL",
    explain="Explain this work",
    on_wikidata="on Wikidata",
    show_picture="Show its picture, fetched from Wikimedia Commons",
    picture_of="Picture: {label}",
    literals="Dates and numbers",
    facts="Facts",
    facts_in="Facts that lead here",
    no_facts="The graph has no facts about it.",
    is_of="is the {predicate} of",
    all_of_them=Counted("Show it", "Show all {n}"),
    all_facts="All facts about {label}",
    report="report",
    report_fact="Report or correct on Wikidata: {subject}, {predicate}, {object}",
    nearby="Works nearby",
    nearby_how="They share the most facts with this one, and the rarest.",
    shares="shares {names}",
    previous="Previous page",
    next="Next page",
    page_of="Page {page} of {pages}",
    missing="The graph has no entity {id}",
    missing_how="Search for it by its name:",
    graph_size="{entities:,} entities, {statements:,} statements of {properties:,} properties",
    search="Search",
    search_info="Words of title, artist and collection, or the name of anything in the graph.",
    find="Find",
    works="Works",
    others="Others of this name",
    nothing_found="Nothing in the graph is called so.",
    kinds="What is in it",
    no_kind="without a kind",
    of_kind="{kind}: {n:,}",
    query="Query",
    query_info=(
        "Read-only SPARQL 1.1. The prefixes wd, wdt, rdf, rdfs, xsd and kind are known. "
        "A query may take {seconds:g} seconds and give {rows:,} rows."
    ),
    run="Run",
    running="Running …",
    examples="Examples",
    example_names=(
        "Works by Leonardo da Vinci",
        "Collections with the most works",
        "What is depicted most",
        "The oldest works",
        "Artists who share a movement with Gustav Klimt",
    ),
    rows=Counted("1 row", "{n} rows"),
    took="in {seconds:.2f} s",
    shown="The first {n:,} are shown; the CSV file has all of them.",
    cut="There are more: only so many are given. Ask for the others with LIMIT and OFFSET.",
    csv="Download as CSV",
    yes="Yes",
    no="No",
    results="Results",
    no_answer="No answer",
)

JAPANESE = BrowsingWords(
    skip="本文へ移動",
    guide="作品を解説する",
    graph="グラフ",
    sparql="SPARQL",
    explain="この作品を解説する",
    on_wikidata="Wikidata で見る",
    show_picture="Wikimedia Commons から画像を取得して表示",
    picture_of="画像：{label}",
    literals="年代と数値",
    facts="事実",
    facts_in="このエンティティを指す事実",
    no_facts="グラフにはこのエンティティについての事実がありません。",
    is_of="{predicate} としてこれを持つもの",
    all_of_them=Counted("表示する", "{n} 件すべてを表示"),
    all_facts="{label} についてのすべての事実",
    report="報告",
    report_fact="Wikidata で報告・訂正：{subject}、{predicate}、{object}",
    nearby="関連の深い作品",
    nearby_how="この作品と多くの事実、特に珍しい事実を共有する作品です。",
    shares="共通：{names}",
    previous="前のページ",
    next="次のページ",
    page_of="{pages} ページ中 {page} ページ目",
    missing="グラフにエンティティ {id} はありません",
    missing_how="名前で検索してください：",
    graph_size="エンティティ {entities:,} 件、文 {statements:,} 件、プロパティ {properties:,} 種",
    search="検索",
    search_info="作品名・作者・所蔵先の語、またはグラフにあるものの名前（英語名）。",
    find="検索する",
    works="作品",
    others="この名前を持つほかのエンティティ",
    nothing_found="グラフにこの名前のものはありません。",
    kinds="グラフの内容",
    no_kind="種類なし",
    of_kind="{kind}：{n:,} 件",
    query="クエリ",
    query_info=(
        "読み取り専用の SPARQL 1.1 です。接頭辞 wd、wdt、rdf、rdfs、xsd、kind が使えます。"
        "一回のクエリは {seconds:g} 秒、{rows:,} 行までです。"
    ),
    run="実行",
    running="実行しています…",
    examples="例",
    example_names=(
        "レオナルド・ダ・ヴィンチの作品",
        "作品数の多い所蔵先",
        "最も多く描かれているもの",
        "最も古い作品",
        "グスタフ・クリムトと同じ運動の芸術家",
    ),
    rows=Counted("1 行", "{n} 行"),
    took="{seconds:.2f} 秒",
    shown="最初の {n:,} 行を表示しています。CSV ファイルにはすべての行があります。",
    cut=(
        "結果はこれより多くありますが、ここまでに制限されています。"
        "続きは LIMIT と OFFSET で取得してください。"
    ),
    csv="CSV でダウンロード",
    yes="はい",
    no="いいえ",
    results="結果",
    no_answer="回答なし",
)

BROWSING: Mapping[str, BrowsingWords] = {"en": ENGLISH, "ja": JAPANESE}
