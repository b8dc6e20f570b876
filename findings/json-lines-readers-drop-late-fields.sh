#!/bin/sh
# Guess: a field that first comes in a late line of JSON Lines is in the table that polars or DuckDB makes of the file,
# or they raise an error, as polars does for a late value of another type.
# Seen with polars 2.1.0 and duckdb 2.0.1 (PyPI): polars knows the fields of the first 100 lines, DuckDB those of the
# first 20,480, and both leave out every later one, without a word: of 30,000 transcripts whose last
# 9,000 have speakers none has one. pyarrow 26.0.1 and `json` of Python have them all. With
# `infer_schema_length=None` and `sample_size=-1` both read the field. What a recognizer added in a new
# version so is missing from every count.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet polars==2.1.0 duckdb==2.0.1 pyarrow==26.0.1
cat > try.py <<'END'
import json

import duckdb
import polars
import pyarrow.json


def write(name, count, first):
    with open(name, 'w') as file:
        for number in range(count):
            line = {'text': f'line {number}'}
            if number >= first:
                line['speaker'] = 'A'
            file.write(json.dumps(line) + '\n')


write('short.jsonl', 300, 150)
write('long.jsonl', 30_000, 21_000)
seen = {}
for name in ('short.jsonl', 'long.jsonl'):
    seen[name] = {
        'polars': polars.read_ndjson(name).columns,
        'polars, all': polars.read_ndjson(name, infer_schema_length=None).columns,
        'DuckDB': duckdb.sql(f"from '{name}'").columns,
        'DuckDB, all': duckdb.sql(f"from read_json('{name}', sample_size=-1)").columns,
        'pyarrow': pyarrow.json.read_json(name).column_names,
    }
    for reader, columns in seen[name].items():
        print(name, reader, columns)
without = {name: [reader for reader, columns in readers.items() if 'speaker' not in columns] for name, readers in seen.items()}
if without != {'short.jsonl': ['polars'], 'long.jsonl': ['polars', 'DuckDB']}:
    raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
