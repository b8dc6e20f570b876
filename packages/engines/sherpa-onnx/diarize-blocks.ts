import type { PcmChunk } from '@jyutsing/contracts/audio';
import { MAX_SPEAKERS, type DiarizationEvent, type SpeakerTurn } from '@jyutsing/contracts/diarizer';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { createVoiceLinker, type VoiceLinker } from './link-voices.ts';
import type { ClusteringHints, NativeDiarization, NativeTurn } from './native-diarization.ts';

/**
 * Samples of a block of half an hour (115 MB). The library needs all samples of a recording at once
 * and compares all segments with each other, which would take 230 MB twice for an hour; speakers
 * are matched between blocks by their voices instead.
 */
const BLOCK_SAMPLES = 30 * 60 * RECOGNIZER_SAMPLE_RATE_HZ;
/** Samples of one speaker's speech that suffice for a voice embedding. */
const VOICE_SAMPLES = 20 * RECOGNIZER_SAMPLE_RATE_HZ;
/**
 * Milliseconds between progress events while native code segments speech and reports nothing;
 * without them, a supervisor would treat this process as hung …
 */
const PROGRESS_INTERVAL_MS = 5_000;
/** … but segmentation never takes longer than the recording, so progress stops after that. */
const MIN_STALL_MS = 60_000;

/**
 * Yields the turns of a recording of any length, block by block, so that memory does not grow with
 * it. Only the first block must have the fewest speakers: later ones may lack some of them.
 */
export async function* diarizeInBlocks(
  audio: AsyncIterable<PcmChunk>,
  native: NativeDiarization,
  signal: AbortSignal,
  { speakers, threshold }: ClusteringHints = {},
  blockSamples = BLOCK_SAMPLES,
): AsyncGenerator<DiarizationEvent> {
  const linker = createVoiceLinker(speakers?.max ?? MAX_SPEAKERS);
  const turns: SpeakerTurn[] = [];
  let doneMs = 0;
  for await (const samples of inBlocks(audio, blockSamples, signal)) {
    const range = speakers === undefined || doneMs === 0 ? speakers : { ...speakers, min: 1 };
    const nativeTurns = yield* processBlock(native, samples, doneMs, signal, { speakers: range, threshold });
    turns.push(...linkTurns(native, linker, samples, nativeTurns, doneMs));
    doneMs += (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
    yield { type: 'progress', processedMs: doneMs };
  }
  signal.throwIfAborted();
  yield { type: 'turns', turns: finishTurns(turns, doneMs) };
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
  // The library needs more than one feature window, and logs an error otherwise.
  if (length > RECOGNIZER_SAMPLE_RATE_HZ / 10) yield joinSamples(pieces);
}

/**
 * Returns the turns of a block, and yields progress events meanwhile. An abort ends it at once;
 * native code continues.
 */
async function* processBlock(
  native: NativeDiarization,
  samples: Float32Array,
  startMs: number,
  signal: AbortSignal,
  hints: ClusteringHints,
): AsyncGenerator<DiarizationEvent, NativeTurn[]> {
  const lengthMs = (samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
  let stalledAtMs = performance.now() + Math.max(MIN_STALL_MS, lengthMs);
  let share = 0;
  let reportedShare = 0;
  const work = native.process(samples, (done) => (share = Math.max(share, done)), hints);
  // The loop below awaits the work in steps; a failure in between must not be an unhandled
  // rejection.
  work.catch(() => {});
  for (;;) {
    const tick = Promise.withResolvers<null>();
    const timer = setTimeout(() => tick.resolve(null), PROGRESS_INTERVAL_MS);
    const nativeTurns = await raceAbort(Promise.race([work, tick.promise]), signal).finally(() => clearTimeout(timer));
    if (nativeTurns !== null) return nativeTurns;
    if (share > reportedShare) stalledAtMs = performance.now() + MIN_STALL_MS;
    reportedShare = share;
    if (performance.now() < stalledAtMs) {
      yield { type: 'progress', processedMs: startMs + share * lengthMs };
    }
  }
}

/** Converts turns of a block to the recording's time and speaker numbers. */
function linkTurns(
  native: NativeDiarization,
  linker: VoiceLinker,
  samples: Float32Array,
  nativeTurns: readonly NativeTurn[],
  startMs: number,
): SpeakerTurn[] {
  const speakers = [...new Set(nativeTurns.map(({ speaker }) => speaker))];
  const numbers = linker.link(speakers.map((speaker) => voiceOf(native, samples, nativeTurns, speaker)));
  return nativeTurns.map((turn) => ({
    startMs: startMs + turn.startMs,
    endMs: startMs + turn.endMs,
    speaker: numbers[speakers.indexOf(turn.speaker)]!,
  }));
}

/** Returns the audio of a speaker's longest turns. */
function voiceOf(native: NativeDiarization, samples: Float32Array, turns: readonly NativeTurn[], speaker: number) {
  const speakerTurns = turns.filter((turn) => turn.speaker === speaker);
  const pieces: Float32Array[] = [];
  let length = 0;
  for (const { startMs, endMs } of speakerTurns.sort((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))) {
    const perMs = RECOGNIZER_SAMPLE_RATE_HZ / 1_000;
    pieces.push(samples.subarray(Math.round(startMs * perMs), Math.round(endMs * perMs)));
    length += pieces.at(-1)!.length;
    if (length >= VOICE_SAMPLES) break;
  }
  return native.voice(joinSamples(pieces).slice(0, VOICE_SAMPLES));
}

/**
 * Orders turns, clips them to the recording, drops empty ones, joins overlapping ones of speakers
 * that were taken for two, and numbers speakers by first speech.
 */
function finishTurns(turns: readonly SpeakerTurn[], durationMs: number): SpeakerTurn[] {
  const numbers = new Map<number, number>();
  const ordered = turns
    .map((turn) => ({ ...turn, startMs: Math.max(0, turn.startMs), endMs: Math.min(durationMs, turn.endMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs)
    .sort((a, b) => a.startMs - b.startMs);
  const last = new Map<number, SpeakerTurn>();
  const finished: SpeakerTurn[] = [];
  for (const turn of ordered) {
    const open = last.get(turn.speaker);
    if (open !== undefined && turn.startMs < open.endMs) {
      open.endMs = Math.max(open.endMs, turn.endMs);
      continue;
    }
    const number = numbers.get(turn.speaker) ?? numbers.size;
    numbers.set(turn.speaker, number);
    finished.push({ ...turn, speaker: number });
    last.set(turn.speaker, finished.at(-1)!);
  }
  return finished;
}
