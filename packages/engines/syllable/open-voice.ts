import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { createOpusDecoder } from '@jyutsing/audio/opus-decoder';
import { composeUnit } from './compose-unit.ts';
import { createLabelFinder, type PartLabels, type UnitLabels } from './find-labels.ts';
import type { Sounds } from './sounds.ts';
import { levelsOf } from './levels.ts';
import { createUnit, type SoundingUnit } from './unit.ts';
import { PACKET_SAMPLES, readVoiceFile, syllableOf, VOICE_RATE_HZ, wordKey } from './voice-file.ts';

/** Number of packets decoded before the wanted ones: Opus needs 80 ms to settle. */
const SETTLING_PACKETS = 4;
/** Number of decoded syllables that are kept, of about 40 KB each. */
const KEPT_UNITS = 400;

/** The recording that gives a syllable its sound, and the one that gives it its contour. */
export type FoundUnits = { sound: SoundingUnit; tune: SoundingUnit };

/** The recordings of one voice. */
export type SyllableVoice = {
  sounds: Sounds;
  /** Returns the names of the recordings that `find` uses, without decoding; throws as it does. */
  labelsFor(label: string, isEnglish: boolean): UnitLabels;
  /**
   * Returns the recordings for a syllable: its sound and its contour, of several recordings when
   * the syllable itself is missing. English words have the clearest sounds that were chosen for
   * them. Throws `engine_failed` for what is no syllable of the voice.
   */
  find(label: string, isEnglish: boolean): FoundUnits;
  /**
   * Returns the recordings of a whole word, one for each syllable; null when the word was not
   * recorded.
   */
  findWord(labels: readonly string[]): readonly FoundUnits[] | null;
  close(): void;
};

/** The sounds of syllables of English words, where others than the nearest are clearer. */
export type EnglishSounds = ReadonlyMap<string, UnitLabels['sound']>;

/** Reads the sounds that were chosen for English words. */
export async function readEnglishSounds(path: string): Promise<EnglishSounds> {
  return new Map(Object.entries(JSON.parse(await readFile(path, 'utf8')) as Record<string, UnitLabels['sound']>));
}

/** Opens a voice. Throws when the file is missing or damaged. */
export async function openVoice(
  path: string,
  sounds: Sounds,
  englishSounds: EnglishSounds = new Map(),
): Promise<SyllableVoice> {
  const { delaySamples, units, packets } = readVoiceFile(await readFile(path));
  const decoder = createOpusDecoder(VOICE_RATE_HZ);
  const opened = new LRUCache<string, SoundingUnit>({ max: KEPT_UNITS });
  const open = (label: string): SoundingUnit => {
    const cached = opened.get(label);
    if (cached !== undefined) return cached;
    const stored = units.get(label)!;
    const from = stored.from + delaySamples;
    const first = Math.max(0, Math.floor(from / PACKET_SAMPLES) - SETTLING_PACKETS);
    const last = Math.ceil((from + stored.length) / PACKET_SAMPLES) + 1;
    const at = from - first * PACKET_SAMPLES;
    const samples = decoder.decode(packets.slice(first, last)).subarray(at, at + stored.length);
    const silent = createUnit(stored, sounds);
    const unit = { ...silent, samples, levels: levelsOf(silent, samples) };
    opened.set(label, unit);
    return unit;
  };
  const compose = (label: string, { onsets, rime, coda }: PartLabels): SoundingUnit => {
    const key = [label, ...onsets, rime, coda].join(' ');
    const cached = opened.get(key);
    if (cached !== undefined) return cached;
    const parts = { onsets: onsets.map(open), rime: open(rime), coda: coda === null ? null : open(coda) };
    const unit = composeUnit(label, parts, sounds);
    opened.set(key, unit);
    return unit;
  };
  const find = createLabelFinder(
    [...units.keys()].filter((key) => syllableOf(key) === key),
    sounds,
  );
  const labelsFor = (label: string, isEnglish: boolean): UnitLabels => {
    const { sound, tune } = find(label);
    return { sound: (isEnglish ? englishSounds.get(label) : undefined) ?? sound, tune };
  };
  return {
    sounds,
    labelsFor,
    find(label, isEnglish) {
      const { sound, tune } = labelsFor(label, isEnglish);
      return { sound: typeof sound === 'string' ? open(sound) : compose(label, sound), tune: open(tune) };
    },
    findWord(labels) {
      if (!units.has(wordKey(labels, 0))) return null;
      return labels.map((_, index) => {
        const unit = open(wordKey(labels, index));
        return { sound: unit, tune: unit };
      });
    },
    close: () => decoder.close(),
  };
}
