import { createReadStream } from 'node:fs';
import type { SpokenTime } from '@jyutsing/contracts/synthesizer';
import type { SpeechFile } from '#features/synthesis/make-speech-file.ts';
import { formatBlocks } from '#features/transcription/format.ts';

/**
 * The answer with times (`TimedFileAnswer`) as text, a chunk at a time: a file of half an hour in base64 is larger than what one
 * request may hold in memory.
 */
export async function* timedFileAnswer(file: SpeechFile, requestId: string): AsyncGenerator<string> {
  const times = {
    success: true,
    request_id: requestId,
    srt_timestamp: formatBlocks(file.words.map(asSegment), { speakers: false }),
    timestamps: file.words.map(({ text, startMs, endMs }) => ({
      start: inSeconds(startMs),
      end: inSeconds(endMs),
      text,
    })),
  };
  yield `${JSON.stringify(times).slice(0, -1)},"file":"`;
  yield* base64Of(createReadStream(file.path));
  yield '"}';
}

/** Groups of three bytes become four letters; what is left of a chunk goes to the next. */
async function* base64Of(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    rest = bytes.subarray(whole);
  }
  yield rest.toString('base64');
}

function asSegment({ text, startMs, endMs }: SpokenTime) {
  return { text, startMs, endMs, words: [], speaker: null, confidence: null };
}

function inSeconds(timeMs: number): number {
  return Math.round(timeMs) / 1_000;
}
