import { AppError } from '@jyutsing/contracts/errors';
import { SPEECH_SERVER } from './failures.ts';
import { readWavHeader, type SampleFormat, type WavHeader } from './wav-header.ts';

/** Converts the bytes of a response to samples as they arrive, in any chunking. */
type SoundReader = {
  /**
   * Returns the mono samples (−1..1) that these bytes complete. Throws `engine_failed` when the
   * response is not audio.
   */
  push(bytes: Uint8Array): Float32Array<ArrayBuffer>;
  /** Checks for a premature end. Throws `service_unavailable` when announced audio is missing. */
  end(): Float32Array<ArrayBuffer>;
  /** Returns the sample rate, which is known once there are samples. */
  sampleRateHz(): number;
};

/** Number of bytes by which a file is told from raw samples. */
const DECIDING_BYTES = 12;
const RAW: SampleFormat = { kind: 'integer', bytes: 2, channels: 1 };
const NOTHING = new Float32Array(0);

/**
 * Reads raw s16le at `rawRateHz`, or a WAV of any rate and layout: some servers return one instead
 * of the other.
 */
export function createSoundReader(contentType: string | null, rawRateHz: number): SoundReader {
  if (/\bjson\b|^text\/|\bxml\b/i.test(contentType ?? '')) throw notAudio(`the content type is ${contentType}`);
  let pending = new Uint8Array(0);
  let format: SampleFormat | null = null;
  let sampleRateHz = rateIn(contentType) ?? rawRateHz;
  // Number of remaining bytes of a WAV with a declared length.
  let bytesLeft = Infinity;

  const startWith = (header: WavHeader): void => {
    ({ format, sampleRateHz } = header);
    bytesLeft = header.dataBytes ?? Infinity;
    pending = pending.slice(header.headerBytes);
  };
  const decide = (isEnd: boolean): void => {
    if (format !== null || (pending.length < DECIDING_BYTES && !isEnd)) return;
    if (latin(pending, 0, 4) === 'RIFF' && latin(pending, 8, 12) === 'WAVE') {
      const header = readWavHeader(pending);
      if (header !== null) startWith(header);
      else if (isEnd) throw closedEarly();
      return;
    }
    refuseOtherContent(pending);
    format = RAW;
  };
  const decode = (): Float32Array<ArrayBuffer> => {
    if (format === null) return NOTHING;
    const frameBytes = format.bytes * format.channels;
    const usable = Math.min(pending.length, bytesLeft);
    const frameAligned = usable - (usable % frameBytes);
    const samples = toSamples(pending.subarray(0, frameAligned), format);
    bytesLeft -= frameAligned;
    pending = bytesLeft < frameBytes ? new Uint8Array(0) : pending.slice(frameAligned);
    return samples;
  };
  return {
    push(bytes) {
      // Metadata chunks may follow the audio of a WAV.
      if (bytesLeft === 0) return NOTHING;
      pending = pending.length === 0 ? bytes.slice() : concatenate(pending, bytes);
      decide(false);
      return decode();
    },
    end() {
      decide(true);
      const samples = decode();
      if (Number.isFinite(bytesLeft) && bytesLeft > 0) throw closedEarly();
      return samples;
    },
    sampleRateHz: () => sampleRateHz,
  };
}

/** Parses `audio/pcm;rate=24000`. */
function rateIn(contentType: string | null): number | null {
  const rate = Number(/;\s*rate\s*=\s*"?(\d{4,6})\b/i.exec(contentType ?? '')?.[1] ?? 0);
  return rate >= 8_000 && rate <= 96_000 ? rate : null;
}

/**
 * Detects error messages, web pages and other file types in a 200 response. Raw audio hardly ever
 * begins like these.
 */
function refuseOtherContent(bytes: Uint8Array): void {
  const start = latin(bytes, 0, DECIDING_BYTES);
  if (/^(ID3|OggS|fLaC)/.test(start)) throw notAudio('it is a compressed file');
  if (/^\s*(\{\s*"|\[\s*[{"]|<(!doctype|html|\?xml))/i.test(start)) throw notAudio('it is text');
}

function toSamples(bytes: Uint8Array, { kind, bytes: width, channels }: SampleFormat): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length / (width * channels));
  const read = READERS[`${kind}${width}`];
  if (read === undefined) throw notAudio(`its samples are ${kind}s of ${width} bytes`);
  for (let frame = 0; frame < samples.length; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1) sum += read(view, (frame * channels + channel) * width);
    const sample = sum / channels;
    // Float files may contain NaN, which becomes silence.
    samples[frame] = sample >= -1 && sample <= 1 ? sample : sample > 1 ? 1 : sample < -1 ? -1 : 0;
  }
  return samples;
}

const READERS: Readonly<Record<string, (view: DataView, at: number) => number>> = {
  integer1: (view, at) => (view.getUint8(at) - 128) / 128,
  integer2: (view, at) => view.getInt16(at, true) / 32_768,
  integer3: (view, at) => (view.getUint8(at) / 256 + view.getInt16(at + 1, true)) / 32_768,
  integer4: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  float4: (view, at) => view.getFloat32(at, true),
  float8: (view, at) => view.getFloat64(at, true),
};

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

function latin(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

function notAudio(cause: string): AppError {
  return new AppError('engine_failed', SPEECH_SERVER.wrongAnswer, { cause });
}

function closedEarly(): AppError {
  return new AppError(
    'service_unavailable',
    `The ${SPEECH_SERVER.name} closed the connection early; try again shortly.`,
  );
}
