import { getJyutpingText } from 'to-jyutping';
import loadEspeak from '@echogarden/espeak-ng-emscripten';

/** Mono sound, floats in −1..1. */
export type Sound = { samples: Float32Array; sampleRateHz: number };

export type Speaking = {
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
  synthesize(text: string, onAudio: (audio: Int16Array | null) => boolean): void;
};

const SAMPLE_RATE_HZ = 22_050;
let espeak: Promise<Espeak> | null = null;

/** Jyutping as espeak-ng reads it: syllables apart, other signs as pauses. */
export function toJyutping(text: string): string {
  return getJyutpingText(text)
    .replaceAll(/[^a-z1-6 ]+/g, ' , ')
    .trim();
}

/** Speaks jyutping (or, with another voice, text) through espeak-ng. Sounds of the same words are alike, not identical bit for bit. */
export async function speak(
  text: string,
  { voice = 'yue-latn-jyutping', rate = 150, pitch = 50 }: Speaking = {},
): Promise<Sound> {
  espeak ??= loadEspeak().then((module: { eSpeakNGWorker: new () => Espeak }) => new module.eSpeakNGWorker());
  const engine = await espeak;
  engine.set_voice(voice);
  engine.set_rate(rate);
  engine.set_pitch(pitch);
  const pieces: Int16Array[] = [];
  engine.synthesize(text, (audio) => {
    if (audio !== null) pieces.push(audio.slice());
    return false;
  });
  const samples = new Float32Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) for (const sample of piece) samples[at++] = sample / 32_768;
  return { samples, sampleRateHz: SAMPLE_RATE_HZ };
}

/** Sounds one after another with `gapMs` of silence between them. */
export function joinSounds(sounds: readonly Sound[], gapMs: number): Sound {
  const gap = Math.round((gapMs / 1_000) * SAMPLE_RATE_HZ);
  const samples = new Float32Array(sounds.reduce((length, sound) => length + sound.samples.length + gap, 0));
  let at = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, at);
    at += sound.samples.length + gap;
  }
  return { samples, sampleRateHz: SAMPLE_RATE_HZ };
}

/** A 16-bit mono WAV file. */
export function encodeWav({ samples, sampleRateHz }: Sound): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const ascii = (at: number, text: string) => [...text].forEach((c, i) => view.setUint8(at + i, c.charCodeAt(0)));
  ascii(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  ascii(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  ascii(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  for (const [i, sample] of samples.entries()) {
    view.setInt16(44 + i * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true);
  }
  return new Uint8Array(view.buffer);
}
