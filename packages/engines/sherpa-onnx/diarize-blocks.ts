import type { PcmChunk } from '@jyutsing/contracts/audio';
import type { DiarizationEvent, SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { createVoiceLinker, type VoiceLinker } from './link-voices.ts';
import type { NativeDiarization, NativeTurn } from './native-diarization.ts';

/**
 * The library wants the samples of a whole recording, and compares every stretch with every other: for an hour that is 230 MB and as
 * much again. So half an hour is taken at a time (115 MB), and speakers are recognised by their voices in the next one.
 */
const BLOCK_SAMPLES = 30 * 60 * RECOGNIZER_SAMPLE_RATE_HZ;
/** So much of a speaker is enough to know the voice by. */
const VOICE_SAMPLES = 20 * RECOGNIZER_SAMPLE_RATE_HZ;
/** While native code looks for speech it says nothing; somebody who watches this process must not take it for stuck … */
const SIGN_OF_LIFE_MS = 5_000;
/** … unless it takes as long as the sound lasts, which it never should. */
const LEAST_PATIENCE_MS = 60_000;

/** The turns of a recording of any length, block by block: memory does not grow with it. */
export async function* diarizeInBlocks(
  audio: AsyncIterable<PcmChunk>,
  native: NativeDiarization,
  signal: AbortSignal,
  blockSamples = BLOCK_SAMPLES,
): AsyncGenerator<DiarizationEvent> {
  const linker = createVoiceLinker();
  const turns: SpeakerTurn[] = [];
  let doneMs = 0;
  for await (const samples of inBlocks(audio, blockSamples, signal)) {
    const found = yield* processBlock(native, samples, doneMs, signal);
    turns.push(...linkTurns(native, linker, samples, found, doneMs));
    doneMs += (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    yield { type: 'progress', processedMs: doneMs };
  }
  signal.throwIfAborted();
  yield { type: 'turns', turns: tidied(turns, doneMs) };
}

async function* inBlocks(
  audio: AsyncIterable<PcmChunk>,
  blockSamples: number,
  signal: AbortSignal,
): AsyncGenerator<Float32Array> {
  let pieces: Float32Array[] = [];
  let length = 0;
  for await (const { samples } of audio) {
    signal.throwIfAborted();
    for (let at = 0; at < samples.length;) {
      const piece = samples.slice(at, at + blockSamples - length);
      pieces.push(piece);
      length += piece.length;
      at += piece.length;
      if (length < blockSamples) continue;
      const block = joinSamples(pieces);
      pieces = [];
      length = 0;
      yield block;
    }
  }
  // The library logs an error about nothing at all, and needs more than one window of its features.
  if (length > RECOGNIZER_SAMPLE_RATE_HZ / 10) yield joinSamples(pieces);
}

/** The turns of a block, and signs of life while they are looked for. An abort ends it at once, though native code works on. */
async function* processBlock(
  native: NativeDiarization,
  samples: Float32Array,
  startMs: number,
  signal: AbortSignal,
): AsyncGenerator<DiarizationEvent, NativeTurn[]> {
  const lengthMs = (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  let patientUntilMs = performance.now() + Math.max(LEAST_PATIENCE_MS, lengthMs);
  let share = 0;
  let toldShare = 0;
  const work = native.process(samples, (done) => (share = Math.max(share, done)));
  // It is awaited piecemeal below; a failure in between must not count as unhandled.
  work.catch(() => {});
  for (;;) {
    const tick = Promise.withResolvers<null>();
    const timer = setTimeout(() => tick.resolve(null), SIGN_OF_LIFE_MS);
    const found = await raceAbort(Promise.race([work, tick.promise]), signal).finally(() => clearTimeout(timer));
    if (found !== null) return found;
    if (share > toldShare) patientUntilMs = performance.now() + LEAST_PATIENCE_MS;
    toldShare = share;
    if (performance.now() < patientUntilMs) {
      yield { type: 'progress', processedMs: startMs + share * lengthMs };
    }
  }
}

/** The turns of a block in the recording's time, with the numbers that their speakers have in it. */
function linkTurns(
  native: NativeDiarization,
  linker: VoiceLinker,
  samples: Float32Array,
  found: readonly NativeTurn[],
  startMs: number,
): SpeakerTurn[] {
  const speakers = [...new Set(found.map(({ speaker }) => speaker))];
  const numbers = linker.link(speakers.map((speaker) => voiceOf(native, samples, found, speaker)));
  return found.map((turn) => ({
    startMs: startMs + turn.startMs,
    endMs: startMs + turn.endMs,
    speaker: numbers[speakers.indexOf(turn.speaker)]!,
  }));
}

/** Heard in the longest turns of a speaker. */
function voiceOf(native: NativeDiarization, samples: Float32Array, turns: readonly NativeTurn[], speaker: number) {
  const own = turns.filter((turn) => turn.speaker === speaker);
  const pieces: Float32Array[] = [];
  let length = 0;
  for (const { startMs, endMs } of own.sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))) {
    const perMs = RECOGNIZER_SAMPLE_RATE_HZ / 1_000;
    pieces.push(samples.subarray(Math.round(startMs * perMs), Math.round(endMs * perMs)));
    length += pieces.at(-1)!.length;
    if (length >= VOICE_SAMPLES) break;
  }
  return native.voice(joinSamples(pieces).slice(0, VOICE_SAMPLES));
}

/** In order, inside the recording, without turns of no length, speakers numbered as they first speak. */
function tidied(turns: readonly SpeakerTurn[], durationMs: number): SpeakerTurn[] {
  const numbers = new Map<number, number>();
  return turns
    .map((turn) => ({ ...turn, startMs: Math.max(0, turn.startMs), endMs: Math.min(durationMs, turn.endMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs)
    .sort((a, b) => a.startMs - b.startMs)
    .map((turn) => {
      const number = numbers.get(turn.speaker) ?? numbers.size;
      numbers.set(turn.speaker, number);
      return { ...turn, speaker: number };
    });
}
