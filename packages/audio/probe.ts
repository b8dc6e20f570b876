import { stat } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AudioInfo } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { audioTooLong } from './audio-too-long.ts';
import { lackOfSound, type AudioInput } from './av-input.ts';
import { decodeFrames, PACKETS_PER_TURN } from './frames.ts';
import { openAudioInputs } from './open-tracks.ts';
import { RecordingClock } from './recording-clock.ts';

export type AudioLimits = { maxDurationMs: number };

/**
 * Describes a file by its content. Decodes at most the first frame, and the beginning of silent
 * tracks beside others; reads all packets where the header declares no duration, one that is too
 * long, or one of sound that is missing. Throws
 * `unsupported_audio_format`, `corrupt_audio`, `empty_audio`, `audio_too_long`.
 */
export async function probeAudio(path: string, limits: AudioLimits): Promise<AudioInfo> {
  const { size: sizeBytes } = await stat(path);
  const inputs = await openAudioInputs(path);
  const [input] = inputs;
  try {
    const declaredDurationMs = await durationMs(path, input, limits);
    if (declaredDurationMs === 0) throw new AppError('empty_audio');
    if (declaredDurationMs > limits.maxDurationMs) throw audioTooLong(limits.maxDurationMs);
    await requireSound(input);
    const { container, codec, sampleRateHz, channels, tracks } = input;
    return { container, codec, sampleRateHz, channels, declaredDurationMs, sizeBytes, tracks };
  } finally {
    for (const { close } of inputs) close();
  }
}

async function durationMs(path: string, input: AudioInput, { maxDurationMs }: AudioLimits): Promise<number> {
  const declaredMs = input.declaredDurationMs;
  // A duration of days may come from a recorder's clock that jumped.
  const isTrusted = declaredMs !== null && declaredMs <= maxDurationMs && !input.isCutOff;
  return isTrusted ? declaredMs : scanDurationMs(path);
}

/**
 * Finds the time at which the last packet ends without decoding, with its own reader, so that the
 * first keeps its position.
 */
async function scanDurationMs(path: string): Promise<number> {
  const inputs = await openAudioInputs(path);
  const [input] = inputs;
  const clock = new RecordingClock(input.clockStart);
  const ticksPerSecond = 1_000 / input.clockStart.tickMs;
  let packets = 0;
  try {
    for (let packet = input.readPacket(); packet !== null; packet = input.readPacket()) {
      clock.place(packet.pts, Math.max(0, Number(packet.duration)), ticksPerSecond);
      packets += 1;
      if (packets % PACKETS_PER_TURN === 0) await yieldToEventLoop();
    }
    return clock.positionMs;
  } finally {
    for (const { close } of inputs) close();
  }
}

/** A header alone is no recording: at least one frame must decode. */
async function requireSound(input: AudioInput): Promise<void> {
  const clock = new RecordingClock(input.clockStart);
  const frames = decodeFrames(input, { clock, signal: new AbortController().signal }, (frame) => frame);
  const first = await frames.next();
  await frames.return(undefined);
  if (first.done) throw lackOfSound(input);
}
