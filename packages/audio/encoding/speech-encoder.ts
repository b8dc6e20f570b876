import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';
import { createResampler, type Resampler } from '#audio/resample.ts';
import { wavHeader } from '#audio/wav.ts';
import { createPacketEncoder, type CodecPacket, type CodecSettings } from './codec-packets.ts';
import { createAdtsContainer, createFlacContainer, type Container } from './containers.ts';
import { createMp3Container } from './mp3-frames.ts';
import { createOpusContainer, createVorbisContainer } from './ogg-pages.ts';
import { toInt16Bytes, withinFullScale } from './sample-values.ts';
import { describeFormat, type SpeechFormat } from './speech-formats.ts';

/** Encodes a stream of mono audio. */
export type SpeechEncoder = {
  mediaType: string;
  /** File extension with its dot. */
  extension: string;
  /** Output rate: differs from the requested one where the format fixes its rates. */
  sampleRateHz: number;
  /**
   * Returns the bytes completed by this input, possibly none. NaN becomes silence, louder samples
   * are clipped.
   */
  push(samples: Float32Array): Uint8Array<ArrayBuffer>;
  /** Returns the remaining bytes and frees the encoder. */
  finish(): Uint8Array<ArrayBuffer>;
  /**
   * After `finish`: returns the corrected start of a file (true sizes), which overwrites as many
   * bytes, or null.
   */
  finalStart(): Uint8Array | null;
  /** Frees the encoder when encoding is abandoned. */
  close(): void;
};

export type SpeechEncoderOptions = {
  /** Rate of the input. */
  inputRateHz?: number;
  /**
   * The output is a file whose start is overwritten with `finalStart`. MP3 then declares its exact
   * length.
   */
  isFile?: boolean;
};

/** Codes samples within −1..1 at the format's rate into bytes. */
type Coding = {
  push(samples: Float32Array): Uint8Array[];
  finish(): Uint8Array[];
  finalStart(): Uint8Array | null;
  close(): void;
};

const OPUS_RATE_HZ = 48_000;
const AAC_RATE_HZ = 48_000;
/** All sample rates of MPEG audio layer III. */
const MP3_RATES_HZ = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
/** Bit rates at which speech in mono has no audible artefacts. */
const MP3_BIT_RATES = { upTo24kHz: 64_000, above: 96_000 };
const OPUS_BIT_RATE = 48_000;
const AAC_BIT_RATE = 96_000;
const VORBIS_QUALITY = 4;

/**
 * Returns the actual rate of a format for a requested rate. Opus always has 48 kHz, MP3 the next
 * higher of its rates. AAC below 44.1 kHz has 48 kHz too: at lower rates its frames last up to 64
 * ms, so that a bare stream would begin late, and players mistake it for HE-AAC.
 */
export function rateOfFormat(format: SpeechFormat, sampleRateHz: number): number {
  if (format === 'opus') return OPUS_RATE_HZ;
  if (format === 'mp3') return MP3_RATES_HZ.find((rateHz) => rateHz >= sampleRateHz) ?? sampleRateHz;
  return format === 'aac' && sampleRateHz < 44_100 ? AAC_RATE_HZ : sampleRateHz;
}

/**
 * Creates an encoder for input at 24 kHz by default. Throws `engine_failed` for a rate that the
 * format does not have.
 */
export function createSpeechEncoder(
  format: SpeechFormat,
  sampleRateHz: number,
  { inputRateHz = SYNTHESIS_SAMPLE_RATE_HZ, isFile = false }: SpeechEncoderOptions = {},
): SpeechEncoder {
  const rateHz = rateOfFormat(format, sampleRateHz);
  const coding = createCoding(format, rateHz, isFile);
  let resampler: Resampler | null = rateHz === inputRateHz ? null : createResampler(inputRateHz, rateHz);
  const close = () => {
    resampler?.close();
    resampler = null;
    coding.close();
  };
  return {
    ...describeFormat(format),
    sampleRateHz: rateHz,
    push(samples) {
      const clamped = withinFullScale(samples);
      // The resampling filter may exceed full scale slightly.
      return join(coding.push(resampler === null ? clamped : withinFullScale(resampler.push(clamped))));
    },
    finish() {
      const lastBytes = resampler === null ? [] : coding.push(withinFullScale(resampler.flush()));
      const bytes = join([...lastBytes, ...coding.finish()]);
      close();
      return bytes;
    },
    finalStart: () => coding.finalStart(),
    close,
  };
}

function createCoding(format: SpeechFormat, rateHz: number, isFile: boolean): Coding {
  switch (format) {
    case 'pcm':
    case 'wav':
      return createPcmCoding(rateHz, format === 'wav');
    case 'flac':
      return createCodecCoding({ encoder: 'flac', sampleRateHz: rateHz, samples: 's16' }, createFlacContainer);
    case 'mp3': {
      const bitRate = rateHz > 24_000 ? MP3_BIT_RATES.above : MP3_BIT_RATES.upTo24kHz;
      // Without a bit reservoir frames are independent, so a stream can begin with any frame.
      const options = { reservoir: '0' };
      return createCodecCoding(
        { encoder: 'libmp3lame', sampleRateHz: rateHz, samples: 'float', bitRate, options },
        () => createMp3Container({ isFile }),
      );
    }
    case 'ogg':
      return createCodecCoding(
        { encoder: 'libvorbis', sampleRateHz: rateHz, samples: 'float', quality: VORBIS_QUALITY },
        (setup) => createVorbisContainer(setup, rateHz),
      );
    case 'opus':
      return createCodecCoding(
        { encoder: 'libopus', sampleRateHz: rateHz, samples: 's16', bitRate: OPUS_BIT_RATE },
        (setup) => createOpusContainer(setup, rateHz),
      );
    case 'aac':
      return createCodecCoding(
        {
          encoder: 'aac',
          sampleRateHz: rateHz,
          samples: 'float',
          bitRate: AAC_BIT_RATE,
          // The fast coder takes a quarter of the time of the default one, at slightly more bits.
          options: { aac_coder: 'fast' },
        },
        createAdtsContainer,
      );
  }
}

function createPcmCoding(sampleRateHz: number, hasHeader: boolean): Coding {
  let dataBytes = 0;
  let isStarted = !hasHeader;
  const begin = () => {
    const pieces = isStarted ? [] : [wavHeader(sampleRateHz, null)];
    isStarted = true;
    return pieces;
  };
  return {
    push(samples) {
      dataBytes += samples.length * 2;
      return [...begin(), toInt16Bytes(samples)];
    },
    finish: begin,
    finalStart: () => (hasHeader ? wavHeader(sampleRateHz, dataBytes) : null),
    close: () => undefined,
  };
}

function createCodecCoding(settings: CodecSettings, openContainer: (setup: Uint8Array) => Container): Coding {
  const encoder = createPacketEncoder(settings);
  const container = openContainer(encoder.setup());
  let samples = 0;
  let setup = new Uint8Array(0);
  const pack = (packets: CodecPacket[]) => packets.flatMap((packet) => container.add(packet));
  return {
    push(sound) {
      samples += sound.length;
      return pack(encoder.push(sound));
    },
    finish() {
      const pieces = pack(encoder.finish());
      setup = Uint8Array.from(encoder.setup());
      return [...pieces, ...container.end({ samples, setup })];
    },
    finalStart: () => container.finalStart({ samples, setup }),
    close: () => encoder.close(),
  };
}

function join(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
