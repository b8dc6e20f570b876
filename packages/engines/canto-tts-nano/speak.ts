import { createStreamResampler } from '@jyutsing/audio/vocoder/resample';
import { AppError } from '@jyutsing/contracts/errors';
import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SynthesisEvent, type SynthesisRequest } from '@jyutsing/contracts/synthesizer';
import { createRandom } from '@jyutsing/numeric/random';
import { audioEvents } from '#engines/runtime/audio-events.ts';
import type { OnnxModel } from '#engines/runtime/onnx.ts';
import { hashText } from '#engines/runtime/prosody-sampling.ts';
import type { Bundle, Codes } from './bundle.ts';
import { createDecoder, type CodecSound } from './codec.ts';
import { createFrameGenerator, promptOf, type Sampling, type SpeechGraphs } from './generate-frames.ts';
import { expectedSeconds, frameLimit, phonemesOf, preparedText } from './phoneme-text.ts';

/** Draws of a piece; the first of a usual length is taken, else the one nearest to it. */
const DRAWS = 3;
/** Lengths that are usual, as shares of the expected one. */
const USUAL = { least: 0.5, most: 1.8 } as const;
/** Frames that are decoded at a time: few at first, so that sound comes early. */
const CHUNKS = [1, 2, 4, 8] as const;
/** Silence after a piece, in milliseconds; longer after one of a few words. */
const PAUSE_MS = 240;
const PAUSE_AFTER_FEW_WORDS_MS = 400;
const FEW_WORDS = 4;
/** Length of the silence for a request without speakable text, in milliseconds. */
const NOTHING_MS = 100;

export type NanoVoice = {
  bundle: Bundle;
  graphs: SpeechGraphs & { codecDecode: OnnxModel };
  tokenize(prepared: string): number[];
  codesOf(reference: SynthesisRequest['voice']['reference']): Promise<Codes>;
  /** How the frames of a request are drawn. */
  samplingFor(request: Pick<SynthesisRequest, 'temperature' | 'topP'>): Sampling;
};

/**
 * Speaks the pieces of a request one after another: the frames of a piece are drawn before its
 * sound begins, because their number tells whether the draw went well. Throws `engine_failed` where
 * the model ends each time before it began.
 */
export async function* speak(
  voice: NanoVoice,
  request: SynthesisRequest,
  signal: AbortSignal,
): AsyncGenerator<SynthesisEvent> {
  const codes = await voice.codesOf(request.voice.reference);
  let isSilent = true;
  for (const piece of request.pieces) {
    signal.throwIfAborted();
    const phonemes = phonemesOf(piece);
    if (phonemes === '') continue;
    isSilent = false;
    const seed = hashText(piece.spokenForm, request.temperature > 0 ? request.seed : 0);
    const frames = await drawPiece(voice, { codes, phonemes, seed, sampling: voice.samplingFor(request) }, signal);
    for await (const sound of decodedSound(voice, frames, signal)) yield* audioEvents(sound);
    yield* audioEvents(silence(pauseAfter(piece)));
  }
  if (isSilent) yield* audioEvents(silence(NOTHING_MS));
}

type PieceToDraw = { codes: Codes; phonemes: string; seed: number; sampling: Sampling };

/** Draws the frames of a piece, again where their number is unusual for its phonemes. */
async function drawPiece(
  { bundle, graphs, tokenize }: NanoVoice,
  { codes, phonemes, seed, sampling }: PieceToDraw,
  signal: AbortSignal,
): Promise<Codes> {
  const prompt = promptOf(bundle, codes, tokenize(preparedText(phonemes)));
  const generate = createFrameGenerator(bundle, graphs, sampling);
  const framesPerSecond = bundle.rateHz / bundle.frameSamples;
  const expected = expectedSeconds(phonemes) * framesPerSecond;
  const limit = frameLimit(phonemes, framesPerSecond);
  let nearest: { frames: Codes; distance: number } | null = null;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const frames = await Array.fromAsync(generate(prompt, limit, createRandom(seed + draw), signal));
    if (frames.length === 0) continue;
    const share = frames.length / expected;
    if (share >= USUAL.least && share <= USUAL.most) return frames;
    const distance = Math.abs(Math.log(share));
    if (nearest === null || distance < nearest.distance) nearest = { frames, distance };
  }
  if (nearest === null) throw new AppError('engine_failed', 'The speech model made no sound for this text.');
  return nearest.frames;
}

/** Decodes frames to mono sound at the rate of the service, a few at a time. */
async function* decodedSound(
  { bundle, graphs }: NanoVoice,
  frames: Codes,
  signal: AbortSignal,
): AsyncGenerator<Float32Array> {
  const decode = createDecoder(bundle, graphs.codecDecode);
  const resampler = createStreamResampler(bundle.rateHz, SYNTHESIS_SAMPLE_RATE_HZ);
  let left = 0;
  for (let at = 0, turn = 0; at < frames.length; turn += 1) {
    signal.throwIfAborted();
    const count = CHUNKS[Math.min(turn, CHUNKS.length - 1)]!;
    const sound = mono(await decode(frames.slice(at, at + count)));
    at += count;
    left += (sound.length * SYNTHESIS_SAMPLE_RATE_HZ) / bundle.rateHz;
    const samples = resampler.push(sound);
    left -= samples.length;
    yield samples;
  }
  // The filter holds back a few samples until it knows those after them.
  yield resampler.push(new Float32Array(bundle.frameSamples)).subarray(0, Math.round(left));
}

function mono({ data, samples, stride }: CodecSound): Float32Array {
  return new Float32Array(samples).map((_, at) => (data[at]! + data[stride + at]!) / 2);
}

/** A piece that goes on in the next one has no pause after it. */
function pauseAfter({ phrases }: SpokenPiece): number {
  if (phrases.at(-1)?.ending === 'none') return 0;
  const words = phrases.reduce((sum, phrase) => sum + phrase.words.length, 0);
  return words <= FEW_WORDS ? PAUSE_AFTER_FEW_WORDS_MS : PAUSE_MS;
}

function silence(timeMs: number): Float32Array {
  return new Float32Array((timeMs * SYNTHESIS_SAMPLE_RATE_HZ) / 1_000);
}
