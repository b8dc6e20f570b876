import { expect } from 'vitest';
import type { Sound } from '#testbed/sound/audio.ts';
import { tones } from '#testbed/sound/audio.ts';
import { OWNER_KEY, type SharedService } from '#testbed/service/service.ts';
import { jsonRequest, decodeFile, decodePcm } from './decode-sound.ts';
import { resample } from '#testbed/sound/espeak-speech.ts';

export const SCORE_PATHS = ['/api/score-pronunciation', '/api/learn-cantonese/score-pronunciation'] as const;

type JudgedPart = { expected: string; heard: string | null; score: number; verdict: string };
type Judged = { text: string; score: number; verdict: string; start: number | null; end: number | null };
type ScoredSyllable = Judged & {
  expected: string;
  heard: string | null;
  onset: JudgedPart;
  rime: JudgedPart;
  tone: Omit<JudgedPart, 'expected' | 'heard'> & { expected: number; heard: number | null; contour: number[] };
};
export type ScoredWord = Judged & { phonemes: (JudgedPart & Pick<Judged, 'start' | 'end'>)[] };

/** A successful response; fields of other languages are absent. */
export type ScoreBody = {
  success: true;
  score: number;
  passed: boolean;
  language: string;
  expectedJyutping: string;
  transcribedJyutping: string;
  expectedText: string;
  transcribedText: string;
  wordScores: { word: string; score: number }[];
  accuracyScore: number;
  fluencyScore: number;
  integrityScore: number;
  pronunciationScore: number;
  syllables: ScoredSyllable[];
  words: ScoredWord[];
};

/**
 * Builds a scoring request with the owner's key unless `fields` has another; omits fields that are
 * null.
 */
export function scoreRequest(audio: Uint8Array | null, fields: Record<string, string | null>): RequestInit {
  const form = new FormData();
  for (const [name, value] of Object.entries({ api_key: OWNER_KEY, ...fields })) {
    if (value !== null) form.append(name, value);
  }
  if (audio !== null) form.append('audio', new Blob([new Uint8Array(audio)]), 'recording.wav');
  return { method: 'POST', body: form };
}

/** Scores a recording, which must succeed. */
export async function scorePronunciation(
  { baseUrl }: Pick<SharedService, 'baseUrl'>,
  audio: Uint8Array,
  text: string,
  language: string,
  fields: Record<string, string> = {},
): Promise<ScoreBody> {
  const response = await fetch(baseUrl + SCORE_PATHS[0], scoreRequest(audio, { ...fields, text, language }));
  const body = await response.text();
  expect([response.status, response.status === 200 ? '' : body]).toEqual([200, '']);
  return JSON.parse(body) as ScoreBody;
}

/** Speech of the service as a sound. */
export async function synthesize(
  { baseUrl }: Pick<SharedService, 'baseUrl'>,
  fields: Record<string, unknown>,
): Promise<Sound> {
  const response = await fetch(`${baseUrl}/api/tts`, jsonRequest({ voice_id: 'jasmine', temperature: 0, ...fields }));
  expect([fields, response.status]).toEqual([fields, 200]);
  return decodeFile(new Uint8Array(await response.arrayBuffer()));
}

/** Cantonese speech without random variation. */
export async function synthesizeSteadily({ baseUrl }: Pick<SharedService, 'baseUrl'>, text: string): Promise<Sound> {
  const response = await fetch(`${baseUrl}/api/tts-stream`, jsonRequest({ voice_id: 'jasmine', text, temperature: 0 }));
  expect([text, response.status]).toEqual([text, 200]);
  return decodePcm(new Uint8Array(await response.arrayBuffer()));
}

/**
 * Simulates an old telephone: 300 to 3,400 Hz at 8,000 samples a second. The sound's rate must be a
 * multiple of that.
 */
export function telephoneSound({ sampleRateHz, channels }: Sound): Sound {
  const step = sampleRateHz / 8_000;
  const narrow = passBand(channels[0]!, 300 / sampleRateHz, 3_400 / sampleRateHz);
  return { sampleRateHz: 8_000, channels: [narrow.filter((_, i) => i % step === 0)] };
}

/** Ideal low pass, `at` samples from its center. */
function sinc(edge: number, at: number): number {
  return at === 0 ? 2 * edge : Math.sin(2 * Math.PI * edge * at) / (Math.PI * at);
}

/** Windowed-sinc band pass; edges as shares of the sample rate. */
function passBand(samples: Float32Array, low: number, high: number): Float32Array {
  const half = 240;
  const taps = Float64Array.from({ length: 2 * half + 1 }, (_, i) => {
    const window = 0.54 + 0.46 * Math.cos((Math.PI * (i - half)) / half);
    return window * (sinc(high, i - half) - sinc(low, i - half));
  });
  return Float32Array.from(samples, (_, i) => {
    let sum = 0;
    for (let k = -half; k <= half; k += 1) sum += (taps[k + half] ?? 0) * (samples[i - k] ?? 0);
    return sum;
  });
}

/** Encodes a sound as a WAV file of 32-bit floats at 96 kHz. */
export function studioWav({ sampleRateHz, channels }: Sound): Uint8Array<ArrayBuffer> {
  const samples = resample(channels[0]!, sampleRateHz, 96_000);
  const bytes = Buffer.alloc(44 + samples.length * 4);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + samples.length * 4, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(3, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(96_000, 24);
  bytes.writeUInt32LE(384_000, 28);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt16LE(32, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples.length * 4, 40);
  for (const [i, sample] of samples.entries()) bytes.writeFloatLE(sample, 44 + i * 4);
  return new Uint8Array(bytes);
}

/** Synthesizes organ chords that change twice a second. */
export function organMusic(durationMs: number): Sound {
  const chords = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
  ];
  const bars = Math.ceil(durationMs / 500);
  const voices = [0, 1, 2].flatMap((voice) =>
    [1, 2, 3].map((overtone) =>
      tones(
        Array.from({ length: bars }, (_, bar) => ({
          frequencyHz: chords[bar % chords.length]![voice]! * overtone,
          durationMs: 500,
          level: 0.15 / overtone,
        })),
      ),
    ),
  );
  const [first] = voices;
  const mixed = first!.channels[0]!.map((_, i) => voices.reduce((sum, { channels }) => sum + channels[0]![i]!, 0));
  return { sampleRateHz: first!.sampleRateHz, channels: [mixed] };
}

/** Repeats a sound up to the given duration. */
export function repeatSound({ sampleRateHz, channels }: Sound, durationMs: number): Sound {
  const [samples] = channels;
  const repeated = new Float32Array(Math.round((durationMs / 1_000) * sampleRateHz));
  for (let at = 0; at < repeated.length; at += samples!.length) {
    repeated.set(samples!.subarray(0, repeated.length - at), at);
  }
  return { sampleRateHz, channels: [repeated] };
}
