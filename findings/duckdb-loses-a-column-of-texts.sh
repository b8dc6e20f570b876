#!/bin/sh
# Guess: DuckDB reads a CSV file of one column, `text`, with the header row that it is told of, and gives every line after
# it as a row, or stops at one that it cannot make out.
# Seen with duckdb 2.0.1 (PyPI), which finds the separator by itself: where one of the texts has a semicolon, it takes that
# for the separator and that line for the header, and skips all lines above. Of 51 sentences whose last has one, none is
# left, and no error; where all have one, the first is lost and each of the others is cut in two. With
# `delim = ','` it reads all, as pandas 3.1.1 and polars 2.1.0 (PyPI) do without being told.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet duckdb==2.0.1 pandas==3.1.1 polars==2.1.0
cat > try.py <<'END'
import csv

import duckdb
import pandas
import polars

FILES = {
    'one': [f'第{number}句' for number in range(50)] + ['唔該;再見'],
    'each': [f'第{number}句;完' for number in range(5)],
}
seen = {}
for name, texts in FILES.items():
    path = f'{name}.csv'
    with open(path, 'w', encoding='utf-8', newline='') as file:
        csv.writer(file, lineterminator='\n').writerows([['text'], *([text] for text in texts)])
    read = {
        'duckdb': duckdb.sql(f"select * from read_csv('{path}', header = true, all_varchar = true)").fetchall(),
        'duckdb, told the separator': duckdb.sql(f"select * from read_csv('{path}', header = true, delim = ',')").fetchall(),
        'pandas': list(pandas.read_csv(path).itertuples(index=False, name=None)),
        'polars': polars.read_csv(path).rows(),
    }
    for reader, rows in read.items():
        is_whole = rows == [(text,) for text in texts]
        seen[name, reader] = f'{len(rows)} of {len(texts)} rows, {"as they are" if is_whole else f"the first {rows[:1]}"}'
        print(f'{name}, {reader}: {seen[name, reader]}')
expected = {('one', 'duckdb'): '0 of 51 rows, the first []', ('each', 'duckdb'): "4 of 5 rows, the first [('第1句', '完')]"}
for key, result in seen.items():
    if expected.get(key, result if result.endswith('as they are') else None) != result:
        raise SystemExit('behaves differently now')
END
python/bin/python try.py
echo 'as described'
