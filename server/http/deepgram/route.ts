import type { FastifyInstance } from 'fastify';
import { addLiveRoute, type LiveRouteDeps } from '#http/live/live-route.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import { createListenProtocol } from './protocol.ts';
import { ListenQuery, parseListenQuery } from './query.ts';

const DESCRIPTION = `A WebSocket with Deepgram's messages, for its client libraries: binary sound in; \`Results\`, \`SpeechStarted\`,
\`UtteranceEnd\` and \`Metadata\` out; \`KeepAlive\`, \`Finalize\` and \`CloseStream\` are understood. The key may be in \`Authorization: Token\`.`;

type RouteDeps = RealtimeDeps & LiveRouteDeps;

/** GET /v1/listen: live transcription as Deepgram's clients speak it. */
export function addListenRoute(app: FastifyInstance, deps: RouteDeps): void {
  addLiveRoute(
    app,
    {
      path: '/v1/listen',
      docs: {
        operationId: 'listen',
        summary: 'Transcribe live for clients of Deepgram (WebSocket)',
        description: DESCRIPTION,
        querystring: ListenQuery,
      },
      prepare({ query, id: requestId }) {
        const parsed = parseListenQuery(query);
        return (client, connection) => createListenProtocol(deps, { ...client, query: parsed, requestId }, connection);
      },
    },
    deps,
  );
}
