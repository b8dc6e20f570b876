import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SpeechFileRequest, RenderedSpeechFile } from '@jyutsing/audio/encoding/render-speech-file';
import { AppError } from '@jyutsing/contracts/errors';
import type { SpokenTime, SynthesisEvent } from '@jyutsing/contracts/synthesizer';
import { recordSpeech, type RecordedSpeech } from './record-speech.ts';
import type { RenderSpeechFile, Speech } from './stages.ts';

/** What the file is to be. */
export type FileShape = Pick<SpeechFileRequest, 'format' | 'sampleRateHz' | 'enhance'> & {
  /** How long it is to be, instead of what `speed` makes of it; null: as long as it becomes. */
  durationMs: number | null;
};

/** A file on this disk; times of words are those of the file. Dispose of it to delete it. */
export type SpeechFile = AsyncDisposable & RenderedSpeechFile & { path: string; words: readonly SpokenTime[] };

type Stages = {
  stream(speech: Speech, signal: AbortSignal): AsyncGenerator<SynthesisEvent>;
  renderSpeechFile: RenderSpeechFile;
  incomingDir: string;
};

/** How much faster or slower than a voice's own rate speech can still be followed; the bounds of `speed` as well. */
export const SPEED_BOUNDS = { min: 0.5, max: 3 } as const;
/** Nearer than this the natural rate is not asked to change: the finishing does the rest unheard. */
const UNHEARD_TEMPO = 0.03;
/** A file that misses the wanted duration by more is finished once more. */
const DURATION_TOLERANCE = 0.01;

/** See `SpeechService.makeFile`. The sound lies on the disk while it is made: memory does not grow with the text. */
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
    const { recorded, tempo } =
      shape.durationMs === null
        ? await recordAtSpeed(speech, recording)
        : await recordToLast(shape.durationMs, speech, recording);
    const { adjusts } = speech.speaker.capabilities;
    const finish = (tempo: number) =>
      stages.renderSpeechFile(
        {
          inputPath: rawPath,
          outputPath: path,
          format: shape.format,
          sampleRateHz: shape.sampleRateHz,
          tempo,
          pitchSemitones: adjusts.pitch ? 0 : speech.pitchSemitones,
          enhance: shape.enhance,
        },
        signal,
      );
    let finished = await finish(tempo);
    if (shape.durationMs !== null && Math.abs(finished.durationMs / shape.durationMs - 1) > DURATION_TOLERANCE) {
      await rm(path, { force: true });
      finished = await finish((tempo * finished.durationMs) / shape.durationMs);
    }
    const { durationMs } = finished;
    const scale = durationMs / recorded.durationMs;
    const words = recorded.words.map(({ text, startMs, endMs }) => ({
      text,
      startMs: startMs * scale,
      endMs: Math.min(endMs * scale, durationMs),
    }));
    return { ...finished, path, words, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  } catch (failure) {
    await rm(path, { force: true });
    throw failure;
  } finally {
    await rm(rawPath, { force: true });
  }
}

/** What was recorded, and how much faster the finishing has to make it. */
type Take = { recorded: RecordedSpeech; tempo: number };
type Recording = (speech: Speech) => Promise<RecordedSpeech>;

/** What the speaker cannot do, and what is beyond the bounds of its contract, is left to the finishing. */
async function recordAtSpeed(speech: Speech, recording: Recording): Promise<Take> {
  const { min, max } = SPEED_BOUNDS;
  const speed = speech.speaker.capabilities.adjusts.speed ? Math.min(max, Math.max(min, speech.speed)) : 1;
  return { recorded: await recording({ ...speech, speed }), tempo: speech.speed / speed };
}

/** Speaks at the voice's own rate to learn how long that takes, and again at the rate that is needed, if the speaker can. */
async function recordToLast(durationMs: number, speech: Speech, recording: Recording): Promise<Take> {
  const natural = await recording({ ...speech, speed: 1 });
  const speed = natural.durationMs / durationMs;
  if (speed < SPEED_BOUNDS.min || speed > SPEED_BOUNDS.max) throw impossibleDuration(natural.durationMs);
  if (!speech.speaker.capabilities.adjusts.speed || Math.abs(speed - 1) < UNHEARD_TEMPO) {
    return { recorded: natural, tempo: speed };
  }
  const recorded = await recording({ ...speech, speed });
  return { recorded, tempo: recorded.durationMs / durationMs };
}

function impossibleDuration(naturalMs: number): AppError {
  const shortest = (Math.ceil(naturalMs / SPEED_BOUNDS.max / 100) / 10).toFixed(1);
  const longest = (Math.floor(naturalMs / SPEED_BOUNDS.min / 100) / 10).toFixed(1);
  return new AppError(
    'invalid_parameter',
    `The field "duration" can be ${shortest} to ${longest} seconds for this text; beyond that nobody could follow it.`,
  );
}
