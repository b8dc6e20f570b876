import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { replaceFile } from '@jyutsing/system/replace-file';
import { loadAddReadings } from '@jyutsing/text/normalization/add-readings';
import { normalize } from '@jyutsing/text/normalization/normalize';
import { splitText } from '@jyutsing/text/normalization/split-text';
import { openScorer } from '#packages/engines/builtin/pronunciation/open-scorer.ts';
import type { Scorer } from '#packages/engines/builtin/pronunciation/types.ts';
import { soundsOf } from '#packages/engines/syllable/sounds-of.ts';
import { wordKey } from '#packages/engines/syllable/voice-file.ts';
import { startProgress } from '../../../eval/progress.ts';
import { readSamples } from '../../../eval/sound.ts';
import { buildVoice } from './build-voice.ts';
import { chooseRecordings, type ScoredWord } from './choose-recordings.ts';
import { cutWord } from './cut-word.ts';
import { readRecording, rowsOf } from './read-recording.ts';
import { MS } from './signal.ts';

const USAGE = `usage: node training/voices/syllables/build-mandarin.ts --recordings TABLE.tsv --speaker NAME --out FILE
TABLE.tsv has the columns file, text, pinyin and speaker. Options:
  --words N           longer words to keep, the most frequent first (5500)
  --frequencies FILE  words with their counts, separated by spaces
  --bit-rate N        bits per second (16000)
  --alignments FILE   keep scores and times of the recordings here, so that the next build takes two minutes
  --limit N           recordings to use, for trying`;
/** Recordings with a lower score are of another text, or unclear. */
const LEAST_SCORE = 60;
const HAN = /^\p{Script=Han}{1,4}$/u;

type Alignment = {
  score: number;
  syllables: { startMs: number | null; endMs: number | null; score: number }[];
};

const { values } = parseArgs({
  options: {
    recordings: { type: 'string' },
    speaker: { type: 'string' },
    out: { type: 'string' },
    words: { type: 'string', default: '5500' },
    frequencies: { type: 'string' },
    'bit-rate': { type: 'string', default: '16000' },
    alignments: { type: 'string' },
    limit: { type: 'string', default: 'Infinity' },
  },
});
if (values.recordings === undefined || values.speaker === undefined || values.out === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const sounds = soundsOf('mandarin');
const addReadings = await loadAddReadings();
const frequencies = new Map<string, number>();
if (values.frequencies !== undefined) {
  for (const line of (await readFile(values.frequencies, 'utf8')).split('\n')) {
    const [word = '', count = '0'] = line.split(' ');
    frequencies.set(word, Number(count));
  }
}
const folder = dirname(values.recordings);
const rows = rowsOf(await readFile(values.recordings, 'utf8'))
  .filter(([, text = '', , speaker]) => speaker === values.speaker && HAN.test(text))
  .slice(0, Number(values.limit));
const alignments = new Map<string, Alignment>();
if (values.alignments !== undefined && existsSync(values.alignments)) {
  const kept = JSON.parse(await readFile(values.alignments, 'utf8')) as [string, Alignment][];
  for (const [file, alignment] of kept) alignments.set(file, alignment);
}
const scorer = await openScorer(join(import.meta.dirname, '../../../models'), 'mandarin');
const progress = startProgress('scoring and cutting', rows.length);
const scored: ScoredWord[] = [];
let leftOut = 0;
for (const [index, [file = '', text = '']] of rows.entries()) {
  try {
    scored.push(await scoreAndCut(scorer, file, text));
  } catch (thrown) {
    leftOut += 1;
    console.error(`left out: ${text}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  progress.done(index + 1);
}
await scorer.close();
if (values.alignments !== undefined) await replaceFile(values.alignments, Buffer.from(JSON.stringify([...alignments])));
const chosen = chooseRecordings(scored, Number(values.words));
const voice = buildVoice(chosen, Number(values['bit-rate']));
await replaceFile(values.out, voice);
const words = chosen.filter(({ units }) => units[0]!.label.includes('.')).length;
const labels = new Set(chosen.flatMap(({ units }) => units.map(({ label }) => label)).filter((l) => !l.includes('/')));
progress.finish(`${words} words, ${labels.size} syllables, ${leftOut} recordings left out, ${voice.length} bytes`);

async function scoreAndCut(by: Scorer, file: string, text: string): Promise<ScoredWord> {
  const path = resolve(folder, file);
  const labels = readingOf(text);
  const alignment = alignments.get(file) ?? (await align(by, path, text, labels));
  alignments.set(file, alignment);
  const { score, syllables } = alignment;
  if (score < LEAST_SCORE) throw new Error(`it scores ${Math.round(score)}.`);
  const spans = syllables.map(({ startMs, endMs }) => {
    if (startMs === null || endMs === null) throw new Error('a syllable is missing.');
    return { from: startMs * MS, to: endMs * MS };
  });
  const cut = cutWord(await readRecording(path), labels, spans, sounds);
  const named = labels.length === 1 ? labels : labels.map((_, i) => wordKey(labels, i));
  return {
    samples: cut.samples,
    units: cut.units.map((unit, i) => ({ ...unit, label: named[i]! })),
    labels,
    score,
    syllableScores: syllables.map((syllable) => syllable.score),
    frequency: frequencies.get(text) ?? 0,
  };
}

async function align(by: Scorer, path: string, text: string, labels: readonly string[]): Promise<Alignment> {
  const analysis = await by.analyze(await readSamples(path));
  const units = labels.map((reading, i) => ({
    kind: 'syllable' as const,
    text: Array.from(text)[i]!,
    readings: [reading],
    afterPause: false,
  }));
  const assessed = by.assess(analysis, { language: 'mandarin', units });
  if (assessed.language === 'english') throw new Error('not assessed.');
  return {
    score: assessed.score,
    syllables: assessed.syllables.map(({ startMs, endMs, score }) => ({ startMs, endMs, score })),
  };
}

/** As the engine is given it: with sandhi, and as one word. */
function readingOf(text: string): string[] {
  const pieces = splitText(text, 'mandarin').flatMap((part) => normalize(part, 'mandarin') ?? []);
  const words = pieces.map(addReadings).flatMap(({ phrases }) => phrases.flatMap((phrase) => phrase.words));
  const labels = words.flatMap(({ reading }) => reading.flatMap((syllable) => sounds.normalize(syllable) ?? []));
  if (labels.length !== Array.from(text).length) throw new Error('its reading is not known.');
  return labels;
}
