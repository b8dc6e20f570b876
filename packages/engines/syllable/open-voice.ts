import { readFile } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { createOpusDecoder } from '@jyutsing/audio/opus-decoder';
import { findUnitLabels } from './find-labels.ts';
import type { Sounds } from './sounds.ts';
import { levelsOf } from './levels.ts';
import { createUnit, type SoundingUnit } from './unit.ts';
import { PACKET_SAMPLES, readVoiceFile, VOICE_RATE_HZ, wordKey } from './voice-file.ts';

/** Number of packets decoded before the wanted ones: Opus needs 80 ms to settle. */
const SETTLING_PACKETS = 4;
/** Number of decoded syllables that are kept, of about 40 KB each. */
const KEPT_UNITS = 400;

/** The recording that gives a syllable its sound, and the one that gives it its contour. */
export type FoundUnits = { sound: SoundingUnit; tune: SoundingUnit };

/** The recordings of one voice. */
export type SyllableVoice = {
  sounds: Sounds;
  /** Returns true if `find` finds something, without decoding. */
  has(label: string): boolean;
  /**
   * Returns the recordings for a syllable: its sound and its contour, of two recordings when the
   * syllable itself is missing. Null when nothing resembles it.
   */
  find(label: string): FoundUnits | null;
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
  const labelsFor = (label: string) => findUnitLabels(label, sounds, (candidate) => units.has(candidate));
  return {
    sounds,
    has: (label) => labelsFor(label) !== null,
    find(label) {
      const labels = labelsFor(label);
      return labels === null ? null : { sound: open(labels.sound), tune: open(labels.tune) };
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
