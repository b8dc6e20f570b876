import { createReadStream } from 'node:fs';
import { wavHeader } from '@jyutsing/audio/wav';
import { fromInt16, int16Bytes } from '@jyutsing/audio/encoding/sample-values';
import { describeFormat, type SpeechFormat } from '@jyutsing/audio/encoding/speech-formats';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { SYNTHESIS_SAMPLE_RATE_HZ, type SpokenTime } from '@jyutsing/contracts/synthesizer';
import type { SpeechFile } from '#features/synthesis/make-speech-file.ts';
import type { StreamEvent } from '#features/synthesis/speech.ts';
import { formatBlocks } from '#features/transcription/format.ts';

/** The audio of the events as signed 16-bit little-endian PCM. */
export async function* pcm16Of(events: AsyncIterable<StreamEvent>): AsyncGenerator<Uint8Array> {
  for await (const event of events) if (event.type === 'audio') yield int16Bytes(event.samples);
}

/** The headers of an answer that is a file of that format. */
export function mediaHeaders(format: SpeechFormat): { 'Content-Type': string; 'Content-Disposition': string } {
  const { mediaType, extension } = describeFormat(format);
  return { 'Content-Type': mediaType, 'Content-Disposition': `attachment; filename="speech${extension}"` };
}

/** The audio of the events in a file format, encoded while it is synthesized. */
export async function* encodedAudioOf(
  events: AsyncIterable<StreamEvent>,
  format: SpeechFormat | 'pcm',
): AsyncGenerator<Uint8Array> {
  if (format === 'pcm') yield* pcm16Of(events);
  else if (format === 'wav') yield* withWavHeader(pcm16Of(events));
  else yield* encoded(events, format);
}

/**
 * Puts a header without a length before the audio. It is sent with the first audio, because an
 * answer has no status before its first bytes.
 */
async function* withWavHeader(audio: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let header: Uint8Array | null = wavHeader(SYNTHESIS_SAMPLE_RATE_HZ, null);
  for await (const bytes of audio) {
    yield header === null ? bytes : Buffer.concat([header, bytes]);
    header = null;
  }
}

async function* encoded(
  events: AsyncIterable<StreamEvent>,
  format: Exclude<SpeechFormat, 'pcm' | 'wav'>,
): AsyncGenerator<Uint8Array> {
  // Loaded when needed, because the codec library is large.
  const { createSpeechEncoder } = await import('@jyutsing/audio/encoding/speech-encoder');
  const encoder = createSpeechEncoder(format, SYNTHESIS_SAMPLE_RATE_HZ);
  try {
    for await (const event of events) {
      if (event.type !== 'audio') continue;
      const bytes = encoder.push(fromInt16(event.samples));
      if (bytes.length > 0) yield bytes;
      // Waiting events come without a turn of the event loop: half a minute of sound, or a pause.
      await yieldToEventLoop();
    }
    yield encoder.finish();
  } finally {
    encoder.close();
  }
}

/** The header that says how much silence a requested duration needed; for the documentation too. */
export const PADDING_HEADER = {
  'X-Duration-Padding': {
    description: 'Only when `duration` is longer than the slowest speech: the seconds of silence at the end.',
    type: 'number',
  },
} as const;

/** `PADDING_HEADER` of a file, if it has any padding. */
export function paddingHeader({ paddingMs }: SpeechFile): { 'X-Duration-Padding'?: number } {
  return paddingMs === 0 ? {} : { 'X-Duration-Padding': inSeconds(paddingMs) };
}

/**
 * The answer with word times (`TimedFileAnswer`) in chunks: half an hour of audio in base64 is
 * larger than what one request may hold in memory.
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
    ...(file.marks.length === 0
      ? {}
      : { marks: file.marks.map(({ name, atMs }) => ({ name, time: inSeconds(atMs) })) }),
    ...(file.paddingMs === 0 ? {} : { duration_padding: inSeconds(file.paddingMs) }),
  };
  yield `${JSON.stringify(times).slice(0, -1)},"file":"`;
  yield* base64Of(createReadStream(file.path));
  yield '"}';
}

/** Encodes groups of three bytes; the bytes left over of a chunk are encoded with the next. */
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
