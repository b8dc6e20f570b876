import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { makeClientSecret, MAX_CLIENT_SECRET_CHARACTERS } from '#features/accounts/client-secrets.ts';
import type { ServerDeps } from '#http/deps.ts';
import { apiKeyField } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import type { AddRoute } from '#http/route.ts';
import { DEFAULT_SESSION, updateSession, viewSession } from './session.ts';
import { newId } from './transcription-events.ts';

const DESCRIPTION = `A key for a browser: it opens sessions of \`/v1/realtime\` and the WebSocket of \`/v1/listen\` until it expires, and nothing
else. Sessions count for the account of the API key, and end with it. What \`session\` sets stays as it is: the browser sets only the rest.`;

const EXAMPLE = {
  expires_after: { anchor: 'created_at', seconds: 600 },
  session: { type: 'transcription', audio: { input: { transcription: { language: 'yue' } } } },
};

const DEFAULT_SECONDS = 600;

const ClientSecretRequest = z.object({
  api_key: apiKeyField,
  expires_after: z
    .object({
      anchor: z.literal('created_at').default('created_at'),
      seconds: z.int().min(10).max(7_200).default(DEFAULT_SECONDS).describe('Open sessions go on, two hours at most.'),
    })
    .nullish(),
  session: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('As in `session.update` of `/v1/realtime`; absent: the browser chooses.'),
});

const ClientSecretAnswer = z
  .object({
    value: z.string().describe('`ek_…`; send it like an API key.'),
    expires_at: z.int().describe('Seconds since 1970.'),
    session: z
      .looseObject({ id: z.string(), object: z.literal('realtime.transcription_session') })
      .describe('The whole session, with its defaults.'),
  })
  .meta({ id: 'ClientSecret' });

/** POST /v1/realtime/client_secrets: keys for browsers, as OpenAI's clients ask for them. */
export function addClientSecretRoute(addRoute: AddRoute, { store }: Pick<ServerDeps, 'store'>): void {
  addRoute({
    method: 'POST',
    paths: ['/v1/realtime/client_secrets'],
    docs: {
      operationId: 'createClientSecret',
      tags: ['Live'],
      summary: 'Make a key for a browser',
      description: DESCRIPTION,
      ok: ClientSecretAnswer,
      errors: ['invalid_parameter'],
    },
    auth: { scope: 'stt', rateLimit: 'request' },
    body: jsonBody(ClientSecretRequest, { example: EXAMPLE }),
    async run({ caller, input }) {
      const session = input.session ?? {};
      const effective = updateSession(DEFAULT_SESSION, session);
      const seconds = input.expires_after?.seconds ?? DEFAULT_SECONDS;
      const { value, expiresAtSeconds } = await makeClientSecret(store.keys, {
        keyId: caller.key.id,
        seconds,
        session,
      });
      if (value.length > MAX_CLIENT_SECRET_CHARACTERS) throw tooLarge();
      return { value, expires_at: expiresAtSeconds, session: viewSession(newId('sess'), effective) };
    },
  });
}

function tooLarge(): AppError {
  return new AppError(
    'invalid_parameter',
    'The field "session" is too large for a client secret; send its prompt and keywords in "session.update".',
  );
}
