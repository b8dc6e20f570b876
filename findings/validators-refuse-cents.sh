#!/bin/sh
# Guess: validators of JSON Schema take 19.99 under `multipleOf: 0.01`, as every price is a multiple of a cent: the
# standard asks whether the quotient is an integer.
# Seen with ajv 8.20.0 (npm) and jsonschema 4.26.0 (PyPI): both divide in floating point, get 1998.9999999999998, and
# refuse. Of the 10,000 prices from 0.01 to 100.00 each refuses the same 1,363; 0.07 and 4.35 are among them. zod 4.6.7
# (npm), whose own schemas for others say `multipleOf`, and fastjsonschema 2.22.3 (PyPI) take all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts ajv@8.20.0 zod@4.6.7
python3 -m venv python
python/bin/pip install --quiet jsonschema==4.26.0 fastjsonschema==2.22.3
cat > try.mjs <<'END'
import Ajv from 'ajv';
import * as zod from 'zod';

const schema = zod.number().multipleOf(0.01);
const validate = new Ajv().compile(zod.toJSONSchema(schema, { target: 'draft-7' }));
const prices = Array.from({ length: 10_000 }, (_, index) => (index + 1) / 100);
const refused = (accepts) => prices.filter((price) => !accepts(price));
const byAjv = refused((price) => validate(price));
console.log('ajv', byAjv.length, [0.07, 4.35, 19.99].every((price) => byAjv.includes(price)));
console.log('zod', refused((price) => schema.safeParse(price).success).length);
END
cat > try.py <<'END'
import fastjsonschema
import jsonschema

SCHEMA = {'type': 'number', 'multipleOf': 0.01}
prices = [index / 100 for index in range(1, 10_001)]
validator = jsonschema.Draft202012Validator(SCHEMA)
refused = [price for price in prices if not validator.is_valid(price)]
print('jsonschema', len(refused), {0.07, 4.35, 19.99} <= set(refused))
validate = fastjsonschema.compile(SCHEMA)
print('fastjsonschema', len([price for price in prices if validate(price) != price]))
END
(node try.mjs; python/bin/python try.py) > seen
cat seen
cat > expected <<'END'
ajv 1363 true
zod 0
jsonschema 1363 True
fastjsonschema 0
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
