-- The three steps of Section 3 on a JSON dump of Wikidata by DuckDB; see kg/README.md. It is run at
-- the root of the repository, and leaves items.parquet (the dump, to be asked again), edges.parquet
-- and graph.nt, which the guide opens.
SET VARIABLE dump = 'latest-all.json.gz';
SET VARIABLE candidates = 'OUT/steps/1-candidates.jsonl';

-- The dump, read once.
COPY (
    SELECT id,
        coalesce(labels ->> '$.en.value', labels ->> '$.mul.value') AS label,
        sitelinks ->> '$.enwiki.title' AS title,
        try_cast(claims AS MAP(VARCHAR, JSON[])) AS claims
    FROM read_json(getvariable('dump'), format = 'array', maximum_object_size = 67108864,
        columns = {id: 'VARCHAR', labels: 'JSON', sitelinks: 'JSON', claims: 'JSON'})
    WHERE id[1] IN ('Q', 'P')
) TO 'items.parquet';

-- Step 1: the candidates.
CREATE TEMP TABLE candidate AS
SELECT name, upper(name[1]) || name[2:] AS title, in_lower_case,
    list_sum(map_values(seen)) AS occurrences,
    coalesce(seen['question'], 0) + coalesce(seen['reference'], 0) AS in_running_text
FROM read_json(getvariable('candidates'), format = 'newline_delimited', columns =
    {name: 'VARCHAR', seen: 'MAP(VARCHAR, INTEGER)', in_lower_case: 'INTEGER'})
WHERE name IS NOT NULL;

-- The items that bear a name of them, and their statements with other items of the best rank.
CREATE TEMP TABLE item AS
SELECT * FROM 'items.parquet'
WHERE id LIKE 'Q%'
    AND (title IN (SELECT title FROM candidate) OR label IN (SELECT name FROM candidate));

CREATE TEMP TABLE statement AS
SELECT DISTINCT s, p, o FROM (
    SELECT s, p, claim ->> '$.mainsnak.datavalue.value.id' AS o, claim ->> '$.rank' AS rank
    FROM (
        SELECT s, entry.key AS p, unnest(entry.value) AS claim
        FROM (SELECT id AS s, unnest(map_entries(claims)) AS entry FROM item)
    )
    WHERE claim ->> '$.mainsnak.snaktype' = 'value'
    QUALIFY rank = 'preferred'
        OR rank = 'normal' AND NOT bool_or(rank = 'preferred') OVER (PARTITION BY s, p)
)
WHERE o LIKE 'Q%';

-- Step 2: the title of an article, one item of that name, no general concept.
CREATE TEMP TABLE role AS
SELECT s AS id, role FROM statement JOIN 'expartkg/construction/data/classes.tsv' ON o = qid
WHERE p = 'P31';

CREATE TEMP TABLE choice AS
SELECT name, id, occurrences,
    EXISTS (
        FROM item AS other WHERE other.label = name AND other.id <> item.id
            AND NOT EXISTS (FROM statement WHERE s = other.id AND p = 'P31' AND o = 'Q4167410')
    ) AS is_shared,
    id NOT IN (SELECT qid FROM read_csv('expartkg/construction/data/kinds.tsv', comment = '#'))
        AND NOT EXISTS (
            FROM role WHERE role.id = item.id AND role IN ('person', 'movement', 'country')
        )
        AND (
            id IN (SELECT qid FROM read_csv('expartkg/construction/data/concepts.tsv', comment = '#'))
            OR EXISTS (FROM statement WHERE s = id AND p = 'P279')
            OR name = lower(name) OR in_lower_case > in_running_text
        ) AS is_general
FROM candidate JOIN item USING (title);

-- Of several names of an item the one that is seen most often.
CREATE TEMP TABLE node AS
SELECT id, name FROM choice WHERE NOT is_shared AND NOT is_general
QUALIFY row_number() OVER (PARTITION BY id ORDER BY occurrences DESC, name) = 1;

-- Step 3: all statements between two nodes but noise.
COPY (
    SELECT s, p, o FROM statement
    SEMI JOIN node AS subject ON s = subject.id
    SEMI JOIN node AS object ON o = object.id
    WHERE s <> o
        AND p NOT IN (
            SELECT property FROM read_csv('expartkg/construction/data/noise.tsv', comment = '#')
        )
    ORDER BY s, p, o
) TO 'edges.parquet';

-- The graph: its edges, and the labels of nodes and properties.
CREATE TEMP MACRO label(id, name) AS format(
    '<http://www.wikidata.org/entity/{}> <http://www.w3.org/2000/01/rdf-schema#label> {}@en .',
    id, to_json(name)::VARCHAR
);
COPY (
    SELECT format(
        '<http://www.wikidata.org/entity/{}> <http://www.wikidata.org/prop/direct/{}> '
        '<http://www.wikidata.org/entity/{}> .', s, p, o
    ) AS line FROM 'edges.parquet'
    UNION ALL SELECT label(id, name) FROM node
    UNION ALL SELECT label(id, label) FROM 'items.parquet'
        WHERE label IS NOT NULL AND id IN (SELECT p FROM 'edges.parquet')
    ORDER BY line
) TO 'graph.nt' (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\t');
