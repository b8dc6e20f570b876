import { getJyutpingText } from 'to-jyutping';
import type { Sound } from './audio.ts';
import { keptSpeech, type KeptSpeech, type SpokenWord } from './kept-speech.ts';

type EspeakOptions = {
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

type EspeakModule = { eSpeakNGWorker: new () => Espeak; HEAPU8: Uint8Array };

/**
 * `text_position` counts from 1; `audio_position` is in milliseconds; an unnamed phoneme ends the
 * one before it.
 */
type EspeakEvent = {
  type: string;
  text_position: number;
  word_length: number;
  audio_position: number;
  id?: string | number;
};

const ESPEAK_SAMPLE_RATE_HZ = 22_050;
/** Supported by every codec, unlike 22,050 Hz, which Opus lacks. */
const SAMPLE_RATE_HZ = 24_000;
/** Longest text, in UTF-8, of a synthesizer that is used again. */
const MAX_TEXT_BYTES = 16_384;

type Program = { engine: Espeak; module: EspeakModule };

async function startEspeak(): Promise<Program> {
  const { default: loadEspeak } = await import('@echogarden/espeak-ng-emscripten');
  const module: EspeakModule = await loadEspeak();
  return { engine: new module.eSpeakNGWorker(), module };
}

/** The synthesizer of this process, and its memory as it was at its start. */
let program: Promise<Program & { memory: Uint8Array }> | null = null;

async function startReusable(): Promise<Program & { memory: Uint8Array }> {
  const { engine, module } = await startEspeak();
  // Grows the buffer for texts, whose address is not part of the memory; there is no such voice.
  for (let call = 0; call < 3; call += 1) engine.set_voice('-'.repeat(MAX_TEXT_BYTES));
  const used = module.HEAPU8.findLastIndex((byte) => byte !== 0) + 1;
  return { engine, module, memory: module.HEAPU8.slice(0, used) };
}

/**
 * Returns the synthesizer as new: its noise depends on all that it spoke before, and tests must
 * not depend on earlier tests in the same process. Restoring its memory takes a millisecond, a new
 * one a second.
 */
async function openEspeak(text: string): Promise<Espeak> {
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return (await startEspeak()).engine;
  const { engine, module, memory } = await (program ??= startReusable());
  module.HEAPU8.set(memory);
  module.HEAPU8.fill(0, memory.length);
  return engine;
}

/**
 * Jyutping in the form that espeak-ng reads: syllables separated by spaces, other signs as pauses.
 */
export function toJyutping(text: string): string {
  return getJyutpingText(text)
    .replaceAll(/[^a-z1-6 ]+/g, ' , ')
    .trim();
}

/** Synthesizes jyutping (or text, with another voice) with espeak-ng; deterministic. */
export async function speak(text: string, speaking: EspeakOptions = {}): Promise<Sound> {
  return (await speakTimed(text, speaking)).sound;
}

/** Like `speak`, with the times of each word (or syllable of jyutping). */
export async function speakTimed(
  text: string,
  { voice = 'yue-latn-jyutping', rate = 150, pitch = 50 }: EspeakOptions = {},
): Promise<{ sound: Sound; words: SpokenWord[] }> {
  const options = { voice, rate, pitch };
  const { samples, words } = await keptSpeech(JSON.stringify([text, options]), () => synthesize(text, options));
  const floats = new Float32Array(samples.length);
  for (let i = 0; i < floats.length; i += 1) floats[i] = samples[i]! / 32_768;
  const sound = {
    sampleRateHz: SAMPLE_RATE_HZ,
    channels: [resample(floats, ESPEAK_SAMPLE_RATE_HZ, SAMPLE_RATE_HZ)],
  };
  return { sound, words };
}

async function synthesize(text: string, { voice, rate, pitch }: Required<EspeakOptions>): Promise<KeptSpeech> {
  const engine = await openEspeak(text);
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
  const samples = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return { samples, words };
}

/**
 * Resamples mono samples by linear interpolation, which only affects frequencies above speech. A
 * loop, because `Float32Array.from` with a function takes seconds for the speech of a training.
 */
export function resample(samples: Float32Array, fromHz: number, toHz: number): Float32Array {
  const step = fromHz / toHz;
  const resampled = new Float32Array(Math.floor(samples.length / step));
  for (let i = 0; i < resampled.length; i += 1) {
    const at = i * step;
    const before = Math.floor(at);
    const here = samples[before] ?? 0;
    resampled[i] = here + ((samples[before + 1] ?? here) - here) * (at - before);
  }
  return resampled;
}

/** Concatenates mono sounds of the same rate, each followed by `gapMs` of silence. */
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

/** Duration of a sound in milliseconds. */
export function durationOf({ sampleRateHz, channels }: Sound): number {
  return ((channels[0]?.length ?? 0) / sampleRateHz) * 1_000;
}
