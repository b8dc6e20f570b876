import { open } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { isKeptRecording } from '@jyutsing/contracts/transcription';
import { textLimitBytes } from '#features/accounts/plans.ts';
import type { ServerDeps } from '#http/deps.ts';
import type { DiskSpace } from '#http/disk-space.ts';
import { jsonBody } from '#http/json-body.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import { changeOf, EditBody, expectedVersion, storedBytes, UncheckedEdit } from './edit-body.ts';
import { findRecord, UNKNOWN_RECORD } from './find-record.ts';
import { byteRange, mediaTypeOf, SNIFFED_BYTES } from './kept-audio.ts';
import { EditAnswer, RecordParams } from './record-schema.ts';

const TAGS = ['Speech-to-text'];
const AUTH = { scope: 'stt', rateLimit: 'request' } as const;
/** A transcript of ten hours. */
const MAX_BODY_BYTES = 16 * 1024 ** 2;
const MAX_VALUES = 400_000;
const IF_MATCH = String.raw`^(\*|(W/)?"\d{1,9}")$`;

type RouteDeps = Pick<ServerDeps, 'blobs' | 'store'> & { disk: DiskSpace };

/** The routes with which people correct a transcript and play its recording. */
export function addEditRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  addRoute({
    method: 'PATCH',
    paths: ['/api/speech-to-text/:id'],
    docs: {
      tags: TAGS,
      operationId: 'editTranscription',
      summary: 'Correct a transcript',
      description: `Every format shows the corrected text then. \`If-Match\` is the \`ETag\` of what was read: 409 when somebody saved since. \`*\`
saves anyway; without it only a transcript that was never saved is changed.`,
      params: RecordParams,
      headers: z.looseObject({ 'if-match': z.string().optional().meta({ pattern: IF_MATCH }) }),
      ok: EditAnswer,
      errors: [
        'not_found',
        'conflict',
        'invalid_parameter',
        'payload_too_large',
        'unsupported_media_type',
        'storage_exceeded',
      ],
    },
    auth: AUTH,
    body: jsonBody(UncheckedEdit, {
      keyFirst: 'header',
      maxBytes: MAX_BODY_BYTES,
      maxValues: MAX_VALUES,
      documented: EditBody,
    }),
    async run(context) {
      const record = await findRecord(deps, context);
      const { tags, ...texts } = context.input;
      if (tags !== undefined && !(await deps.store.transcriptSearch.saveTags(record.id, record.accountId, tags))) {
        throw new AppError('not_found', UNKNOWN_RECORD);
      }
      // Tags are no text, so they conflict with no correction.
      if (tags !== undefined && Object.values(texts).every((part) => part === undefined)) return record;
      const version = expectedVersion(context.request.headers['if-match']);
      const change = await changeOf(texts, record);
      const { accountId } = record;
      // The reserve of the disk is for work that was accepted.
      const expectedBytes = change.edit === undefined ? 0 : storedBytes(change.edit);
      using _ = await deps.disk.open({ expectedBytes, accountId });
      // Parts that are not sent stay as they were read, so `*` means this very version too.
      const saved = await deps.store.transcriptions.saveEdit(
        record.id,
        accountId,
        change,
        version ?? record.editVersion,
        textLimitBytes(context.caller.plan),
      );
      if (saved === null) throw new AppError('not_found', UNKNOWN_RECORD);
      return saved;
    },
    answer({ editVersion, editedAtMs }, { reply }) {
      reply.header('etag', `"${editVersion}"`);
      return {
        success: true,
        version: editVersion,
        ...(editedAtMs === null ? {} : { edited_at: new Date(editedAtMs).toISOString() }),
      };
    },
  });
  addAudioRoute(addRoute, deps);
}

function addAudioRoute(addRoute: AddRoute, deps: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/:id/audio'],
    docs: {
      tags: TAGS,
      operationId: 'getTranscriptionAudio',
      summary: 'The recording of a transcription',
      description: 'As it was sent with `keep_audio`; also in ranges.',
      params: RecordParams,
      ok: {
        description: 'The recording.',
        content: { 'audio/*': { schema: z.string() }, 'video/*': { schema: z.string() } },
      },
      errors: ['not_found', 'range_not_satisfiable'],
    },
    auth: AUTH,
    body: noBody,
    run: (context) => openAudio(deps, context),
    answer({ file, sizeBytes, mediaType }, { request, reply }) {
      const range = byteRange(request.headers.range, sizeBytes);
      if (range === 'unsatisfiable') {
        void file.close();
        reply.header('content-range', `bytes */${sizeBytes}`);
        throw new AppError('range_not_satisfiable');
      }
      const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
      if (range !== null) reply.status(206).header('content-range', `bytes ${first}-${last}/${sizeBytes}`);
      return (
        reply
          .type(mediaType)
          .header('accept-ranges', 'bytes')
          .header('content-length', last - first + 1)
          // A recording of people: shared caches must not keep it, nor serve it for another key.
          .header('cache-control', 'private, max-age=300')
          .header('vary', 'x-api-key, authorization')
          .send(file.createReadStream({ start: first, end: last }))
      );
    },
  });
}

async function openAudio(deps: RouteDeps, context: RouteContext<undefined>) {
  const { blobKey } = await findRecord(deps, context);
  if (!isKeptRecording(blobKey)) {
    throw new AppError('not_found', 'The recording was not kept; send "keep_audio=true" with the next one.');
  }
  // An open file can be read to its end after it was deleted.
  const file = await deps.blobs.localPath(blobKey, (path) => open(path));
  try {
    const { size: sizeBytes } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0);
    return { file, sizeBytes, mediaType: mediaTypeOf(buffer.subarray(0, bytesRead)) };
  } catch (failure) {
    await file.close();
    throw failure;
  }
}
