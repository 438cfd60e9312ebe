"""What is said around an explanation, in Japanese."""

from __future__ import annotations

from expartkg.ui.text.counted import Counted, Field
from expartkg.ui.text.tools import Comparing, Keeping, Many, Steering, Tools

JAPANESE_TOOLS = Tools(
    keeping=Keeping(
        heading="保存",
        json="JSON（すべてを含み、ここで再び開けます）",
        markdown="Markdown（テキスト）",
        html="HTML（単独で表示できるページ）",
        link="この作品と設定へのリンク",
        copy="リンクをコピー",
        copied="コピーしました",
        expires="ファイルは約1時間取得できます。",
        wrong_link="リンクに、このページの知らない値がありました。無視します：{what}",
        open="保存した解説を開く",
        open_info="保存した .json を、モデルを使わずにそのまま表示します。次の例も開けます。",
        upload=".json を開く",
        examples="保存された解説の例",
        made_by=(
            "保存された解説です：{work}。エンジン「{engine}」とグラフ「{graph}」によるもので、"
            "新たな計算はしていません。"
        ),
        picture_left_out="画像はファイルに含まれていません。",
        while_running="先に、実行中の解説を停止してください。",
    ),
    comparing=Comparing(
        heading="二つの方法を比べる",
        pair=Field("比べるもの", "上の入力内容で順に二回実行し、この点だけを変えます。"),
        pairs={
            "graph": "グラフを使う場合と使わないベースライン",
            "ranking": "順位づけ QID と PID",
            "both": "順位づけ QID と PID-QID",
            "title": "作品名ありと作品名なし",
            "last": "いま表示中の解説と上の入力内容",
        },
        start="比べる",
        stop="比較を停止",
        idle="上で作品を入力し、「比べる」を押してください。",
        no_title="先に作品名を入力してください。一方の実行では作品名を除きます。",
        no_last="比べられる解説がまだ表示されていません。先に解説するか、開いてください。",
        first="一つ目：{status}",
        second="二つ目：{status}",
        done="完了しました。一方だけにある語と事実に印が付いています。",
        only_here="こちらだけの事実",
        in_both=Counted("両方にある事実：{n} 件", "両方にある事実：{n} 件"),
        no_facts="ありません。",
        legend="下線の語はこの回答だけにあります。",
        html="両方を HTML で保存",
        json="両方を JSON で保存",
        values={
            "title": "作品名",
            "with": "あり",
            "without": "なし",
            "shown": "表示されていた解説",
            "filled": "入力内容",
        },
    ),
    steering=Steering(
        heading="変更して再実行",
        info=(
            "選んだ反復より前はそのまま残ります。そこから先は、チェックを外した事実とエンティティを"
            "除き、追加したエンティティを調べ、変更した質問で続けます。変更は解説に記録されます。"
        ),
        nothing="解説が終わると、ここで変更できます。",
        iteration=Field("再実行を始める反復"),
        question=Field("そこからの質問"),
        entities=Field("エンティティ", "除くもののチェックを外してください。"),
        facts=Field("事実", "除くもののチェックを外してください。"),
        add=Field("エンティティを追加", "作品名、またはグラフにある正確な名前を入力してください。"),
        added="追加したエンティティ",
        start="再実行",
        unchanged="まだ変更がありません。チェックを外すか、追加するか、質問を変えてください。",
        gone="変更する解説がもうありません。もう一度解説するか、開いてください。",
        interventions="変更したこと",
        from_iteration="反復 {number} から：",
        removed_facts="除いた事実：",
        removed_entities="除いたエンティティ：",
        added_entities="追加したエンティティ：",
        new_question="質問：",
    ),
    many=Many(
        heading="多数の作品をまとめて",
        info=(
            "最大 {most} 件の作品の表（.csv）です。1行目は列の名前です：title、artist、image、"
            "artwork（Q12418 のような ID）。image 列の画像ファイルも一緒に追加してください。"
            "上の設定がすべてに使われます。"
        ),
        files="表と画像",
        start="すべて解説",
        stop="解説を停止",
        no_table=".csv、.tsv、.txt のいずれかの表を追加してください。",
        two_tables="表が二つ以上あります。一つずつ追加してください。",
        too_many="表には {n} 件ありますが、ここで一度に解説できるのは {most} 件です。"
        "分けるか、コマンドラインを使ってください。",
        no_work="解説できる作品が表にありません。",
        too_large="表が 1 MB を超えています。分けるか、コマンドラインを使ってください。",
        explained="解説済み",
        done="{total} 件中 {done} 件を解説しました。",
        stopped="停止しました。{total} 件中 {done} 件は残っています。",
        left_out="{number} 行目を除きました：{reason}。",
        download="すべて保存（ZIP）",
        waiting="{total} 件中 {number} 件目：{name}。{status}",
    ),
)
