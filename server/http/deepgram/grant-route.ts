import { z } from 'zod';
import { makeClientSecret } from '#features/accounts/client-secrets.ts';
import type { ServerDeps } from '#http/deps.ts';
import { jsonBody } from '#http/json-body.ts';
import type { AddRoute } from '#http/route.ts';
import { replyForDeepgram } from './errors.ts';

const DESCRIPTION = `A key for a browser that speaks Deepgram's protocol: a client secret as \`/v1/realtime/client_secrets\` makes it.`;

const DEFAULT_SECONDS = 30;
const Grant = z.object({
  ttl_seconds: z.int().min(1).max(3_600).nullish().describe('Open streams go on, two hours at most. Default: 30.'),
});

/** POST /v1/auth/grant: a key for browsers, as Deepgram's clients ask for it. */
export function addGrantRoute(addRoute: AddRoute, { store }: Pick<ServerDeps, 'store'>): void {
  addRoute({
    method: 'POST',
    paths: ['/v1/auth/grant'],
    docs: {
      tags: ['Live'],
      operationId: 'grantForDeepgram',
      summary: 'Make a key for a browser, for clients of Deepgram',
      description: DESCRIPTION,
      ok: z.object({ access_token: z.string(), expires_in: z.int().describe('Seconds.') }),
    },
    auth: { scope: 'stt', rateLimit: 'request' },
    body: jsonBody(Grant, { example: { ttl_seconds: 60 } }),
    options: { errorHandler: replyForDeepgram },
    async run({ caller, input }) {
      const seconds = input.ttl_seconds ?? DEFAULT_SECONDS;
      const { value } = await makeClientSecret(store.keys, { keyId: caller.key.id, seconds, session: {} });
      return { access_token: value, expires_in: seconds };
    },
  });
}
