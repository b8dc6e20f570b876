import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@jyutsing/contracts/errors';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { wavBytes } from '#testbed/sound/audio.ts';
import { readTable } from '../pronunciation/tables.ts';
import type { EvaluationSet, Item } from '../read-set.ts';
import { readSamples } from '../sound.ts';
import { itemOf } from './spoken-set.ts';

/** Recordings that the Cantonese voice is made of. */
const SYLLABLES_TABLE = 'yue-syllables-kt';
const WINDOW = RECOGNIZER_SAMPLE_RATE_HZ / 100;
/** Share of the loudest window below which sound at both ends is a pause. */
const QUIET_SHARE = 0.03;
const OVERLAP = RECOGNIZER_SAMPLE_RATE_HZ / 100;

type Options = { sets: readonly string[]; sentences: readonly string[]; folder: string };

/**
 * Sentences made of whole recorded syllables, neither shortened nor given a melody: what the
 * recognizer gets wrong of them, it gets wrong of the recordings. A sentence with a syllable that
 * was not recorded is left out. Throws `invalid_parameter` without recordings.
 */
export async function joinRecordedSyllables({
  sets,
  sentences,
  folder,
}: Options): Promise<EvaluationSet & { language: Language }> {
  const table = await readTable(sets, SYLLABLES_TABLE);
  if (table === null) throw new AppError('invalid_parameter', `No folder of --sets has ${SYLLABLES_TABLE}.tsv.`);
  const files = new Map(table.rows.map(({ jyutping = '', file = '' }) => [jyutping, join(table.folder, file)]));
  const items: Item[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const path = join(folder, `recorded-${index}.wav`);
    const item = await itemOf(sentence, 'cantonese', path, 'recordings');
    const paths = (item.units ?? []).map((unit) => files.get(unit));
    if (paths.length === 0 || paths.includes(undefined)) continue;
    const pieces: Float32Array[] = [];
    for (const unitPath of paths) pieces.push(withoutQuietEnds(await readSamples(unitPath!)));
    const joined = joinOverlapping(pieces, OVERLAP);
    await writeFile(path, wavBytes({ sampleRateHz: RECOGNIZER_SAMPLE_RATE_HZ, channels: [joined] }));
    items.push(item);
  }
  if (items.length === 0) throw new AppError('invalid_parameter', 'No sentence has only recorded syllables.');
  return { name: 'recorded syllables, joined', language: 'cantonese', items };
}

/** Joins pieces so that each fades into the next. */
export function joinOverlapping(pieces: readonly Float32Array[], overlap: number): Float32Array {
  const length = pieces.reduce((sum, piece) => sum + Math.max(0, piece.length - overlap), overlap);
  const joined = new Float32Array(length);
  let at = 0;
  for (const piece of pieces) {
    for (const [index, value] of piece.entries())
      joined[at + index]! += value * Math.min(1, (index + 1) / overlap, (piece.length - index) / overlap);
    at += Math.max(0, piece.length - overlap);
  }
  return joined;
}

export function withoutQuietEnds(sound: Float32Array): Float32Array {
  const levels: number[] = [];
  for (let at = 0; at + WINDOW <= sound.length; at += WINDOW)
    levels.push(Math.hypot(...sound.subarray(at, at + WINDOW)));
  const threshold = QUIET_SHARE * levels.reduce((most, level) => Math.max(most, level), 0);
  const first = levels.findIndex((level) => level > threshold);
  const last = levels.findLastIndex((level) => level > threshold);
  return first < 0 ? sound : sound.slice(first * WINDOW, (last + 1) * WINDOW);
}
