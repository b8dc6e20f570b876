import { joinSamples } from '@jyutsing/audio/join-samples';
import { decodeAudio } from '@jyutsing/audio/decode';
import { probeAudio } from '@jyutsing/audio/probe';
import { type AppError, toAppError } from '@jyutsing/contracts/errors';
import { ffmpeg, run } from './programs.ts';
import { words } from './row.ts';

/** The rate of all sound that is compared, in Hz. */
export const RATE_HZ = 16_000;
const MAX_DURATION_MS = 3_600_000;

/**
 * The result for a file: mono samples, how much of it is charged, and whether it ended too early.
 */
export type Decoded = { samples: Float32Array; chargedMs: number; isCutOff: boolean };

/** Decodes a file as the service does: it is described first. Returns the error of a refusal. */
export async function decodeByProduct(path: string): Promise<Decoded | AppError> {
  const options = { sampleRateHz: RATE_HZ, signal: new AbortController().signal, maxDurationMs: MAX_DURATION_MS };
  const pieces: Float32Array[] = [];
  let gapMs = 0;
  try {
    await probeAudio(path, { maxDurationMs: MAX_DURATION_MS });
    const chunks = decodeAudio(path, options);
    for (;;) {
      const { done, value } = await chunks.next();
      if (done === true) {
        const samples = joinSamples(pieces);
        const chargedMs = (samples.length * 1_000) / RATE_HZ - gapMs;
        return { samples, chargedMs, isCutOff: value.isCutOff };
      }
      pieces.push(value.samples);
      gapMs = value.gapMs ?? 0;
    }
  } catch (thrown) {
    return toAppError(thrown);
  }
}

/** Arguments of ffmpeg that make gaps silence, and samples of the output. */
const WITH_GAPS = words(`-vn -af aresample=async=1:first_pts=0 -ac 1 -ar ${RATE_HZ} -f f32le -`);

export type OtherDecoder = 'ffmpeg' | 'ffmpeg with its own start' | 'sox';

const OTHERS: Record<OtherDecoder, (path: string) => Promise<Buffer>> = {
  // The first time of the file, whatever it is, becomes 0.
  ffmpeg: (path) => ffmpeg('-i', path, ...WITH_GAPS),
  'ffmpeg with its own start': (path) => ffmpeg('-copyts', '-i', path, ...WITH_GAPS),
  sox: (path) => run('sox', ['-V1', path, '-t', 'f32', '-r', String(RATE_HZ), '-c', '1', '-']),
};

/** Decodes a file with another program: gaps of its time line are silence. */
export async function decodeByOther(decoder: OtherDecoder, path: string): Promise<Float32Array> {
  const bytes = await OTHERS[decoder](path);
  return new Float32Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 2);
}
