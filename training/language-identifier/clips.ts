import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RECOGNIZER_SAMPLE_RATE_HZ as RATE_HZ } from '@jyutsing/contracts/recognizer';
import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { resample } from '#packages/audio/vocoder/resample.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { speechOf } from '../../eval/clips.ts';
import { isTestLearner } from '../../eval/pronunciation/held-out.ts';
import { readTable, type Table } from '../../eval/pronunciation/tables.ts';
import { readSamples } from '../../eval/sound.ts';
import * as shape from './shape-sound.ts';
import { pick, uniform, type Random } from './shape-sound.ts';

/** The sound of a clip, at least as long as asked for where the source allows it. */
type MakeClip = () => Promise<Float32Array>;

/** Clips of one kind. All sources of a language count equally in the fit. */
export type Source = {
  name: string;
  language: Language;
  /** Number of clips relative to the others. */
  share: number;
  /** Clips for tests are never fitted on. */
  isTest: boolean;
  make: MakeClip;
};

type Row = Table['rows'][number];
type Range = readonly [from: number, to: number];

/** Formants and pitch of one speaker are multiplied by a factor in this range. */
const SHIFT: Range = [0.82, 1.28];
const NO_PAUSE: Range = [0, 0];

/** Ranges to draw from: factor of formants and pitch, tempo, overlap in ms and pauses in ms. */
type JoiningRanges = readonly [shift: Range, tempo: Range, overlapMs: Range, pauseMs: Range];

/** Joins isolated recordings as `next` gives them to connected speech of at least `seconds`. */
export async function joinRecordings(
  next: () => Promise<Float32Array>,
  seconds: number,
  [shift, tempo, overlapMs, pauseMs]: JoiningRanges,
  random: Random,
): Promise<Float32Array> {
  const [factor, rate] = [uniform(random, ...shift), uniform(random, ...tempo)];
  const pieces: Float32Array[] = [];
  for (let length = 0; length < seconds * RATE_HZ * rate; length += pieces.at(-1)!.length) {
    const piece = shape.withPeak(shape.trimQuietEnds(await next()), uniform(random, 0.3, 0.6));
    const pause = Math.round((uniform(random, ...pauseMs) * rate * RATE_HZ) / 1_000);
    pieces.push(joinSamples([piece, new Float32Array(pause)]));
  }
  return shape.revoice(shape.joinTightly(pieces, uniform(random, ...overlapMs)), factor, rate);
}

/**
 * The sources of clips in `folder`, which holds the tables yue-syllables-kt, yue-syllables-other,
 * cmn-words, eng-learners-train and eng-speakers (.tsv) with their recordings; and espeak-ng
 * reading the sentences of `eval/`. Isolated syllables and words are joined tightly and shortened,
 * and some English is cut up and shuffled, so that connected speech is not the mark of a language.
 */
