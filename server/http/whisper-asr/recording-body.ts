import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { audioFile, apiKeyField } from '#http/fields.ts';
import { asWav } from '#http/raw-upload.ts';
import type { BodyReader } from '#http/route.ts';
import type { UploadedFile } from '#http/save-upload.ts';
import { submissionBody } from '#http/transcription/submission-form.ts';
import type { UploadLimits } from '#http/upload-limits.ts';
import { acceptBasicKey } from './basic-key.ts';
import { DetectionQuery } from './query.ts';

/** Bare samples as all programs of that server send them. */
const SAMPLES = { encoding: 'linear16', sampleRateHz: 16_000, channels: 1 } as const;
const BYTES_PER_SECOND = 2 * SAMPLES.sampleRateHz;

const Form = z.object({ audio_file: audioFile, api_key: apiKeyField });
type Input = { file: UploadedFile; request: FastifyRequest };

/** A form with `audio_file`; of bare samples at most the first seconds are kept. */
export function recordingBody(uploads: UploadLimits, maxSeconds = Infinity): BodyReader<Input> {
  const form = {
    docs: { form: Form },
    fileField: 'audio_file',
    fieldNames: new Set(Object.keys(Form.shape)),
    parse: ({ file, request }: Input): Input => ({ file, request }),
  };
  const convert = (chunks: AsyncIterable<Buffer>) => asWav(firstOf(chunks, maxSeconds * BYTES_PER_SECOND), SAMPLES);
  const asFile = submissionBody<Input>(form, uploads);
  const asSamples = submissionBody<Input>({ ...form, convert }, uploads);
  return {
    ...asFile,
    async read(unread) {
      acceptBasicKey(unread.request);
      // Checked after the key.
      const { encode } = unread.request.query as { encode?: unknown };
      const isSamples = DetectionQuery.safeParse({ encode }).data?.encode === false;
      return (isSamples ? asSamples : asFile).read(unread);
    },
  };
}

/** The first bytes; the rest is read, so that the form can end. */
async function* firstOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes;
  for await (const chunk of chunks) {
    if (left > 0) yield chunk.subarray(0, Math.min(left, chunk.length));
    left -= chunk.length;
  }
}
