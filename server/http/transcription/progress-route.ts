import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { CueLimits } from '@jyutsing/contracts/transcription';
import { errorResponses, HEADER_KEY, KEY_ERRORS } from '#http/openapi.ts';
import { EVENT_STREAM_TYPE, replyWithEvents, type ServerSentEvent } from '#http/server-sent-events.ts';
import type { HttpServices } from '#http/services.ts';
import { whileConnected } from './connection.ts';
import { RecordParams, type ProgressEvent } from './record-schema.ts';
import { viewRecord } from './record-view.ts';

const DESCRIPTION = `Server-sent events: \`progress\` with \`{stage, processed_s, duration_s, percent}\`, at once and whenever it is
further; last \`completed\` or \`failed\` with the record as the poll shows it, or \`deleted\`; then the stream ends. A comment comes every
15 seconds of silence. Connecting again is always possible: the first event tells where the work stands.`;

/** How far a transcription is, told as it happens. `findId` gives the record of the address, or throws what the answer shall be. */
export function progressRoute(
  app: FastifyInstance,
  services: HttpServices,
  findId: (request: FastifyRequest, reply: FastifyReply) => Promise<string>,
): void {
  app.get('/api/speech-to-text/:id/events', {
    // Asking for the headers alone would wait for the end of the stream.
    exposeHeadRoute: false,
    schema: {
      tags: ['Speech-to-text'],
      summary: 'Follow the progress of a transcription',
      description: DESCRIPTION,
      security: HEADER_KEY,
      params: RecordParams,
      response: {
        200: {
          description: 'The events.',
          content: { [EVENT_STREAM_TYPE]: { schema: z.string().describe('See the description.') } },
        },
        ...errorResponses(...KEY_ERRORS, 'not_found'),
      },
    },
    handler: async (request, reply) => {
      const id = await findId(request, reply);
      const followed = services.followProgress(id, whileConnected(reply));
      return replyWithEvents(progressEvents(id, followed, services.config.cues), request, reply);
    },
  });
}

/** A transcription's progress as events, the last of which is its end. */
export async function* progressEvents(
  id: string,
  followed: ReturnType<HttpServices['followProgress']>,
  cues: CueLimits,
): AsyncGenerator<ServerSentEvent> {
  try {
    for (;;) {
      const next = await followed.next();
      if (next.done === true) {
        yield { name: next.value.status, data: viewRecord(next.value, cues) };
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
