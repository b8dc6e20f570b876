import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpeechFileRequest, RenderedSpeechFile } from '@jyutsing/audio/encoding/render-speech-file';
import { fromInt16 } from '@jyutsing/audio/encoding/sample-values';
import { AppError } from '@jyutsing/contracts/errors';
import { RATE_BOUNDS } from '@jyutsing/text/ssml/prosody';
import {
  SYNTHESIS_SAMPLE_RATE_HZ,
  type SpokenTime,
  type SynthesizerCapabilities,
} from '@jyutsing/contracts/synthesizer';
import {
  inMs,
  MAX_PAUSES_MS,
  pausesIn,
  samplesIn,
  type RenderSpeechFile,
  type Speech,
  type StreamEvent,
} from './speech.ts';

/** The file to make. */
export type FileShape = Pick<SpeechFileRequest, 'format' | 'sampleRateHz' | 'enhance'> & {
  /**
   * The exact duration, which replaces `speed`; null: whatever results. Speech that cannot be as
   * slow is followed by silence.
   */
  durationMs: number | null;
};

/** A mark of the text with its time. */
export type TimedMark = { name: string; atMs: number };

/**
 * A file on the local disk; times of words and marks are those of the file. Dispose of it to delete
 * it.
 */
export type SpeechFile = AsyncDisposable &
  RenderedSpeechFile & {
    path: string;
    words: readonly SpokenTime[];
    marks: readonly TimedMark[];
    /** The silence at the end that the requested duration needed; else 0. */
    paddingMs: number;
  };

type Stages = {
  stream(speech: Speech, signal: AbortSignal): AsyncGenerator<StreamEvent>;
  renderSpeechFile: RenderSpeechFile;
  incomingDir: string;
};

/**
 * Speech stays intelligible within these multiples of a voice's own rate; the bounds of `speed`
 * too.
 */
export const SPEED_BOUNDS = RATE_BOUNDS;
/** A smaller change of tempo is inaudible: stretch the sound instead of speaking it again. */
const INAUDIBLE_TEMPO = 0.03;
/** Render the file again if it misses the requested duration by more. */
const DURATION_TOLERANCE = 0.01;

/**
 * See `SpeechService.makeFile`. Raw sound goes to disk, so that memory does not grow with the text.
 */
