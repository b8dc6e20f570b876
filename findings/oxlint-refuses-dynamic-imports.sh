#!/bin/sh
# Guess: `no-restricted-imports` of oxlint, named after ESLint's rule, looks at import declarations
# only, so `import()` passes both.
# Seen with oxlint 1.89.0 and eslint 9.39.1: ESLint reports the declaration alone, oxlint reports
# `import()` as well. A project that moves from ESLint and loads a module lazily on purpose gets new
# errors; one that moves back loses a check. Both need Node 20 or newer.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts oxlint@1.89.0 eslint@9.39.1
mkdir source
echo "import { readFile } from 'node:fs'; export const read = readFile;" > source/declared.js
echo "export const load = () => import('node:fs');" > source/dynamic.js
echo '{"rules":{"no-restricted-imports":["error",{"paths":["node:fs"]}]}}' > .oxlintrc.json
echo "export default [{ rules: { 'no-restricted-imports': ['error', { paths: ['node:fs'] }] } }];" > eslint.config.js
files_of() { grep -oE 'source/(declared|dynamic)\.js' | sort -u | tr '\n' ' ' | sed 's/ $//'; }
oxlint=$(npx oxlint --config .oxlintrc.json --format unix source 2>&1 | grep 'no-restricted-imports' | files_of || true)
eslint=$(npx eslint source 2>&1 | grep -E 'source/|no-restricted-imports' | grep -B1 'no-restricted-imports' | files_of || true)
echo "oxlint reports: $oxlint"
echo "eslint reports: $eslint"
[ "$oxlint" = 'source/declared.js source/dynamic.js' ] || { echo 'oxlint behaves differently now'; exit 1; }
[ "$eslint" = 'source/declared.js' ] || { echo 'eslint behaves differently now'; exit 1; }
echo 'as described'