export async function openSources(folder: string, seconds: number, random: Random): Promise<Source[]> {
  const tables = await Promise.all(
    ['yue-syllables-kt', 'yue-syllables-other', 'cmn-words', 'eng-learners-train', 'eng-speakers'].map((name) =>
      readRows(folder, name),
    ),
  );
  const [kt = [], otherVoices = [], words = [], learners = [], natives = []] = tables;
  const load = createLoader(folder);
  const longWords = words.filter(({ speaker, text = '' }) => speaker === 'yt' && [...text].length >= 2);
  const cw = words.filter(({ speaker }) => speaker === 'cw');
  const sampleCount = (seconds + 0.5) * RATE_HZ;

  const joined = (rows: readonly Row[], ranges: JoiningRanges) => () =>
    joinRecordings(() => load(pick(random, rows)), seconds + 0.5, ranges, random);
  const sentences = async (rows: readonly Row[]): Promise<Float32Array> => {
    const { speaker } = pick(random, rows);
    const speakerRows = rows.filter((row) => row['speaker'] === speaker);
    const pieces: Float32Array[] = [];
    for (let length = 0, count = 0; length < sampleCount && count < 12; length += pieces.at(-1)!.length, count++) {
      pieces.push(shape.withPeak(await speechOf(await load(pick(random, speakerRows))), 0.5));
    }
    return joinSamples(pieces);
  };
  const revoiced = async (sound: Float32Array, tempo: Range) =>
    shape.revoice(sound, uniform(random, 0.9, 1.12), uniform(random, ...tempo));
  const trained = learners.filter((row) => !isHeldOut(row));
  const tested = learners.filter(isHeldOut);
  const source = (name: string, language: Language, share: number, make: MakeClip, isTest = false): Source => ({
    name,
    language,
    share,
    isTest,
    make: async () => shape.withPeak(shape.degraded(await make(), random), 0.5),
  });
  return [
    source('kt, joined', 'cantonese', 2, joined(kt, [SHIFT, [1.2, 2.3], [15, 60], NO_PAUSE])),
    source('kt, apart', 'cantonese', 1, joined(kt, [SHIFT, [1, 1.5], [5, 5], [20, 150]])),
    source('yt, words joined', 'mandarin', 2, joined(longWords, [SHIFT, [1, 1.7], [15, 60], [0, 30]])),
    source('cw, joined', 'mandarin', 1, joined(cw, [SHIFT, [1.2, 2.2], [15, 60], NO_PAUSE])),
    source('learners', 'english', 2, async () => revoiced(await sentences(trained), [0.9, 1.2])),
    source('learners, shuffled', 'english', 1, async () =>
      revoiced(shape.shuffled(await sentences(trained), random), [0.9, 1.3]),
    ),
    source('natives', 'english', 1, async () => revoiced(await sentences(natives), [0.9, 1.2])),
    ...(await espeakSources(source, random)),
    source('learners held out', 'english', 2, () => sentences(tested), true),
    source(
      'other voices, joined',
      'cantonese',
      1,
      joined(otherVoices, [[0.95, 1.05], [1.2, 2], [15, 60], NO_PAUSE]),
      true,
    ),
  ];
}

const VARIANTS = ['', '+f2', '+m3', '+Annie', '+m7', '+f4', '+m6', '+Andrea', '+paul', '+linda'];
const ACCENTS = ['en-us', 'en-gb', 'en-gb-scotland'];
const EVALUATION = join(import.meta.dirname, '../../eval');

const readLines = async (file: string) => (await readFile(join(EVALUATION, file), 'utf8')).trim().split('\n');

type MakeSource = (name: string, language: Language, share: number, make: MakeClip) => Source;

/** Sentences read by espeak-ng in several voices. */
async function espeakSources(source: MakeSource, random: Random): Promise<Source[]> {
  const [yue, cmn, eng] = await Promise.all(
    ['sentences-yue.txt', 'sentences-cmn.tsv', 'sentences-eng.txt'].map(readLines),
  );
  const reader = (texts: readonly string[] = [], voice: () => string, spelled: (line: string) => string) =>
    async function make(): Promise<Float32Array> {
      const text = [0, 1, 2].map(() => spelled(pick(random, texts))).join(', ');
      const { channels, sampleRateHz } = await speak(text, {
        voice: voice() + pick(random, VARIANTS),
        rate: Math.round(uniform(random, 140, 200)),
        pitch: Math.round(uniform(random, 30, 65)),
      });
      return speechOf(resample(channels[0]!, sampleRateHz, RATE_HZ));
    };
  return [
    source(
      'espeak-ng, Cantonese',
      'cantonese',
      1,
      reader(yue, () => 'yue-latn-jyutping', toJyutping),
    ),
    source(
      'espeak-ng, Mandarin',
      'mandarin',
      1,
      reader(
        cmn,
        () => 'cmn-latn-pinyin',
        (line) => line.split('\t')[1]!,
      ),
    ),
    source(
      'espeak-ng, English',
      'english',
      1,
      reader(
        eng,
        () => pick(random, ACCENTS),
        (line) => line,
      ),
    ),
  ];
}

const isHeldOut = ({ speaker = '' }: Row): boolean => isTestLearner(speaker);

/** Throws `invalid_parameter` when the table is missing. */
export async function readRows(folder: string, name: string): Promise<Table['rows']> {
  const table = await readTable([folder], name);
  if (table === null) throw new AppError('invalid_parameter', `${folder} has no ${name}.tsv.`);
  return table.rows;
}

function createLoader(folder: string): (row: Row) => Promise<Float32Array> {
  const loaded = new Map<string, Float32Array>();
  return async ({ file = '' }) => {
    const sound = loaded.get(file) ?? (await readSamples(join(folder, file)));
    loaded.set(file, sound);
    return sound;
  };
}
