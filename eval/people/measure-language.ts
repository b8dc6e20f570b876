import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { loadEngines } from '@jyutsing/engines/registry';
import { createRandom } from '#packages/numeric/random.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { joinRecordings } from '../../training/language-identifier/clips.ts';
import { evaluateLanguage } from '../evaluate-language.ts';
import { isTestLearner } from '../pronunciation/held-out.ts';
import { startProgress, withProgress } from '../progress.ts';
import type { EvaluationSet, Item } from '../read-set.ts';
import { readSamples } from '../sound.ts';
import { createMeasured, right, type Measured } from './figures.ts';
import { isHeldOutSyllable, readHumanSet } from './human-sets.ts';
import type { FigureId } from './references.ts';
import type { PeopleOptions } from './people-options.ts';

const CLIP_SECONDS = [3, 6] as const;
/**
 * Recordings as short as these are clips as they are: for clips of three seconds all with speech,
 * for those of six what is clearly longer than three.
 */
const WHOLE_FROM_SECONDS = { 3: 0.5, 6: 3.3 } as const;
const SEED = 7;
const TRAINED_SPEAKER_CMN = 'yt';

type Measurement = {
  name: string;
  ids: Record<3 | 6, FigureId>;
  isWhole: boolean;
  drawn: 'speakers' | 'recordings';
  set: EvaluationSet;
};

/** Share of clips of people whose language the identifier gets right. */
export async function measureLanguage(options: PeopleOptions): Promise<Measured> {
  const measured = createMeasured();
  const ref = (await loadEngines(options.place)).select('language-identifier');
  const identifier = { name: ref.engine, version: ref.version };
  const folder = await mkdtemp(join(tmpdir(), 'jyutsing-people-'));
  try {
    for (const { name, ids, isWhole, drawn, set } of await collectSets(options, folder, measured)) {
      for (const clipSeconds of CLIP_SECONDS) {
        const progress = startProgress(`language, ${name}, ${clipSeconds} s`, set.items.length);
        const whole = isWhole ? { wholeFromSeconds: WHOLE_FROM_SECONDS[clipSeconds] } : {};
        const task = { ...options.place, ...whole, clipSeconds, among: LANGUAGES };
        const row = await evaluateLanguage(set, identifier, task, progress.done);
        progress.finish(row.failure === null ? `${row.clips} clips` : `failed: ${row.failure}`);
        if (row.failure !== null) measured.failures.push(`${name}, ${clipSeconds} s: ${row.failure}`);
        else measured.figures.push(right(ids[clipSeconds], `${row.clips} clips`, row.errors[0]!, drawn));
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return measured;
}

async function collectSets(options: PeopleOptions, folder: string, measured: Measured): Promise<Measurement[]> {
  const { folders, sizes } = options;
  const found: Measurement[] = [];
  const limit = sizes.recordings;
  const sentences = await readHumanSet(folders, { table: 'yue-sentences-dev', language: 'cantonese', limit });
  if (sentences === null) measured.skipped.push('Cantonese sentences: no yue-sentences-dev.tsv');
  else {
    // The speakers are unknown: all clips of a recording are drawn together.
    const items = sentences.items.map((item) => ({ ...item, speaker: item.path }));
    const ids = { 3: 'cantonese3', 6: 'cantonese6' } as const;
    found.push({ name: 'Cantonese sentences', ids, isWhole: true, drawn: 'recordings', set: { ...sentences, items } });
  }
  const learners = await readHumanSet(folders, {
    table: 'eng-learners-train',
    language: 'english',
    limit: sizes.learners,
    isKept: ({ speaker = '' }) => isTestLearner(speaker),
  });
  if (learners === null) measured.skipped.push('English learners: no eng-learners-train.tsv with held-out speakers');
  else {
    const ids = { 3: 'english3', 6: 'english6' } as const;
    found.push({ name: 'English learners', ids, isWhole: !sizes.joinsLearners, drawn: 'speakers', set: learners });
  }
  return [...found, ...(await joinedSets(options, folder, measured))];
}

/** Connected speech of words and of syllables, written into the folder. */
async function joinedSets(options: PeopleOptions, folder: string, measured: Measured): Promise<Measurement[]> {
  const kinds = [
    { name: 'Mandarin words joined', isKept: isLongWord, ids: { 3: 'words3', 6: 'words6' } },
    { name: 'Mandarin syllables joined', isKept: isHeldOutSyllable, ids: { 3: 'syllables3', 6: 'syllables6' } },
  ] as const;
  const found: Measurement[] = [];
  for (const { name, isKept, ids } of kinds) {
    const wordSet = { table: 'cmn-words', language: 'mandarin', limit: Infinity, isKept } as const;
    const words = await readHumanSet(options.folders, wordSet);
    if (words === null) measured.skipped.push(`${name}: no cmn-words.tsv with them`);
    else {
      const items = await joinItems(name, words.items, options.sizes.joined, join(folder, ids[3]));
      found.push({ name, ids, isWhole: false, drawn: 'recordings', set: { name, items } });
    }
  }
  return found;
}

const isLongWord = ({ speaker, text = '' }: Readonly<Record<string, string>>): boolean =>
  speaker === TRAINED_SPEAKER_CMN && [...text].length >= 2;

const JOINED_SECONDS = 7.5;
/** Pitch and formants unchanged; tempo, overlap in ms, no pauses. */
const JOINING = [
  [1, 1],
  [1.2, 1.6],
  [15, 60],
  [0, 0],
] as const;

function joinItems(name: string, words: readonly Item[], count: number, prefix: string): Promise<Item[]> {
  const random = createRandom(SEED);
  const next = () => readSamples(words[Math.floor(random() * words.length)]!.path);
  return withProgress(`${name}: joining`, count, async (done) => {
    const items: Item[] = [];
    while (items.length < count) {
      const sound = await joinRecordings(next, JOINED_SECONDS, JOINING, random);
      const path = `${prefix}-${items.length}.wav`;
      await writeFile(path, wavBytes({ sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, channels: [sound] }));
      // Clips of a recording are drawn together.
      items.push({ path, language: 'mandarin', text: null, units: null, speaker: path });
      done(items.length);
    }
    return items;
  });
}
