// `node scripts/run.js eval/alignment.ts --sets RECORDINGS [--count 50]` measures how well texts
// are aligned with recordings of people that are joined at known places.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '@jyutsing/numeric/random';
import { median, quantile } from '@jyutsing/numeric/statistics';
import { joinSamples } from '@jyutsing/audio/join-samples';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { loadEngines, SHIPPED_ENGINES_DIR } from '@jyutsing/engines/registry';
import { alignText } from '#server/features/alignment/align-text.ts';
import { readSet } from './read-set.ts';
import { asChunks, readSamples, withoutSilence } from './sound.ts';

const { values } = parseArgs({
  options: { sets: { type: 'string', default: '.' }, count: { type: 'string', default: '50' } },
});
const SETS: readonly [Language, string][] = [
  ['cantonese', 'yue-sentences-dev'],
  ['english', 'eng-learners-train'],
];
const SENTENCES = 4;
const PAUSE = new Float32Array(0.4 * RECOGNIZER_SAMPLE_RATE_HZ);
const NEVER = new AbortController().signal;
const registry = await loadEngines({
  enginesDir: SHIPPED_ENGINES_DIR,
  env: { builtinModelsDir: resolve(import.meta.dirname, '../models'), modelsDir: '/nowhere', settings: {} },
});

type Joined = { text: string; samples: Float32Array; jointsMs: number[] };
const errorsOf = async ({ text, samples, jointsMs }: Joined, language: Language): Promise<number[]> => {
  const recognizer = await registry.open(registry.select('recognizer', { language }));
  const heardSegments: Segment[] = [];
  for await (const event of recognizer.recognize(
    asChunks(samples),
    { language, context: null, romanize: false },
    NEVER,
  )) {
    if (event.type === 'segment-end') heardSegments.push(event.segment);
  }
  const { segments } = await alignText(text, heardSegments, language);
  return jointsMs.map((jointMs, index) => (segments[index]?.startMs ?? Infinity) - jointMs);
};

/** Joins speech without its silence; a joint is where the speech of a sentence begins. */
function join(sentences: readonly { text: string; samples: Float32Array }[]): Joined {
  const parts: Float32Array[] = [];
  const jointsMs: number[] = [];
  let length = 0;
  for (const { samples } of sentences) {
    jointsMs.push(((length + PAUSE.length) * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ);
    parts.push(PAUSE, samples);
    length += PAUSE.length + samples.length;
  }
  return { text: sentences.map(({ text }) => text).join('\n'), samples: joinSamples([...parts, PAUSE]), jointsMs };
}

for (const [language, name] of SETS) {
  const { items } = await readSet(resolve(values.sets, `${name}.tsv`));
  const random = createRandom(7);
  const errors: number[] = [];
  for (let recording = 0; recording < Number(values.count) / SETS.length; recording += 1) {
    const chosen = Array.from({ length: SENTENCES }, () => items[Math.floor(random() * items.length)]!);
    const sentences = [];
    for (const { path, text } of chosen) {
      sentences.push({ text: (text ?? '').toLowerCase(), samples: withoutSilence(await readSamples(path)) });
    }
    errors.push(...(await errorsOf(join(sentences), language)));
  }
  const absolute = errors.map(Math.abs);
  const figures = [median(absolute), quantile(absolute, 0.9), median(errors)].map(
    (ms) => `${String(Math.round(ms))} ms`,
  );
  console.log(
    `${language}: ${String(errors.length)} joints, median ${figures[0]}, 90 % ${figures[1]}, bias ${figures[2]}`,
  );
}
