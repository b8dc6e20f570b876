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
  labelsFor(label: string): UnitLabels;
  /**
   * Returns the recordings for a syllable: its sound and its contour, of several recordings when
   * the syllable itself is missing. Throws `engine_failed` for what is no syllable of the voice.
   */
  find(label: string): FoundUnits;
  /**
   * Returns the recordings of a whole word, one for each syllable; null when the word was not
   * recorded.
   */
  findWord(labels: readonly string[]): readonly FoundUnits[] | null;
  close(): void;
};

/** Opens a voice. Throws when the file is missing or damaged. */
export async function openVoice(path: string, sounds: Sounds): Promise<SyllableVoice> {
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
    const cached = opened.get(label);
    if (cached !== undefined) return cached;
    const parts = { onsets: onsets.map(open), rime: open(rime), coda: coda === null ? null : open(coda) };
    const unit = composeUnit(label, parts, sounds);
    opened.set(label, unit);
    return unit;
  };
  const labelsFor = createLabelFinder(
    [...units.keys()].filter((key) => syllableOf(key) === key),
    sounds,
  );
  return {
    sounds,
    labelsFor,
    find(label) {
      const { sound, tune } = labelsFor(label);
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
