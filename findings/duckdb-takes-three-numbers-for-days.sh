#!/bin/sh
# Guess: DuckDB takes a column of CSV or JSON for days where it has them, as 2026-11-30 or 30/11/2026, and leaves flats,
# versions and paces as texts.
# Seen with duckdb 2.0.1 (PyPI): three numbers are a day too. The flats 10-2-3 become 2010-02-03, in JSON Lines as well. Of
# CSV the versions 24.4.1 become 2024-04-01, and "1 2 3" midnight of the third of February of the year 1. Nothing is said,
# and what was written is lost. One value that is no day, such as 24.13.1, and all stay texts, so that it comes and goes with
# the data. polars 2.1.0, pandas 3.1.1 and pyarrow 26.0.1 keep the texts.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --no-compile duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1 pandas==3.1.1
cat > try.py <<'END'
import json

import duckdb
import pandas
import polars
from pyarrow import csv

COLUMNS = {
    'flats': ('10-2-3', '12-11-4'),
    'versions': ('24.4.1', '25.10.2'),
    'versions with 24.13.1': ('24.4.1', '25.10.2', '24.13.1'),
    'paces': ('1 2 3', '4 5 6'),
}
for name, texts in COLUMNS.items():
    with open('rows.csv', 'w') as file:
        file.write('number,text\n' + ''.join(f'{number},{text}\n' for number, text in enumerate(texts)))
    with open('rows.jsonl', 'w') as file:
        file.writelines(json.dumps({'number': number, 'text': text}) + '\n' for number, text in enumerate(texts))
    for path in ('rows.csv', 'rows.jsonl'):
        print(f'{name}, {path}:', ', '.join(str(text) for _, text in duckdb.sql(f"from '{path}' order by number").fetchall()))
    others = (polars.read_csv('rows.csv')['text'], pandas.read_csv('rows.csv')['text'], csv.read_csv('rows.csv')['text'].to_pylist())
    print('the others keep the texts:', all(tuple(other) == texts for other in others))
END
python/bin/python try.py > seen
cat seen
cat > expected <<'END'
flats, rows.csv: 2010-02-03, 2012-11-04
flats, rows.jsonl: 2010-02-03, 2012-11-04
the others keep the texts: True
versions, rows.csv: 2024-04-01, 2025-10-02
versions, rows.jsonl: 24.4.1, 25.10.2
the others keep the texts: True
versions with 24.13.1, rows.csv: 24.4.1, 25.10.2, 24.13.1
versions with 24.13.1, rows.jsonl: 24.4.1, 25.10.2, 24.13.1
the others keep the texts: True
paces, rows.csv: 0001-02-03 00:00:00, 0004-05-06 00:00:00
paces, rows.jsonl: 1 2 3, 4 5 6
the others keep the texts: True
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
