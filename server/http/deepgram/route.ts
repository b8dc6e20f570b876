import type { FastifyInstance } from 'fastify';
import { addLiveRoute, type LiveRouteDeps } from '#http/live/live-route.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import type { AddRoute } from '#http/route.ts';
import type { SpeechDeps } from '#http/synthesis/speak.ts';
import type { SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { createFluxProtocol, parseFluxQuery } from './flux/protocol.ts';
import { createListenProtocol } from './protocol.ts';
import { addGrantRoute } from './grant-route.ts';
import { addProjectRoutes } from './projects-route.ts';
import { ListenQuery, parseListenQuery } from './query.ts';
import { addListenRecordingRoute, type RecordingRouteDeps } from './recording-route.ts';
import { addSpeakRoutes } from './speak/route.ts';

const DESCRIPTION = `A WebSocket with Deepgram's messages, for its client libraries: binary sound in; \`Results\`, \`SpeechStarted\`,
\`UtteranceEnd\` and \`Metadata\` out; \`KeepAlive\`, \`Finalize\` and \`CloseStream\` are understood. The key may be in \`Authorization: Token\`;
browsers send it, or a client secret, as the subprotocols \`token\` and the key.`;

const FLUX_DESCRIPTION = `Deepgram's Flux: \`TurnInfo\` with StartOfTurn, Update, EagerEndOfTurn, TurnResumed and EndOfTurn. A turn ends by its pause and
its last words. \`Configure\`, \`ForceEndTurn\` and \`CloseStream\` are understood.`;

type RouteDeps = RealtimeDeps & LiveRouteDeps & RecordingRouteDeps & SpeechDeps & SpeakTextDeps;

/** The addresses of Deepgram: GET for live connections, POST for recordings and texts. */
export function addDeepgramRoutes(app: FastifyInstance, addRoute: AddRoute, deps: RouteDeps): void {
  addProjectRoutes(addRoute);
  addGrantRoute(addRoute, deps);
  addListenRecordingRoute(addRoute, deps);
  addSpeakRoutes(app, addRoute, deps);
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
  addLiveRoute(
    app,
    {
      path: '/v2/listen',
      clientSecrets: true,
      docs: {
        operationId: 'listenInTurns',
        summary: 'Transcribe a conversation in turns for clients of Deepgram Flux (WebSocket)',
        description: FLUX_DESCRIPTION,
      },
      prepare({ query, id: requestId }) {
        const parsed = parseFluxQuery(query);
        return (client, connection) => createFluxProtocol(deps, { ...client, query: parsed, requestId }, connection);
      },
    },
    deps,
  );
}
