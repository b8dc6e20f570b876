#!/bin/sh
# Guess: what `z.iso.duration()` and `z.url()` accept, a validator of JSON Schema accepts under the schema that
# `z.toJSONSchema` makes of them.
# Seen with zod 4.6.7, ajv 8.20.0 and ajv-formats 3.0.1 (npm): zod accepts `PT1.5S` and http://example.org/粵, ajv refuses
# both. The formats that zod names are stricter than zod: `duration` is that of RFC 3339, without fractions, though the
# pattern that zod writes beside it has them, and `uri` that of RFC 3986, of ASCII alone. jsonschema 4.26.0 (PyPI)
# refuses the address and accepts the duration. A client that validates so refuses right answers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1
python3 -m venv python
python/bin/pip install --quiet 'jsonschema[format]==4.26.0'
cat > try.js <<'END'
import { writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { z } from 'zod';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const cases = [];
for (const [schema, values] of [[z.iso.duration(), ['PT2S', 'PT1.5S']], [z.url(), ['http://example.org/yue', 'http://example.org/粵']]]) {
  const published = z.toJSONSchema(schema);
  for (const value of values) {
    cases.push({ published, value });
    console.log(value, 'zod', schema.safeParse(value).success, 'ajv', ajv.validate(published, value));
  }
}
writeFileSync('cases.json', JSON.stringify(cases));
END
cat > try.py <<'END'
import json

from jsonschema import Draft202012Validator

with open('cases.json', encoding='utf-8') as file:
    for case in json.load(file):
        validator = Draft202012Validator(case['published'], format_checker=Draft202012Validator.FORMAT_CHECKER)
        print(case['value'], 'jsonschema', validator.is_valid(case['value']))
END
{ node try.js; python/bin/python try.py; } > seen
cat seen
cat > expected <<'END'
PT2S zod true ajv true
PT1.5S zod true ajv false
http://example.org/yue zod true ajv true
http://example.org/粵 zod true ajv false
PT2S jsonschema True
PT1.5S jsonschema True
http://example.org/yue jsonschema True
http://example.org/粵 jsonschema False
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
