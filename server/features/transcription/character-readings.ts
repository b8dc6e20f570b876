import type { Segment, Word } from '@jyutsing/contracts/transcript';
import { textToJyutping } from '@jyutsing/text/readings/text-to-jyutping';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';

/**
 * The jyutping of the characters of a segment by their position in the text, in UTF-16 units: the
 * recognized one if the dictionary knows it, otherwise the one of the dictionary in this context.
 * Characters without a reading are missing.
 */
export function jyutpingByPosition({ text, words: units }: Pick<Segment, 'text' | 'words'>): Map<number, string> {
  const readings = new Map<number, string>();
  const recognized = recognizedByPosition(text, units);
  let at = 0;
  for (const { char, jyutping, readings: possible } of textToJyutping(text)) {
    const heardAs = recognized.get(at);
    const isPossible = heardAs !== undefined && (possible.length === 0 || possible.includes(heardAs));
    const reading = isPossible ? heardAs : jyutping;
    if (reading !== null && reading !== undefined) readings.set(at, reading);
    at += char.length;
  }
  return readings;
}

function recognizedByPosition(text: string, units: readonly Word[]): Map<number, string> {
  const recognized = new Map<number, string>();
  let at = 0;
  for (const { text: written, reading } of units) {
    const position = written === '' ? -1 : text.indexOf(written, at);
    if (position < 0) continue;
    if (reading !== null && isSyllable(reading)) recognized.set(position, reading);
    at = position + written.length;
  }
  return recognized;
}

/**
 * Gives Chinese characters that people typed, which were not recognized, the readings that they
 * have in this context.
 */
export function withTypedReadings(segment: Segment): Segment {
  const readings = jyutpingByPosition(segment);
  let at = 0;
  const words = segment.words.map((word) => {
    const position = segment.text.indexOf(word.text, at);
    if (position >= 0) at = position + word.text.length;
    return word.reading === null && position >= 0 ? { ...word, reading: readings.get(position) ?? null } : word;
  });
  return { ...segment, words };
}

/** A text in pieces: characters with their jyutping, and the stretches between them. */
export type ReadPiece = { text: string; jyutping: string | null };

export function readPieces(segment: Pick<Segment, 'text' | 'words'>): ReadPiece[] {
  const readings = jyutpingByPosition(segment);
  const pieces: ReadPiece[] = [];
  let at = 0;
  for (const character of segment.text) {
    const jyutping = readings.get(at) ?? null;
    at += character.length;
    const last = pieces.at(-1);
    if (jyutping === null && last !== undefined && last.jyutping === null) last.text += character;
    else pieces.push({ text: character, jyutping });
  }
  return pieces;
}
