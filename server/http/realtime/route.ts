import type { FastifyInstance } from 'fastify';
import { addLiveRoute, type LiveRouteDeps } from '#http/live/live-route.ts';
import type { AddRoute } from '#http/route.ts';
import { addClientSecretRoute } from './client-secrets-route.ts';
import { createRealtimeProtocol, type RealtimeDeps } from './protocol.ts';
import { DEFAULT_SESSION, updateSession } from './session.ts';

const DESCRIPTION = `A WebSocket with OpenAI's events of a transcription session, for its client libraries: \`?intent=transcription\`. The
names of the beta are accepted too. docs/realtime.md describes the events. Browsers send their key as the subprotocols \`realtime\` and
\`openai-insecure-api-key.<key>\`.`;

type RouteDeps = RealtimeDeps & LiveRouteDeps;

/** GET /v1/realtime: live transcription as OpenAI's clients speak it, and the keys for browsers. */
export function addRealtimeRoutes(app: FastifyInstance, addRoute: AddRoute, deps: RouteDeps): void {
  addClientSecretRoute(addRoute, deps);
  addLiveRoute(
    app,
    {
      path: '/v1/realtime',
      clientSecrets: true,
      docs: { operationId: 'openRealtime', summary: 'Transcribe live (WebSocket)', description: DESCRIPTION },
      prepare({ query, headers }) {
        const { model } = query as { model?: unknown };
        const named = typeof model === 'string' ? { audio: { input: { transcription: { model } } } } : {};
        const initial = updateSession(DEFAULT_SESSION, named);
        const isBeta = String(headers['openai-beta'] ?? '').startsWith('realtime');
        return (client, connection) => createRealtimeProtocol(deps, { ...client, initial, isBeta }, connection);
      },
    },
    deps,
  );
}
