// Scores a recording without the service: `bare-scorer.ts <file> <language> <seconds> <text>`.
// Prints as JSON the milliseconds of each round, in total and by step.
import type { Language } from '@jyutsing/contracts/transcript';
import type { BareScores } from './bare.ts';
import { openBareScoring } from './bare-scoring.ts';

const [path = '', language = '', seconds = '3', text = ''] = process.argv.slice(2);
const scoring = await openBareScoring(language as Language);

const times: BareScores = { allMs: [], readTextMs: [], readSoundMs: [], analyzeMs: [], assessMs: [], acousticMs: [] };

/** Times each step; the total is the sum of the steps. */
async function scoreOnce(): Promise<Record<keyof BareScores, number>> {
  const marks = [performance.now()];
  const target = await scoring.readText(text);
  marks.push(performance.now());
  const samples = await scoring.readSound(path);
  marks.push(performance.now());
  const analysis = await scoring.analyze(samples);
  marks.push(performance.now());
  scoring.assess(analysis, target);
  marks.push(performance.now());
  await scoring.compute(samples);
  const [start = 0, read = 0, decoded = 0, analyzed = 0, assessed = 0] = marks;
  return {
    allMs: assessed - start,
    readTextMs: read - start,
    readSoundMs: decoded - read,
    analyzeMs: analyzed - decoded,
    assessMs: assessed - analyzed,
    acousticMs: performance.now() - assessed,
  };
}

// Warm-up: in the service the code is compiled and the models are loaded.
for (let round = 0; round < 20; round += 1) await scoreOnce();
const startedMs = performance.now();
while (performance.now() - startedMs < Number(seconds) * 1_000) {
  const round = await scoreOnce();
  for (const [part, ms] of Object.entries(round)) times[part as keyof BareScores].push(ms);
}
console.log(JSON.stringify(times));
process.exit(0);
