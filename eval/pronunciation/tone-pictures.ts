import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PITCH_FRAME_MS } from '@jyutsing/audio/voice/track-pitch';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { createRandom } from '#packages/numeric/random.ts';
import { measurePitchCourse, QUIET_DB } from '#packages/engines/builtin/pronunciation/tones/measure-contour.ts';
import { readSamples } from '../sound.ts';
import { photograph, spectrogramOf, type Spectrogram } from '../spectrogram.ts';
import type { EngineLocation } from '../tasks.ts';
import { analyzeRecording } from './analyze-recording.ts';
import { findNatives, nativeSet, type NativeRecording } from './native-trials.ts';
import { readTable, type Table } from './tables.ts';
import { withScorer } from './with-scorer.ts';

/** A syllable by a person: mono sound at 16 kHz. */
type SpokenSyllable = { jyutping: string; samples: Float32Array };

const TONES = 6;
/** Syllables of one man in citation form, and those cut from sentences of many people, by tone. */
const IN_CITATION = 3;
const IN_SENTENCES = 5;
/** Sentences whose licence (CC0) lets pictures of them be published. */
const SENTENCES = /yue_sent_cv_lazy/;
/** Least score of a syllable that is taken from a sentence: it was read as the text says. */
const READ_AS_WRITTEN = 90;
/** Least length of a syllable, in milliseconds: less would be stretched until nothing is seen. */
const LEAST_MS = 150;
/** Sound before and after a syllable of a sentence, in milliseconds. */
const MARGIN_MS = 20;
/** Harmonics up to 500 Hz are drawn, in bins of 4 Hz. */
const SETTINGS = { size: 4_096, window: 640, hop: 48, topHz: 500, emphasis: 0 };
const BIN_HZ = RECOGNIZER_SAMPLE_RATE_HZ / SETTINGS.size;

/**
 * Draws eight syllables by people of each Cantonese tone, with the pitch that scoring measures,
 * into `tones.jpg` of a folder. Returns null without the recordings.
 */
export async function drawTones(
  { folder, sets }: { folder: string; sets: readonly string[] },
  place: EngineLocation,
): Promise<string | null> {
  const citation = await readTable(sets, 'yue-syllables-kt');
  const natives = await findNatives(sets, Infinity);
  if (citation === null || natives === null) return null;
  const random = createRandom(5);
  const inSentences = await cutSyllables(
    natives.filter(({ path }) => SENTENCES.test(path)),
    place,
  );
  const drawn: Spectrogram[] = [];
  for (let tone = 1; tone <= TONES; tone++) {
    const hasTone = ({ jyutping = '' }: Readonly<Record<string, unknown>>) => String(jyutping).endsWith(String(tone));
    const rows = draw(citation.rows.filter(hasTone), IN_CITATION, random);
    drawn.push(...(await readSyllables(citation, rows)).map(pictureOf));
    drawn.push(...draw(inSentences.filter(hasTone), IN_SENTENCES, random).map(pictureOf));
  }
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'tones.jpg');
  await writeFile(path, await photograph(drawn, { inRow: IN_CITATION + IN_SENTENCES, height: 110 }));
  return path;
}

/** Some items of a list, each once. */
function draw<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const left = [...items];
  const drawn: Item[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}

async function readSyllables({ folder }: Table, rows: Table['rows']): Promise<SpokenSyllable[]> {
  return Promise.all(
    rows.map(async ({ file = '', jyutping = '' }) => ({ jyutping, samples: await readSamples(join(folder, file)) })),
  );
}

/** Cuts the syllables that were read as written from recordings of sentences. */
async function cutSyllables(natives: readonly NativeRecording[], place: EngineLocation): Promise<SpokenSyllable[]> {
  const { recordings } = await nativeSet(natives);
  const cut = await withScorer(place, 'cantonese', async (scorer) => {
    const syllables: SpokenSyllable[] = [];
    for (const { path, units } of recordings) {
      const analysis = await analyzeRecording(scorer, path);
      if ('refused' in analysis) continue;
      const assessment = scorer.assess(analysis, { language: 'cantonese', units });
      if (assessment.language === 'english') continue;
      for (const { expected: jyutping, startMs, endMs, score } of assessment.syllables) {
        if (startMs === null || endMs === null || endMs - startMs < LEAST_MS || score < READ_AS_WRITTEN) continue;
        const samples = analysis.samples.slice(sampleAt(startMs - MARGIN_MS), sampleAt(endMs + MARGIN_MS));
        syllables.push({ jyutping, samples });
      }
    }
    return syllables;
  });
  return cut ?? [];
}

function sampleAt(ms: number): number {
  return Math.max(0, Math.round((ms * RECOGNIZER_SAMPLE_RATE_HZ) / 1_000));
}

function pictureOf({ jyutping, samples }: SpokenSyllable): Spectrogram {
  const picture = spectrogramOf(jyutping, samples, SETTINGS);
  const { pitchHz, levelDb } = measurePitchCourse(samples, RECOGNIZER_SAMPLE_RATE_HZ);
  const loudest = levelDb.reduce((most, level) => Math.max(most, level), -Infinity);
  const points = Array.from({ length: picture.columns }, (_, column) => {
    const ms = ((column * SETTINGS.hop + SETTINGS.window / 2) * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    const frame = Math.round(ms / PITCH_FRAME_MS);
    const isLoud = (levelDb[frame] ?? -Infinity) > loudest - QUIET_DB;
    return [column, isLoud ? Math.round(pitchHz[frame]! / BIN_HZ) : 0] as const;
  });
  return { ...picture, points: points.filter(([, bin]) => bin > 0) };
}
