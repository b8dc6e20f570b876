import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { likeliest, openLanguageScores, type LanguageWeights } from '#packages/engines/builtin/language-scores.ts';
import { readSamples } from '../../eval/sound.ts';

/**
 * Calibrates models/language-identifier.json on clips of training/acoustic/make_language_clips.py:
 *
 *     node training/language-identifier/fit.ts --clips DIR [--test DIR] [--models models] [--out models/language-identifier.json]
 *
 * Run it again when an acoustic model changes.
 */
const { values } = parseArgs({
  options: {
    clips: { type: 'string' },
    test: { type: 'string' },
    models: { type: 'string', default: 'models' },
    out: { type: 'string', default: 'models/language-identifier.json' },
  },
});
if (values.clips === undefined) {
  process.stderr.write('Missing option: --clips <folder>\n');
  process.exit(2);
}

type Example = { scores: number[]; language: Language; speaker: string };

const ITERATIONS = 3_000;
const LEARNING_RATE = 0.05;
/** Keeps weights small, to generalize to other channels and voices. */
const PENALTY = 3e-2;

const scorer = await openLanguageScores(values.models);
const examples = await scoreClips(values.clips);
const weights = fit(examples);
report('fitted on', examples);
if (values.test !== undefined) report('tested on', await scoreClips(values.test));
await scorer.close();
writeFileSync(values.out, `${JSON.stringify({ weights }, null, 1)}\n`);

async function scoreClips(folder: string): Promise<Example[]> {
  const rows = (await readFile(join(folder, 'clips.tsv'), 'utf8')).trim().split('\n').slice(1);
  const found: Example[] = [];
  for (const row of rows) {
    const [file = '', name = '', speaker = ''] = row.split('\t');
    const language = LANGUAGES.find((each) => each === name);
    const scores = await scorer.score(await readSamples(join(folder, file)));
    if (language !== undefined) found.push({ scores, language, speaker });
  }
  return found;
}

/** Gradient descent on the logits, which need no scaling. */
function fit(all: readonly Example[]): LanguageWeights {
  const size = all[0]?.scores.length ?? 0;
  const fitted: Record<Language, number[]> = { cantonese: [], mandarin: [], english: [] };
  for (const language of LANGUAGES) fitted[language] = Array.from({ length: size }, () => 0);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const gradients = new Map(LANGUAGES.map((language) => [language, new Float64Array(size)]));
    for (const { scores, language } of all) {
      const logits = LANGUAGES.map((each) => scores.reduce((sum, x, at) => sum + x * (fitted[each][at] ?? 0), 0));
      const highest = Math.max(...logits);
      const shares = logits.map((logit) => Math.exp(logit - highest));
      const total = shares.reduce((sum, share) => sum + share, 0);
      for (const [index, each] of LANGUAGES.entries()) {
        const error = (shares[index] ?? 0) / total - Number(each === language);
        const gradient = gradients.get(each);
        scores.forEach((x, at) => gradient && (gradient[at] = (gradient[at] ?? 0) + error * x));
      }
    }
    for (const language of LANGUAGES) {
      fitted[language] = fitted[language].map((weight, at) => {
        const gradient = (gradients.get(language)?.[at] ?? 0) / all.length;
        return weight - LEARNING_RATE * (gradient + PENALTY * weight);
      });
    }
  }
  for (const language of LANGUAGES) fitted[language] = fitted[language].map((weight) => Number(weight.toPrecision(5)));
  return fitted;
}

function report(what: string, all: readonly Example[]): void {
  const counts = new Map<string, [right: number, all: number]>();
  for (const { scores, language, speaker } of all) {
    const guess = likeliest(scores, weights, LANGUAGES)?.language;
    for (const key of ['all', `${language}, ${speaker.startsWith('espeak') ? 'synthetic' : 'people'}`]) {
      const count = counts.get(key) ?? [0, 0];
      counts.set(key, [count[0] + Number(guess === language), count[1] + 1]);
    }
  }
  for (const [key, [right, total]] of [...counts].sort()) {
    process.stdout.write(`${what} ${key}: ${total} clips, ${((100 * right) / total).toFixed(1)} % right\n`);
  }
}
