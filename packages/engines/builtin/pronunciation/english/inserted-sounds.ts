import type { InsertedSpeech } from '@jyutsing/contracts/pronunciation';
import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';
import { isEnglishFiller } from '#engines/builtin/pronunciation/fillers.ts';
import type { Comparison } from './compare-words.ts';

/** Longest silence within one inserted stretch, in milliseconds. */
const LONGEST_GAP_MS = 150;
/** Phones of an inserted stretch below which it may be a slip of the model or of the tongue. */
const FEWEST_PHONES = 2;

/**
 * Lists what a recording has beyond its text: words that were said again, and stretches of at least
 * two phones, or hesitations, between the words.
 */
export function insertedSounds(
  { words, repeated, inserted, emissions }: Comparison,
  frameMs: number,
): InsertedSpeech[] {
  const stretches: { phones: string[]; startMs: number; endMs: number }[] = [];
  for (const { startFrame, endFrame } of inserted) {
    const phone = ARPABET_PHONES[(emissions.bestPhone[startFrame] ?? 0) - 1] ?? '';
    const last = stretches.at(-1);
    if (last !== undefined && startFrame * frameMs - last.endMs <= LONGEST_GAP_MS) {
      last.phones.push(phone);
      last.endMs = endFrame * frameMs;
    } else {
      stretches.push({ phones: [phone], startMs: startFrame * frameMs, endMs: endFrame * frameMs });
    }
  }
  const sounds = stretches.flatMap(({ phones, startMs, endMs }): InsertedSpeech[] => {
    const isHesitation = isEnglishFiller(phones, endMs - startMs);
    if (!isHesitation && phones.length < FEWEST_PHONES) return [];
    return [{ kind: isHesitation ? 'filler' : 'other', heard: phones.join(' '), startMs, endMs }];
  });
  const again = repeated.map(({ word, startMs, endMs }): InsertedSpeech => {
    const columns = words[word]?.columns ?? [];
    const phones = columns.map((column) => ARPABET_PHONES[column - 1] ?? '');
    return { kind: 'repetition', heard: phones.join(' '), startMs, endMs };
  });
  return [...sounds, ...again].sort((a, b) => a.startMs - b.startMs);
}
