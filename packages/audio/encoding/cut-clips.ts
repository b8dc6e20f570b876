import { decodeAudio } from '#audio/decode.ts';
import { createSpeechEncoder } from './speech-encoder.ts';

const RATE_HZ = 24_000;
/** Sound kept before and after, because recognized times are those of the vowels. */
const MARGIN_MS = 120;

type Clip = { startMs: number; endMs: number };
type ClipOptions = { maxDurationMs: number; signal: AbortSignal };

/**
 * Cuts stretches of a recording, in the order of their beginnings, into MP3 files, and yields each
 * with its index as soon as it is decoded. The recording is decoded once; of the sound only the
 * clips that are open are in memory. Throws what `decodeAudio` throws.
 */
export async function* cutClips(
  path: string,
  clips: readonly Clip[],
  options: ClipOptions,
): AsyncGenerator<{ index: number; mp3: Uint8Array }> {
  const open = clips.map(({ startMs, endMs }, index) => ({
    index,
    from: Math.max(0, Math.floor(((startMs - MARGIN_MS) * RATE_HZ) / 1_000)),
    until: Math.ceil(((endMs + MARGIN_MS) * RATE_HZ) / 1_000),
    parts: [] as Float32Array[],
  }));
  let at = 0;
  for await (const { samples } of decodeAudio(path, { sampleRateHz: RATE_HZ, ...options })) {
    const end = at + samples.length;
    for (const clip of open) {
      if (clip.from >= end) break;
      if (clip.until > at) clip.parts.push(samples.slice(Math.max(0, clip.from - at), clip.until - at));
    }
    at = end;
    while (open[0] !== undefined && open[0].until <= at) yield encoded(open.shift()!);
    if (open.length === 0) return;
  }
  for (const clip of open) yield encoded(clip);
}

function encoded({ index, parts }: { index: number; parts: readonly Float32Array[] }) {
  const encoder = createSpeechEncoder('mp3', RATE_HZ, { isFile: true });
  try {
    const bytes = [...parts.map((part) => encoder.push(part)), encoder.finish()];
    const mp3 = new Uint8Array(Buffer.concat(bytes));
    mp3.set(encoder.finalStart() ?? []);
    return { index, mp3 };
  } finally {
    encoder.close();
  }
}
