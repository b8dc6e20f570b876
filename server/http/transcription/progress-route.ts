import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { CueLimits } from '@jyutsing/contracts/transcription';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import { EVENT_STREAM_TYPE, replyWithEvents, type ServerSentEvent } from '#http/server-sent-events.ts';
import { RecordParams, type ProgressEvent } from './record-schema.ts';
import { viewRecord } from './record-view.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

const DESCRIPTION = `Server-sent events: \`progress\` with \`{stage, processed_s, duration_s, percent}\` at once and after every change;
then \`completed\` or \`failed\` with the record as the poll shows it, or \`deleted\`; then the stream ends. A comment is sent after every
15 seconds without an event. Clients can reconnect at any time: the first event has the current progress.`;

type RouteDeps = Pick<ServerDeps, 'config' | 'followProgress' | 'store'>;

/** The progress of a transcription as server-sent events. */
export function addProgressRoute(addRoute: AddRoute, { config, followProgress, store }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/:id/events'],
    docs: {
      tags: ['Speech-to-text'],
      operationId: 'followTranscription',
      summary: 'Follow the progress of a transcription',
      description: DESCRIPTION,
      params: RecordParams,
      ok: {
        description: 'The events.',
        content: { [EVENT_STREAM_TYPE]: { schema: z.unknown().describe('See the description.') } },
      },
      errors: ['not_found'],
    },
    auth: { scope: 'stt', rateLimit: 'poll' },
    concurrent: 'eventStreams',
    body: noBody,
    // A HEAD request would wait for the end of the stream.
    options: { exposeHeadRoute: false },
    async run({ caller, id: idInPath, request, reply }) {
      const id = transcriptionIdFrom(idInPath, caller.account.id);
      const state = id === null ? null : await store.transcriptions.findState(id);
      if (id === null || state?.accountId !== caller.account.id) {
        throw new AppError('not_found', 'There is no transcription with this id in this account.');
      }
      const followed = followProgress(id, abortOnDisconnect(reply));
      return replyWithEvents(progressEvents(id, followed, config.cues), request, reply);
    },
  });
}

/** A transcription's progress as events; the last one is its end. */
async function* progressEvents(
  id: string,
  followed: ReturnType<ServerDeps['followProgress']>,
  cues: CueLimits,
): AsyncGenerator<ServerSentEvent> {
  try {
    for (;;) {
      const next = await followed.next();
      if (next.done === true) {
        yield { name: next.value.status, data: await viewRecord(next.value, cues) };
        return;
      }
      const { stage, processedMs, durationMs } = next.value;
      yield {
        name: 'progress',
        data: {
          stage,
          processed_s: Math.round(processedMs) / 1_000,
          duration_s: durationMs / 1_000,
          percent: durationMs === 0 ? null : Math.min(100, Math.round((processedMs / durationMs) * 1_000) / 10),
        } satisfies z.output<typeof ProgressEvent>,
      };
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'not_found') throw thrown;
    yield { name: 'deleted', data: { request_id: id } };
  } finally {
    await followed.return(undefined as never);
  }
}
