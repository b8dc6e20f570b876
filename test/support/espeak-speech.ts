import { getJyutpingText } from 'to-jyutping';
import loadEspeak from '@echogarden/espeak-ng-emscripten';
import type { Sound } from './audio.ts';

export type EspeakOptions = {
  /** An espeak-ng voice; the default reads jyutping. */
  voice?: string;
  /** Words per minute, 80–450. */
  rate?: number;
  /** 0–99. */
  pitch?: number;
};

type Espeak = {
  set_voice(name: string): number;
  set_rate(wordsPerMinute: number): void;
  set_pitch(pitch: number): void;
  synthesize(text: string, onAudio: (audio: Int16Array | null, events: readonly EspeakEvent[]) => boolean): void;
};

/** `text_position` counts from 1; `audio_position` is in milliseconds; a phoneme without a name is where the one before it ends. */
type EspeakEvent = {
  type: string;
  text_position: number;
  word_length: number;
  audio_position: number;
  id?: string | number;
};

/** A word of the text that was spoken, and when. */
export type SpokenWord = { text: string; startMs: number; endMs: number };

const ESPEAK_SAMPLE_RATE_HZ = 22_050;
/** A rate that every codec has; Opus has no 22,050 Hz. */
const SAMPLE_RATE_HZ = 24_000;
/**
 * A synthesiser that has said nothing yet: its noise depends on all that was said before, and what a test hears must not depend on the tests
 * that ran before it in the same process. A tenth of a second.
 */
async function openEspeak(): Promise<Espeak> {
  const module: { eSpeakNGWorker: new () => Espeak } = await loadEspeak();
  return new module.eSpeakNGWorker();
}

/** Jyutping as espeak-ng reads it: syllables apart, other signs as pauses. */
export function toJyutping(text: string): string {
  return getJyutpingText(text)
    .replaceAll(/[^a-z1-6 ]+/g, ' , ')
    .trim();
}

/** Speaks jyutping (or, with another voice, text) through espeak-ng; the same words always give the same sound. */
export async function speak(text: string, speaking: EspeakOptions = {}): Promise<Sound> {
  return (await speakTimed(text, speaking)).sound;
}

/** As `speak`, with the times at which the synthesiser says each word (or syllable of jyutping). */
export async function speakTimed(
  text: string,
  { voice = 'yue-latn-jyutping', rate = 150, pitch = 50 }: EspeakOptions = {},
): Promise<{ sound: Sound; words: SpokenWord[] }> {
  const engine = await openEspeak();
  engine.set_voice(voice);
  engine.set_rate(rate);
  engine.set_pitch(pitch);
  const pieces: Int16Array[] = [];
  const words: SpokenWord[] = [];
  let isOpen = false;
  engine.synthesize(text, (audio, events) => {
    if (audio !== null) pieces.push(audio.slice());
    for (const { type, text_position: position, word_length: length, audio_position: atMs, id } of events) {
      if (type === 'word') {
        words.push({ text: text.slice(position - 1, position - 1 + length), startMs: atMs, endMs: atMs });
        isOpen = true;
      }
      const last = words.at(-1);
      if (type !== 'phoneme' || last === undefined || !isOpen) continue;
      last.endMs = Math.max(last.endMs, atMs);
      if (id === '') isOpen = false;
    }
    return false;
  });
  const samples = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) for (const sample of piece) samples[at++] = sample / 32_768;
  const sound = {
    sampleRateHz: SAMPLE_RATE_HZ,
    channels: [resample(samples, ESPEAK_SAMPLE_RATE_HZ, SAMPLE_RATE_HZ)],
  };
  return { sound, words };
}

/** Mono samples at another rate, by linear interpolation: what it blurs lies above what carries speech. */
export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  const step = fromHz / toHz;
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, i) => {
    const at = i * step;
    const before = Math.floor(at);
    const here = samples[before] ?? 0;
    return here + ((samples[before + 1] ?? here) - here) * (at - before);
  });
}

/** Mono sounds of one rate, one after another, each followed by `gapMs` of silence. */
export function joinSounds(sounds: readonly Sound[], gapMs: number): Sound {
  const sampleRateHz = sounds[0]?.sampleRateHz ?? SAMPLE_RATE_HZ;
  const gap = Math.round((gapMs / 1_000) * sampleRateHz);
  const pieces = sounds.map((sound) => sound.channels[0]!);
  const samples = new Float32Array(pieces.reduce((length, piece) => length + piece.length + gap, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length + gap;
  }
  return { sampleRateHz, channels: [samples] };
}

/** How long a sound is, in milliseconds. */
export function durationOf({ sampleRateHz, channels }: Sound): number {
  return ((channels[0]?.length ?? 0) / sampleRateHz) * 1_000;
}
