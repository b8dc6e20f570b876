import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UUID } from '@jyutsing/contracts/uuid';
import { form, send, wav, withKey, type Answer, type Json } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';

type Account = { id: string; key: string };
type File = Uint8Array<ArrayBuffer>;
type Fields = Record<string, string>;

const TEXT = new TextEncoder().encode('a letter');

const entriesOf = ({ body }: Answer) => (body['data']?.['transcriptions'] ?? []) as unknown as Json[];
const idsOf = (answer: Answer) => entriesOf(answer).map((entry) => String(entry['request_id']));
const batchIdOf = ({ body }: Answer) => String(body['data']?.['batch_id']);
const codeOf = ({ status, body }: Answer) => [status, String(body['error']?.['code'])];

describe.each(databasesToTest())('a batch on $name', (database) => {
  let opened: OpenedDatabase;
  let server: TestServer;
  beforeAll(async () => {
    opened = await database.open();
    server = await startTestServer({ databaseUrl: opened.databaseUrl, maxUploadBytes: 1024 ** 2 });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await opened.close();
  });

  const submit = (
    { key }: Account,
    files: File[],
    { path = '/api/stt', fields = {}, headers = {} }: { path?: string; fields?: Fields; headers?: Fields } = {},
  ): Promise<Answer> => {
    const parts = files.map((file, index): [string, File] => [index % 2 === 0 ? 'data' : 'audio', file]);
    return send(server.baseUrl + path, { ...form(['api_key', key], ...parts, ...Object.entries(fields)), headers });
  };
  const recordOf = async (id: string, { key }: Account) =>
    (await send(`${server.baseUrl}/api/speech-to-text/${id}`, withKey(key))).body['transcription'];
  const listed = async (query: string, { key }: Account) =>
    send(`${server.baseUrl}/api/speech-to-text?${query}`, withKey(key));
  const used = async ({ id }: Account) => (await server.store.quotas.used(id)).stt_seconds;
  const countOf = async ({ id }: Account) => (await server.store.transcriptions.list(id, { limit: 100 })).length;
  /** Counts what exists of an account, with all stored and incoming files. */
  const traceOf = async (account: Account) => ({
    records: await countOf(account),
    seconds: await used(account),
    blobs: (await server.blobs()).length,
    incoming: await server.incoming(),
  });

  it('gives each file a record of its own, in order, under one id', async () => {
    const account = await server.newAccount('small');
    const answer = await submit(account, [wav(1.5), wav(2.5), wav(3)], { fields: { context: '天氣' } });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        data: {
          batch_id: expect.stringMatching(UUID),
          status: 'processing',
          transcriptions: Array.from({ length: 3 }, () => ({
            request_id: expect.stringMatching(UUID),
            file_name: 'recording.wav',
            status: 'processing',
          })),
        },
      },
    ]);
    const batch_id = batchIdOf(answer);
    for (const [index, id] of idsOf(answer).entries()) {
      await expect
        .poll(() => recordOf(id, account))
        .toMatchObject({ status: 'completed', batch_id, context: '天氣', duration_s: [1.5, 2.5, 3][index] });
    }
    expect(await used(account)).toBe(2 + 3 + 3);
    const { body } = await listed(`batch_id=${batch_id.toUpperCase()}`, account);
    expect(
      (body['transcriptions'] as unknown as Json[]).map((entry) => String(entry['request_id'])).toSorted(),
    ).toEqual(idsOf(answer).toSorted());
  });

  it('repeats the names of files in any script, shortened', async () => {
    const account = await server.newAccount('pro');
    const names = ['週一 会議.m4a', '../../a b.wav', 'x'.repeat(300)];
    const body = new FormData();
    body.append('api_key', account.key);
    for (const name of names) body.append('data', new Blob([wav(1)]), name);
    const answer = await send(`${server.baseUrl}/api/stt`, { method: 'POST', body });
    const seen = entriesOf(answer).map((entry) => String(entry['file_name']));
    expect(seen).toEqual(['週一 会議.m4a', 'a b.wav', 'x'.repeat(255)]);
  });

  it('is listed apart from other records, and only for its own account', async () => {
    const [account, other] = [await server.newAccount('pro'), await server.newAccount('pro')];
    const [first, second] = [await submit(account, [wav(1), wav(1)]), await submit(account, [wav(1), wav(1)])];
    const single = await submit(account, [wav(1)]);
    expect(single.body['data']).toEqual({ request_id: expect.stringMatching(UUID), status: 'processing' });
    const record = await recordOf(String(single.body['data']?.['request_id']), account);
    expect(record).not.toHaveProperty('batch_id');
    const page = (await listed(`batch_id=${batchIdOf(first)}&limit=1`, account)).body;
    expect(page).toMatchObject({ transcriptions: [{ batch_id: batchIdOf(first) }], has_more: true });
    expect(batchIdOf(second)).not.toBe(batchIdOf(first));
    expect((await listed(`batch_id=${batchIdOf(first)}`, other)).body).toMatchObject({ transcriptions: [] });
    expect(codeOf(await listed('batch_id=monday', account))).toEqual([422, 'invalid_parameter']);
  });

  it('fails the record of a file that cannot be transcribed, and transcribes the others', async () => {
    const account = await server.newAccount('small');
    const answer = await submit(account, [TEXT, wav(2), new Uint8Array(0)]);
    const [text, sound, empty] = idsOf(answer);
    expect(entriesOf(answer)).toMatchObject([
      { status: 'failed', error_code: 'unsupported_audio_format', error: expect.any(String) },
      { status: 'processing' },
      { status: 'failed', error_code: 'empty_audio', error: 'The audio file is empty.' },
    ]);
    expect(await recordOf(text ?? '', account)).toMatchObject({
      status: 'failed',
      batch_id: batchIdOf(answer),
      error_code: 'unsupported_audio_format',
    });
    expect(await recordOf(empty ?? '', account)).toMatchObject({ status: 'failed', error_code: 'empty_audio' });
    await expect.poll(() => recordOf(sound ?? '', account)).toMatchObject({ status: 'completed' });
    expect(await used(account)).toBe(2);
    expect(await server.incoming()).toEqual([]);
  });

  it('is refused whole, and leaves nothing, when the quota is one second short of it', async () => {
    const account = await server.newAccount('small');
    expect((await submit(account, [wav(2), wav(3)])).status).toBe(200);
    await expect.poll(async () => (await listed('status=completed', account)).body['transcriptions']).toHaveLength(2);
    const before = await traceOf(account);
    expect(before).toMatchObject({ records: 2, seconds: 5 });
    const refused = await submit(account, [wav(2), TEXT, wav(4)]);
    expect(codeOf(refused)).toEqual([429, 'quota_exceeded']);
    expect(String(refused.body['message'])).toMatch(/^These recordings need more seconds/);
    expect(await traceOf(account)).toEqual(before);
    expect((await submit(account, [wav(2), wav(3)])).status).toBe(200);
    expect(await used(account)).toBe(10);
  });

  it('shares a quota with simultaneous ones: as many are accepted whole as fit', async () => {
    const account = await server.newAccount('small');
    server.state.workIsHeld = true;
    const before = (await server.blobs()).length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(account, [wav(2), wav(2)])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, ...Array(6).fill(429)]);
    expect(await traceOf(account)).toEqual({ records: 4, seconds: 8, blobs: before + 4, incoming: [] });
    server.state.workIsHeld = false;
  });

  it('does the work of the same recordings once, whatever their order in simultaneous batches', async () => {
    const account = await server.newAccount('small');
    server.state.workIsHeld = true;
    const [a, b] = [wav(2), wav(3)];
    const orders = Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? [a, b] : [b, a]));
    const answers = await Promise.all([...orders.map((files) => submit(account, files)), submit(account, [b])]);
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
    expect(await used(account)).toBe(5);
    server.state.workIsHeld = false;
    for (const id of answers.flatMap(idsOf)) {
      await expect.poll(() => recordOf(id, account)).toMatchObject({ status: 'completed' });
    }
    expect(await used(account)).toBe(5);
    const again = await submit(account, [a, a]);
    expect(entriesOf(again)).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
  });

  it('is accepted with simultaneous ones, although parts of them are only to be delivered', async () => {
    const account = await server.newAccount('pro');
    const recordings = [wav(1), wav(1.1), wav(1.2)];
    const done = await Promise.all(recordings.map((file) => submit(account, [file], { path: '/speech-to-text' })));
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200]);
    const fields = { callback_url: 'https://example.com/done' };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        submit(account, [...recordings, wav(2 + index / 100), wav(3 + index / 100)], { fields }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('is accepted once for one Idempotency-Key, with the same answer each time', async () => {
    const account = await server.newAccount('small');
    const files = [wav(1), TEXT, wav(2)];
    const headers = { 'idempotency-key': 'one' };
    server.state.workIsHeld = true;
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(account, files, { headers })));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body['data']))).size).toBe(1);
    expect(await traceOf(account)).toMatchObject({ records: 3, seconds: 3, incoming: [] });
    server.state.workIsHeld = false;
    expect(codeOf(await submit(account, files.toReversed(), { headers }))).toEqual([422, 'invalid_parameter']);
    expect(codeOf(await submit(account, files.slice(0, 1), { headers }))).toEqual([422, 'invalid_parameter']);
  });

  it('is delivered record by record, failed ones too', async () => {
    const account = await server.newAccount('pro');
    const callback_url = 'https://example.com/done';
    const answer = await submit(account, [wav(1), TEXT], { fields: { callback_url } });
    const failed = idsOf(answer)[1];
    await expect.poll(() => server.delivered).toContain(failed);
  });

  it.each([
    ['waiting for it', '/api/stt', { wait_for_completion: 'true' }],
    ['a path that always waits', '/speech-to-text', {}],
  ])('is refused with %s, which leaves nothing and occupies no place', async (_, path, fields) => {
    const account = await server.newAccount('one-at-a-time');
    const before = await traceOf(account);
    const refused = await submit(account, [wav(1), wav(1)], { path, fields });
    expect(codeOf(refused)).toEqual([400, 'invalid_request']);
    expect(String(refused.body['message'])).toContain('/api/stt');
    expect(await traceOf(account)).toEqual(before);
    expect((await submit(account, [wav(1)], { path: '/speech-to-text' })).status).toBe(200);
  });

  it('does not count among the waiting calls of a plan', async () => {
    const account = await server.newAccount('one-at-a-time');
    server.state.workIsHeld = true;
    const waiting = submit(account, [wav(1)], { path: '/speech-to-text' });
    await expect.poll(() => countOf(account)).toBe(1);
    expect(codeOf(await submit(account, [wav(1)], { path: '/speech-to-text' }))).toEqual([429, 'concurrency_exceeded']);
    expect((await submit(account, [wav(1), wav(1)])).status).toBe(200);
    server.state.workIsHeld = false;
    expect((await waiting).status).toBe(200);
  });

  it('has at most 20 files, which together are no larger than one upload', async () => {
    const account = await server.newAccount('pro');
    const before = await traceOf(account);
    expect(
      codeOf(
        await submit(
          account,
          Array.from({ length: 21 }, () => wav(0.2)),
        ),
      ),
    ).toEqual([400, 'invalid_request']);
    expect(codeOf(await submit(account, [wav(20), wav(20)]))).toEqual([413, 'payload_too_large']);
    expect(codeOf(await submit(account, [wav(1), wav(1)], { fields: { corpus_ids: 'none,such' } }))).toEqual([
      422,
      'invalid_parameter',
    ]);
    expect(await traceOf(account)).toEqual(before);
    expect(
      entriesOf(
        await submit(
          account,
          Array.from({ length: 20 }, () => wav(0.2)),
        ),
      ),
    ).toHaveLength(20);
  });
});
