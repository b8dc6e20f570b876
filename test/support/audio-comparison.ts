import { readFile } from 'node:fs/promises';
import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, InputFormat, Packet } from 'node-av/lib';
import { mean } from '@jyutsing/numeric/statistics';
import { fromInt16Bytes } from '#packages/audio/encoding/sample-values.ts';
import { createMixer } from '#packages/audio/mixer.ts';
import { decodeAudio } from '@jyutsing/audio/decode';
import { joinSamples } from '@jyutsing/audio/join-samples';
import { AppError } from '@jyutsing/contracts/errors';

/** Decodes a file to mono samples, as a player would; raw PCM is read at `sampleRateHz`. */
export async function decodeFile(path: string, sampleRateHz: number): Promise<Float32Array> {
  if (path.endsWith('.pcm')) return fromInt16Bytes(await readFile(path));
  if (path.endsWith('.aac')) return decodeAdts(path, sampleRateHz);
  const pieces: Float32Array[] = [];
  const signal = new AbortController().signal;
  for await (const { samples } of decodeAudio(path, { sampleRateHz, maxDurationMs: 3_600_000, signal }))
    pieces.push(samples);
  return joinSamples(pieces);
}

/** Bare AAC is no format of uploads, so that our own decoder refuses it. */
function decodeAdts(path: string, sampleRateHz: number): Float32Array {
  const input = new FormatContext();
  check(input.openInputSync(path, InputFormat.findInputFormat('aac')));
  check(input.findStreamInfoSync(null));
  const stream = input.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)!;
  const codec = Codec.findDecoder(stream.codecpar.codecId)!;
  using decoder = new CodecContext();
  decoder.allocContext3(codec);
  check(decoder.parametersToContext(stream.codecpar));
  check(decoder.open2Sync(codec, null));
  using packet = new Packet();
  packet.alloc();
  using frame = new Frame();
  frame.alloc();
  const mixer = createMixer(sampleRateHz);
  const pieces: Float32Array[] = [];
  const drain = () => {
    while (decoder.receiveFrameSync(frame) >= 0) pieces.push(mixer.push(frame).slice());
  };
  while (input.readFrameSync(packet) >= 0) {
    check(decoder.sendPacketSync(packet));
    drain();
    packet.unref();
  }
  decoder.sendPacketSync(null);
  drain();
  pieces.push(mixer.flush().slice());
  mixer.close();
  input.closeInputSync();
  return joinSamples(pieces);
}

function check(code: number): void {
  if (code < 0) throw new AppError('internal_error', 'The codec library failed.');
}

/**
 * Compares two sounds: the normalized correlation (1: equal but for loudness) at the best lag, in
 * samples of the second.
 */
export function compareSounds(
  expected: Float32Array,
  actual: Float32Array,
  maxLag: number,
): { correlation: number; lag: number } {
  let best = { correlation: -1, lag: 0 };
  for (let lag = -maxLag; lag <= maxLag; lag += 1) {
    let both = 0;
    let first = 0;
    let second = 0;
    for (let i = Math.max(0, -lag); i < expected.length && i + lag < actual.length; i += 1) {
      const a = expected[i]!;
      const b = actual[i + lag]!;
      both += a * b;
      first += a * a;
      second += b * b;
    }
    const correlation = both / Math.sqrt(first * second || 1);
    if (correlation > best.correlation) best = { correlation, lag };
  }
  return best;
}

type Biquad = { b: readonly [number, number, number]; a: readonly [number, number] };
/** ITU-R BS.1770-4, tables 1 and 2, for 48 kHz. */
const SHELF: Biquad = {
  b: [1.53512485958697, -2.69169618940638, 1.19839281085285],
  a: [-1.69065929318241, 0.73248077421585],
};
const HIGH_PASS: Biquad = { b: [1, -2, 1], a: [-1.99004745483398, 0.99007225036621] };
const BLOCK_SAMPLES = 19_200;
const STEP_SAMPLES = 4_800;

/**
 * Computes the integrated loudness of mono audio at 48 kHz by ITU-R BS.1770-4, LUFS; −∞ for
 * silence.
 */
export function integratedLufs(samples: Float32Array): number {
  const weighted = filter(filter(Float64Array.from(samples), SHELF), HIGH_PASS);
  const powers: number[] = [];
  for (let at = 0; at + BLOCK_SAMPLES <= weighted.length; at += STEP_SAMPLES) {
    let sum = 0;
    for (let i = at; i < at + BLOCK_SAMPLES; i += 1) sum += weighted[i]! ** 2;
    powers.push(sum / BLOCK_SAMPLES);
  }
  const loud = powers.filter((power) => toLufs(power) > -70);
  if (loud.length === 0) return -Infinity;
  const gate = toLufs(mean(loud)) - 10;
  return toLufs(mean(loud.filter((power) => toLufs(power) > gate)));
}

function filter(input: Float64Array, { b, a }: Biquad): Float64Array {
  const output = new Float64Array(input.length);
  for (let i = 0; i < input.length; i += 1) {
    output[i] =
      b[0] * input[i]! +
      b[1] * (input[i - 1] ?? 0) +
      b[2] * (input[i - 2] ?? 0) -
      a[0] * (output[i - 1] ?? 0) -
      a[1] * (output[i - 2] ?? 0);
  }
  return output;
}

const toLufs = (power: number) => -0.691 + 10 * Math.log10(power);
