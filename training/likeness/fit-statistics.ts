// `node training/likeness/fit-statistics.ts CLIPS OUTPUT.json`: fits the judge of statistics to the
// clips of make-clips.ts, and prints its scores on speakers that it did not learn from.
import { mean } from '@jyutsing/numeric/statistics';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fitLikeness, likenessOf, type JudgedClip } from '../../eval/tts/human-likeness.ts';

type Clip = JudgedClip & { part: 'train' | 'check' };

const DIGITS = 5;

const [folder, output] = process.argv.slice(2);
if (folder === undefined || output === undefined) {
  process.stderr.write('usage: fit-statistics.ts CLIPS OUTPUT.json\n');
  process.exit(2);
}
const lines = (await readFile(join(folder, 'clips.jsonl'), 'utf8')).trim().split('\n');
const clips = lines.map((line): Clip => JSON.parse(line));
const model = fitLikeness(clips.filter(({ part }) => part === 'train'));
for (const kind of new Set(clips.map((clip) => clip.kind))) {
  const scores = clips
    .filter((clip) => clip.kind === kind && clip.part === 'check')
    .map(({ features }) => likenessOf(features, model));
  if (scores.length === 0) {
    console.log(`${kind}: none held out`);
    continue;
  }
  const accepted = scores.filter((score) => score > 0.5).length / scores.length;
  console.log(`${kind}: mean ${mean(scores).toFixed(2)}, taken for people ${accepted.toFixed(2)} of ${scores.length}`);
}
const rounded = Object.fromEntries(
  Object.entries(model).map(([name, values]) => [name, values.map((value) => Number(value.toPrecision(DIGITS)))]),
);
await writeFile(output, `${JSON.stringify(rounded, null, 1)}\n`);
