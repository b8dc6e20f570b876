// `npm run eval -- stt [--set FILE.tsv …]`: error rates and speed of every recogniser available, on every set given.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config/config.ts';
import { loadEngines, SHIPPED_ENGINES_DIR } from '../../src/engines/registry.ts';
import { evaluateRecognizer, evaluateSyllables, type Row } from './evaluate.ts';
import { makeSpokenSentences, readSet, type EvaluationSet } from './sets.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { set: { type: 'string', multiple: true, default: [] }, limit: { type: 'string' } },
});
if (positionals[0] !== 'stt') {
  console.error('usage: npm run eval -- stt [--set FILE.tsv …] [--limit RECORDINGS]');
  process.exit(2);
}
const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
const surroundings = loadConfig().engines;
const { recognizers } = await loadEngines({ enginesDir: SHIPPED_ENGINES_DIR, surroundings });
const available = recognizers
  .flatMap((engine) => engine.models(surroundings).map((model) => ({ engine, model })))
  .filter(({ model }) => model.availability.available);

const sets: EvaluationSet[] = [await makeSpokenSentences(join(import.meta.dirname, '../../.cache/evaluate'))];
for (const path of values.set) sets.push(await readSet(path));

const rows: Row[] = [];
for (const { name, items } of sets) {
  const set = { name, items: items.slice(0, limit) };
  console.error(`${name}: ${set.items.length} recordings`);
  if (set.items.some((item) => item.jyutping !== null)) rows.push(await evaluateSyllables(set, surroundings));
  for (const choice of available) {
    if (set.items.some((item) => item.text !== null)) rows.push(await evaluateRecognizer(set, choice, surroundings));
  }
}
printTable(rows);

function printTable(lines: readonly Row[]): void {
  const header = ['set', 'recordings', 'what', 'error', '95 % interval', '× real time (CPU)'];
  const cells = lines.flatMap((row) =>
    row.errors.map(({ what, rate, margin }) => [
      row.set,
      String(row.recordings),
      `${row.engine}: ${what}`,
      `${(rate * 100).toFixed(1)} %`,
      `± ${(margin * 100).toFixed(1)}`,
      row.speed.toFixed(0),
    ]),
  );
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]!.length)));
  for (const line of [header, ...cells])
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
