import type { FastifyInstance } from 'fastify';
import { addLiveRoute, type LiveRouteDeps } from '#http/live/live-route.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import type { AddRoute } from '#http/route.ts';
import { createListenProtocol } from './protocol.ts';
import { addProjectRoutes } from './projects-route.ts';
import { ListenQuery, parseListenQuery } from './query.ts';
import { addListenRecordingRoute, type RecordingRouteDeps } from './recording-route.ts';

const DESCRIPTION = `A WebSocket with Deepgram's messages, for its client libraries: binary sound in; \`Results\`, \`SpeechStarted\`,
\`UtteranceEnd\` and \`Metadata\` out; \`KeepAlive\`, \`Finalize\` and \`CloseStream\` are understood. The key may be in \`Authorization: Token\`;
browsers send it, or a client secret, as the subprotocols \`token\` and the key.`;

type RouteDeps = RealtimeDeps & LiveRouteDeps & RecordingRouteDeps;

/** /v1/listen as Deepgram's clients speak it: GET for live sound, POST for recordings. */
export function addListenRoutes(app: FastifyInstance, addRoute: AddRoute, deps: RouteDeps): void {
  addProjectRoutes(addRoute);
  addListenRecordingRoute(addRoute, deps);
  addLiveRoute(
    app,
    {
      path: '/v1/listen',
      clientSecrets: true,
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
