// Lower bounds of a Fastify server: `/` answers a constant, `/read` does so after the two reads
// that a poll makes durable: the API key with its account, and the state of the transcription.
import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { fastify, type FastifyRequest } from 'fastify';

const answer: unknown = JSON.parse(process.env['ANSWER'] ?? '{}');
const database = new Sqlite(process.env['DATABASE'] ?? '', { readonly: true });
const readKey = database.prepare<[string], { account_id: string }>(
  `select api_keys.*, accounts.name as account_name, accounts.plan, accounts.blocked from api_keys
   join accounts on accounts.id = api_keys.account_id where sha256 = cast(? as text) and revoked = 0`,
);
const readState = database.prepare<[string], { account_id: string }>(
  'select account_id, status, created_at_ms, edit_version, work_key, joined_to from transcriptions where id = ?',
);
const server = fastify();
server.get('/', () => answer);
server.get('/read', ({ headers, query }: FastifyRequest<{ Querystring: { id: string } }>) => {
  const sha256 = createHash('sha256').update(String(headers['x-api-key'])).digest('hex');
  const key = readKey.get(sha256);
  const state = readState.get(query.id);
  return key !== undefined && state?.account_id === key.account_id ? answer : null;
});
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
