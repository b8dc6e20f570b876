import { encodeG711, type G711Law } from '@jyutsing/audio/g711';
import { fromInt16Bytes, toInt16Bytes } from '@jyutsing/audio/encoding/sample-values';
import { createStreamResampler } from '@jyutsing/audio/vocoder/resample';
import { wavHeader } from '@jyutsing/audio/wav';
import { SYNTHESIS_SAMPLE_RATE_HZ } from '@jyutsing/contracts/synthesizer';

/** Samples as telephone networks and agents take them; `wav` puts a header before them. */
export type RawSound = { encoding: 'linear16' | G711Law; sampleRateHz: number; container: 'wav' | 'none' };

/** The rates that clients may ask for. */
export const RAW_RATES_HZ: readonly number[] = [8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

const MEDIA_TYPES = { linear16: 'audio/l16', mulaw: 'audio/mulaw', alaw: 'audio/alaw' } as const;

/** The headers of an answer with that sound. */
export function rawSoundHeaders({ encoding, sampleRateHz, container }: RawSound): { 'Content-Type': string } {
  const type = container === 'wav' ? 'audio/wav' : `${MEDIA_TYPES[encoding]};rate=${sampleRateHz}`;
  return { 'Content-Type': type };
}

/** Sound is silent this long after the last sample, so that the filter lets go of all of it. */
const TAIL_MS = 20;

type RawSoundWriter = {
  /** Converts PCM of 24,000 Hz, cut anywhere; the filter holds some back. */
  push(pcm: Uint8Array): Uint8Array;
  /** Returns what is held back. */
  finish(): Uint8Array;
};

/** Converts speech, signed 16-bit little-endian PCM of 24,000 Hz, without native code. */
export function createRawSound({ encoding, sampleRateHz, container }: RawSound): RawSoundWriter {
  const resampler = createStreamResampler(SYNTHESIS_SAMPLE_RATE_HZ, sampleRateHz);
  let half: Uint8Array = new Uint8Array(0);
  let header = container === 'wav' ? wavHeader(sampleRateHz, null, { encoding }) : null;
  const write = (samples: Float32Array): Uint8Array => {
    const bytes = encoding === 'linear16' ? toInt16Bytes(samples) : encodeG711(samples, encoding);
    if (header === null) return bytes;
    const all = Buffer.concat([header, bytes]);
    header = null;
    return all;
  };
  return {
    push(pcm) {
      const all = half.length === 0 ? pcm : Buffer.concat([half, pcm]);
      half = all.subarray(all.length - (all.length % 2));
      return write(resampler.push(fromInt16Bytes(all)));
    },
    finish() {
      const needsTail = sampleRateHz !== SYNTHESIS_SAMPLE_RATE_HZ;
      const tail = needsTail ? (TAIL_MS * SYNTHESIS_SAMPLE_RATE_HZ) / 1_000 : 0;
      return write(resampler.push(new Float32Array(tail)));
    },
  };
}

/** The converted sound; nothing comes before the first of it is made. */
export async function* rawSoundOf(pcm: AsyncIterable<Uint8Array>, format: RawSound): AsyncGenerator<Uint8Array> {
  const sound = createRawSound(format);
  for await (const bytes of pcm) {
    const converted = sound.push(bytes);
    if (converted.length > 0) yield converted;
  }
  yield sound.finish();
}
