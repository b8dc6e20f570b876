import { stat } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { AudioInfo } from '@jyutsing/contracts/audio';
import { AppError } from '@jyutsing/contracts/errors';
import { openAudioInput, type AudioInput } from './av-input.ts';
import { decodeFrames, PACKETS_PER_TURN } from './frames.ts';

export type AudioLimits = { maxDurationMs: number };

/**
 * Describes a file by its content. Decodes at most the first frame; counts packets where the header
 * declares no duration. Throws `unsupported_audio_format`, `corrupt_audio`, `empty_audio`,
 * `audio_too_long`.
 */
export async function probeAudio(path: string, limits: AudioLimits): Promise<AudioInfo> {
  const { size: sizeBytes } = await stat(path);
  const input = await openAudioInput(path);
  try {
    const declaredDurationMs = input.declaredDurationMs ?? (await scanDurationMs(path));
    if (declaredDurationMs === 0) throw new AppError('empty_audio');
    if (declaredDurationMs > limits.maxDurationMs) throw new AppError('audio_too_long');
    await requireSound(input);
    const { container, codec, sampleRateHz, channels } = input;
    return { container, codec, sampleRateHz, channels, declaredDurationMs, sizeBytes };
  } finally {
    input.close();
  }
}

/**
 * Finds the end of the last packet without decoding, with its own reader, so that the first keeps
 * its position. Packets of some formats have no times, and their durations are summed.
 */
async function scanDurationMs(path: string): Promise<number> {
  const input = await openAudioInput(path);
  let ticks = 0n;
  let endTicks = 0n;
  let packets = 0;
  try {
    for (let packet = input.readPacket(); packet !== null; packet = input.readPacket()) {
      if (packet.duration > 0n) ticks += packet.duration;
      if (packet.pts + packet.duration > endTicks) endTicks = packet.pts + packet.duration;
      packets += 1;
      if (packets % PACKETS_PER_TURN === 0) await yieldToEventLoop();
    }
    return Number(ticks > 0n ? ticks : endTicks) * input.tickMs;
  } finally {
    input.close();
  }
}

/** A header alone is no recording: at least one frame must decode. */
async function requireSound(input: AudioInput): Promise<void> {
  const frames = decodeFrames(input, new AbortController().signal);
  const first = await frames.next();
  await frames.return(undefined);
  if (first.done) throw new AppError('empty_audio');
}
