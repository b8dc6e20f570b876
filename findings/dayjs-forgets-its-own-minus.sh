#!/bin/sh
# Guess: dayjs reads the durations that it writes: minus three seconds, `-PT3S`, are minus three seconds again.
# Seen with dayjs 1.11.23 (npm): they are plus three. It writes the sign before the P, as ISO 8601-2 and Temporal do,
# and leaves it out when it reads; `PT-3S`, which it does not write, is read right. A comma, which ISO 8601
# prefers before a fraction, makes `PT1,5S` nothing at all. No error is given. Captions that are moved
# by an offset out of JSON so go the wrong way. luxon 3.7.2 and @js-temporal/polyfill 0.5.1 read both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts dayjs@1.11.23 luxon@3.7.2 @js-temporal/polyfill@0.5.1
cat > try.js <<'END'
import { Temporal } from '@js-temporal/polyfill';
import dayjs from 'dayjs';
import duration from 'dayjs/plugin/duration.js';
import { Duration } from 'luxon';

dayjs.extend(duration);
const written = dayjs.duration(-3_000).toISOString();
const seen = [`dayjs writes ${written}`];
for (const text of [written, 'PT-3S', 'PT1.5S', 'PT1,5S']) {
  const read = [`${text}: dayjs ${dayjs.duration(text).asMilliseconds()}`, `luxon ${Duration.fromISO(text).toMillis()}`];
  if (text !== 'PT-3S') read.push(`Temporal ${Temporal.Duration.from(text).total('milliseconds')}`);
  seen.push(read.join(', '));
}
console.log(seen.join('\n'));
const expected = [
  'dayjs writes -PT3S',
  '-PT3S: dayjs 3000, luxon -3000, Temporal -3000',
  'PT-3S: dayjs -3000, luxon -3000',
  'PT1.5S: dayjs 1500, luxon 1500, Temporal 1500',
  'PT1,5S: dayjs 0, luxon 1500, Temporal 1500',
];
if (seen.join('\n') !== expected.join('\n')) throw new Error('behaves differently now');
END
node try.js
echo 'as described'