export async function makeSpeechFile(
  stages: Stages,
  speech: Speech,
  shape: FileShape,
  signal: AbortSignal,
): Promise<SpeechFile> {
  const rawPath = join(stages.incomingDir, `${randomUUID()}.f32`);
  const path = join(stages.incomingDir, `${randomUUID()}.${shape.format}`);
  try {
    const recording = (speech: Speech) => recordSpeech(stages.stream(speech, signal), rawPath);
    const { recorded, tempo, paddingMs } =
      shape.durationMs === null
        ? await recordAtSpeed(speech, recording)
        : await recordForDuration(shape.durationMs, speech, recording);
    const rawPaddingMs = paddingMs * tempo;
    await appendSilence(rawPath, rawPaddingMs);
    const finish = (tempo: number) =>
      stages.renderSpeechFile(
        {
          inputPath: rawPath,
          outputPath: path,
          format: shape.format,
          sampleRateHz: shape.sampleRateHz,
          tempo,
          pitchSemitones: adjusts(speech, 'pitch') ? 0 : speech.style.pitchSemitones,
          enhance: shape.enhance,
        },
        signal,
        speech.accountId,
      );
    let finished = await finish(tempo);
    if (shape.durationMs !== null && Math.abs(finished.durationMs / shape.durationMs - 1) > DURATION_TOLERANCE) {
      await rm(path, { force: true });
      finished = await finish((tempo * finished.durationMs) / shape.durationMs);
    }
    const { durationMs } = finished;
    const scale = durationMs / (recorded.durationMs + rawPaddingMs);
    const words = recorded.words.map(({ text, startMs, endMs }) => ({
      text,
      startMs: startMs * scale,
      endMs: Math.min(endMs * scale, durationMs),
    }));
    const marks = recorded.marks.map(({ name, atMs }) => ({ name, atMs: Math.min(atMs * scale, durationMs) }));
    return { ...finished, path, words, marks, paddingMs, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  } catch (failure) {
    await rm(path, { force: true });
    throw failure;
  } finally {
    await rm(rawPath, { force: true });
  }
}

/**
 * Whether the models of all speakers change it themselves; otherwise it is changed in the whole
 * file.
 */
function adjusts({ model, text }: Speech, what: keyof SynthesizerCapabilities['adjusts']): boolean {
  return [model, ...text.parts.flatMap(({ speaker }) => speaker?.model ?? [])].every(
    ({ capabilities }) => capabilities.adjusts[what],
  );
}

const atSpeed = (speech: Speech, speed: number): Speech => ({ ...speech, style: { ...speech.style, speed } });
const withinBounds = (speed: number) => Math.min(SPEED_BOUNDS.max, Math.max(SPEED_BOUNDS.min, speed));

/**
 * A recording, the tempo with which it has to be rendered, and the silence after it in the finished
 * file.
 */
type Take = { recorded: RecordedSpeech; tempo: number; paddingMs: number };
type Recording = (speech: Speech) => Promise<RecordedSpeech>;

/**
 * Leaves to the rendering what the model cannot adjust or what exceeds the bounds of its contract.
 */
async function recordAtSpeed(speech: Speech, recording: Recording): Promise<Take> {
  const { speed: requestedSpeed } = speech.style;
  const speed = adjusts(speech, 'speed') ? withinBounds(requestedSpeed) : 1;
  return { recorded: await recording(atSpeed(speech, speed)), tempo: requestedSpeed / speed, paddingMs: 0 };
}

/**
 * Speaks at the voice's own rate to measure it, and again at the required rate if the model can. If
 * that misses the duration by more than is inaudible, it speaks once more: changes of the tempo
 * blur consonants. Throws `invalid_parameter` for a duration that the speech cannot have.
 */
async function recordForDuration(durationMs: number, speech: Speech, recording: Recording): Promise<Take> {
  const natural = await recording(atSpeed(speech, 1));
  const speed = natural.durationMs / durationMs;
  const longestMs = natural.durationMs / SPEED_BOUNDS.min + MAX_PAUSES_MS - pausesIn(speech.text);
  if (speed > SPEED_BOUNDS.max || durationMs > longestMs) throw impossibleDuration(natural.durationMs, longestMs);
  const canAdjust = adjusts(speech, 'speed');
  if (speed < SPEED_BOUNDS.min) {
    const slowest = canAdjust ? await recording(atSpeed(speech, SPEED_BOUNDS.min)) : natural;
    const slowestTempo = canAdjust ? 1 : SPEED_BOUNDS.min;
    const paddingMs = durationMs - slowest.durationMs / slowestTempo;
    if (paddingMs > 0) return { recorded: slowest, tempo: slowestTempo, paddingMs };
    return { recorded: slowest, tempo: slowest.durationMs / durationMs, paddingMs: 0 };
  }
  if (!canAdjust || Math.abs(speed - 1) < INAUDIBLE_TEMPO) {
    return { recorded: natural, tempo: speed, paddingMs: 0 };
  }
  const recorded = await recording(atSpeed(speech, speed));
  const tempo = recorded.durationMs / durationMs;
  const corrected = withinBounds(speed * tempo);
  if (Math.abs(tempo - 1) < INAUDIBLE_TEMPO || corrected === speed) return { recorded, tempo, paddingMs: 0 };
  const closer = await recording(atSpeed(speech, corrected));
  return { recorded: closer, tempo: closer.durationMs / durationMs, paddingMs: 0 };
}

function impossibleDuration(naturalMs: number, longestMs: number): AppError {
  const shortest = (Math.ceil(naturalMs / SPEED_BOUNDS.max / 100) / 10).toFixed(1);
  const longest = (Math.floor(longestMs / 100) / 10).toFixed(1);
  return new AppError(
    'invalid_parameter',
    `The field "duration" can be ${shortest} to ${longest} seconds for this text: faster speech would be unintelligible, and ` +
      `at most ${MAX_PAUSES_MS / 1_000} seconds of silence are added.`,
  );
}

/** The contents of a file of raw sound. */
type RecordedSpeech = { durationMs: number; words: readonly SpokenTime[]; marks: readonly TimedMark[] };

/** The longest text at the lowest speed takes less; a model that exceeds it does not terminate. */
const MAX_DURATION_MS = 90 * 60_000;

/**
 * Writes the sound of the events to a file, replacing it, as little-endian mono floats. Throws
 * `engine_failed` for more than 90 minutes of sound, `service_unavailable` if the disk is full.
 */
async function recordSpeech(events: AsyncIterable<StreamEvent>, path: string): Promise<RecordedSpeech> {
  await using file = await open(path, 'w', 0o600);
  const words: SpokenTime[] = [];
  const marks: TimedMark[] = [];
  let samples = 0;
  for await (const event of events) {
    if (event.type === 'word') words.push(event.word);
    else if (event.type === 'mark') marks.push({ name: event.name, atMs: event.atMs });
    else {
      await write(file, fromInt16(event.samples));
      samples += event.samples.length;
      if (inMs(samples) > MAX_DURATION_MS)
        throw new AppError('engine_failed', 'The speech model did not stop speaking.');
    }
  }
  return { durationMs: inMs(samples), words, marks };
}

/** Appends silence to a file of raw sound. */
async function appendSilence(path: string, timeMs: number): Promise<void> {
  if (timeMs === 0) return;
  await using file = await open(path, 'a');
  for (let left = samplesIn(timeMs); left > 0; left -= SYNTHESIS_SAMPLE_RATE_HZ) {
    await write(file, new Float32Array(Math.min(left, SYNTHESIS_SAMPLE_RATE_HZ)));
  }
}

async function write(file: { writeFile(data: Uint8Array): Promise<void> }, samples: Float32Array): Promise<void> {
  try {
    // Appends: writeFile on an open file continues at the present position.
    await file.writeFile(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw cause;
    throw new AppError('service_unavailable', 'The disk of the server is full.', { cause });
  }
}
