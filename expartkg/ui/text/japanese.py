"""The page in Japanese."""

from __future__ import annotations

from expartkg.engines.preview import NOTICE
from expartkg.subgraph import Labels
from expartkg.ui.text.japanese_tools import JAPANESE_TOOLS
from expartkg.ui.text.words import Counted, Field, Words

JAPANESE = Words(
    language="ja",
    native_name="日本語",
    name="ExpArt-KG 美術館ガイド",
    purpose=(
        "知識グラフの事実にもとづいて美術作品を解説し、何が見つかり、どう順位づけられ、"
        "回答がどう判定されたかを、すべての段階について示します。"
    ),
    pages="ページ",
    browse_graph="グラフを見る",
    picture=Field("作品の画像"),
    picture_alt="選択した作品の画像",
    fetch="この作品の画像を Wikimedia Commons から取得",
    fetching="画像を取得しています…",
    commons="Wikimedia Commons",
    no_picture="なし",
    uploaded_picture="アップロードされた画像",
    drawn_picture="このガイドが作品をもとに描いた図",
    title=Field("作品名（任意）", example="例：Mona Lisa（英語名）"),
    suggestions="グラフにある作品",
    artist=Field("作者（任意）", example="例：Leonardo da Vinci（英語名）"),
    question=Field("質問", "空欄のときは標準の質問を使います。"),
    settings="設定",
    method=Field("方式", "どこまで続けるかを決めます。"),
    methods={
        "validate": "Validate：回答が True と判定されるまで",
        "loop": "Loop：常にすべての反復を行う",
        "baseline": "Baseline：グラフを使わず一回だけ回答",
    },
    ranking=Field("順位づけ", "どの事実を上位に置くかを決めます（TF-IDF）。"),
    rankings={
        "qid": "QID：珍しい隣接エンティティを優先",
        "pid": "PID：珍しい述語を優先",
        "pid-qid": "PID-QID：両方を合わせる",
    },
    max_iterations=Field("反復の上限", "検索・執筆・判定を繰り返す回数です。"),
    top_k=Field("エンティティごとの事実の数（top-k）", "上位いくつの事実をプロンプトに入れるか。"),
    source=Field("再検索の対象", "二回目以降にエンティティを探す場所です。"),
    sources={
        "answer": "前の回答",
        "question": "質問",
        "both": "両方",
    },
    validator_facts=Field(
        "判定モデルにも事実を見せる", "論文の判定モデルが見るのは質問と回答だけです。"
    ),
    reset="論文の設定に戻す",
    explain="解説する",
    stop="停止",
    examples="作品の例",
    nothing_to_explain="画像を追加するか、作品名または質問を入力してください。",
    recognising="ガイドがこの画像を知っているか調べています…",
    looks_like="この画像は次の作品のようです：",
    recognised="画像から認識した作品：",
    alike=(
        "ガイドが持つこの作品の画像と {points} か所が同じ位置関係にあります"
        "（{enough} か所で十分です）。"
    ),
    similarity="類似度 {similarity:.2f}（最大 1）",
    its_picture="Wikimedia Commons にある作品の画像と比べる",
    use_work="この作品を使う",
    another_work="別の作品です",
    less_alike="ほかの、あまり似ていない作品",
    unknown_picture=Counted(
        "ガイドはこの画像の作品を認識できません（画像で認識できるのは {n} 作品です）。"
        "作品名がわかれば入力してください。ない場合、最初の反復には事実がありません。",
        "ガイドはこの画像の作品を認識できません（画像で認識できるのは {n} 作品です）。"
        "作品名がわかれば入力してください。ない場合、最初の反復には事実がありません。",
    ),
    refused_work="作品名がわかれば入力するか、ほかの作品を選んでください。",
    recognise_at_once=Field(
        "認識した作品をすぐに使う", "オフのときは、その作品かどうかを確認します。"
    ),
    ready="画像か作品名を入れて「解説する」を押してください。",
    starting="開始しています…",
    waiting=Counted(
        "待機中：先に一件の解説があります。",
        "待機中：先に {n} 件の解説があります。",
    ),
    crowded="待っている人が多すぎます。数分後にもう一度お試しください。",
    retrieving="反復 {number}：事実を検索しています…",
    writing="反復 {number}：回答を書いています…",
    judging="反復 {number}：回答を判定しています…",
    accepted="完了。反復 {number} の回答が True と判定されました。",
    exhausted={
        "validate": Counted(
            "完了。回答は True と判定されませんでしたが、そのまま表示します。",
            "完了。{n} 件の回答はいずれも True と判定されませんでした。最後の回答を表示します。",
        ),
        "loop": Counted("一回の反復で完了しました。", "{n} 回すべての反復を完了しました。"),
        "baseline": Counted(
            "完了。グラフを使わずに書いた回答です。",
            "完了。グラフを使わずに書いた {n} 件の回答です。",
        ),
    },
    stopped="停止しました。ここまでの内容は残っています。",
    overdue=(
        "時間がかかりすぎたため、エンジンに停止を指示しました。ここまでの内容は残っています。"
        "反復の数を減らしてお試しください。"
    ),
    stuck=(
        "先の解説でエンジンが応答しなくなっており、新しい解説を始められません。"
        "数分後にもう一度お試しください。直らない場合はガイドの再起動が必要です。"
    ),
    guesses="{minutes}分間に{most}回パスワードを間違えると、その時間が過ぎるまで受け付けません。",
    broken=(
        "ガイド側の不具合で中断しました。ここまでの内容は残っています。"
        "詳細はサーバーのログにあります。"
    ),
    found="グラフで見つかった作品：",
    picked="選択した作品：",
    not_found=("グラフに「{title}」という作品名はありません。質問に出てくる名前をもとに続けます。"),
    unknown_title=("この作品名はグラフにありません。質問に出てくる名前と画像をもとに続けます。"),
    similar_titles="次の作品のことですか？",
    same_title=Counted(
        "この作品名は一件です。", "この作品名は {n} 件あります。別の作品なら選んでください："
    ),
    more_works=Counted(
        "ほかに一件あります。作者を入力すると上に出ます。",
        "ほかに {n} 件あります。作者を入力すると上に出ます。",
    ),
    answer="回答",
    notices={
        NOTICE: (
            "画像を見るモデルを使わないプレビューです。"
            "文はグラフの事実から組み立てられ、画像は見ていません。"
        ),
    },
    no_answer_yet="ここに解説が表示されます。",
    legend="印の意味と、それぞれの文の数",
    sentence_marks={
        "supported": "カタログが裏づける文",
        "unsupported": "モデル自身の言葉",
        "contradicts": "カタログと食い違う文",
    },
    sentence_explanations={
        "supported": (
            "この文は次の事実の両端を挙げ、別のものに置き換えていません。"
            "それ以外の内容はモデル自身の言葉です。"
        ),
        "unsupported": (
            "検索された事実の中に、これを述べるものはありません。"
            "正しいかどうかは、カタログからは分かりません。"
        ),
        "contradicts": "カタログの記述はこれと異なります：",
    },
    from_iterations="（反復 {numbers}）",
    inception="制作年",
    iterations="反復",
    no_iterations_yet=(
        "反復ごとに、見つかったエンティティ、順位づけられた事実、回答、判定を表示します。"
    ),
    iteration="反復 {number}",
    searched={
        "question": "質問の中のエンティティを探しました。",
        "answer": "前の回答の中のエンティティを探しました。",
        "both": "質問と前の回答の中のエンティティを探しました。",
    },
    no_graph="グラフは使っていません。",
    no_entities="グラフのエンティティが見つからなかったため、プロンプトに事実はありません。",
    entities=Counted("エンティティ 1 件", "エンティティ {n} 件"),
    facts=Counted("事実 1 件", "事実 {n} 件"),
    candidates=Counted("同名はこれだけ", "同名 {n} 件のうちの一つ"),
    ranked_facts="順位づけられた事実",
    facts_about="対象：",
    subject="主語",
    predicate="述語",
    object="目的語",
    score="スコア",
    score_title="{score}  (f = {f}, n_t = {n_t}, N = {N:,})",
    facts_dropped=Counted(
        "プロンプトに入りきらないため、事実を 1 件省きました。",
        "プロンプトに入りきらないため、事実を {n} 件省きました。",
    ),
    new="新規",
    scores="スコアの計算",
    scores_explained=(
        "{entity} についての文に、語は f 回現れます。全 N = {N} 件のエンティティのうち、"
        "n_t 件がその語をもちます。重みは ln(1 + f) × ln((N + 1) / (n_t + 1)) で、"
        "ここに多く、ほかに少ない語ほど高くなります。"
    ),
    prompt="プロンプトの全文",
    system_prompt="システム",
    user_prompt="ユーザー",
    changes="前の回答からの変更",
    changes_legend="下線は追加、取り消し線は削除を示します。",
    no_changes="変更はありません。二つの回答は一字一句同じです。",
    retrieval="検索",
    writing_step="執筆",
    judging_step="判定",
    seconds="{s:.2f} 秒",
    subgraph=Labels(
        title="事実のグラフ",
        description=(
            "エンティティ {entities} 件と事実 {facts} 件を、"
            "左の作品から右へたどれるように示します。"
            "同じ事実は下の一覧にもあります。"
        ),
        list="すべての事実 {facts} 件の一覧",
        more="ほかの {n} 件は下の一覧にあります",
        kinds={
            "Artwork": "作品",
            "Artist": "作家",
            "Person": "人物",
            "Subject": "題材",
            "Museum": "美術館",
            "Place": "場所",
            "Movement": "様式",
            "Concept": "概念",
        },
    ),
    being_written="執筆中です。上をご覧ください…",
    finish_reasons={
        "stop": "",
        "length": "エンジンの上限の長さで打ち切りました。",
        "repetition": "同じ内容の繰り返しになったため打ち切りました。",
        "stopped": "ここで停止しました。",
        "failed": "ここでエンジンが失敗しました。",
    },
    verdict="判定",
    true="True",
    false="False",
    probability="p = {p:.2f}",
    verdict_methods={
        "forced": "モデルが True と False に与える確率による",
        "text": "モデルが書いた文字による",
        "rule": "モデルではなく決まった規則による",
    },
    writing_badge="執筆中",
    judging_badge="判定中",
    not_judged="判定なし",
    cut="中断",
    used="使用したもの",
    asked="質問",
    artwork="作品",
    artworks_found={
        "picked": "{title}（{id}）、選択",
        "title": "{title}（{id}）、作品名から",
        "recognised": "{title}（{id}）、画像から認識",
        "none": "グラフに見つかりません",
    },
    engine="エンジン",
    graph="グラフ",
    graph_size="{name}、エンティティ {n:,} 件",
    graph_sha256="グラフ：ファイルの SHA-256",
    graph_content="グラフ：内容",
    shipped_graphs={
        "artworks": "出典にあるすべての作品。油絵具などの一般概念も事実の目的語として含み、"
        "同じ題名の作品も区別して含みます。もう一つのグラフ expartkg は、質問集が曖昧さなく名指す"
        "ものだけを含みます。どちらも論文著者のファイルではありません（kg/README.md）",
        "expartkg": "論文の第 3 節のとおり、質問集が名指すもの。Wikipedia の記事名であり、曖昧で"
        "なく、一般概念でないものだけです。もう一つのグラフ artworks は、出典にあるすべての作品を"
        "含みます。どちらも論文著者のファイルではありません（kg/README.md）",
    },
    yes="はい",
    no="いいえ",
    setting_names={
        "method": "方式",
        "ranking": "順位づけ",
        "top_k": "エンティティごとの事実の数（top-k）",
        "max_iterations": "反復の上限",
        "source": "再検索の対象",
        "facts_budget": "プロンプト内の事実の上限（トークン）",
        "validator_facts": "判定モデルにも事実を見せる",
        "time_limit": "制限時間（秒）",
    },
    detail_names={"name": "名前", "sees_pictures": "画像を見る"},
    version="バージョン",
    tools=JAPANESE_TOOLS,
)
