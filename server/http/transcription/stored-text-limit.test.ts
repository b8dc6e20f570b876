import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { form, json, send, wav, withKey, type Answer } from '#testbed/clients/requests.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { databasesToTest, type OpenedDatabase } from '#testbed/servers/postgres.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';

/** The plan `stores-little`. */
const LIMIT_BYTES = 350_000;

const idOf = ({ body }: Answer) => String(body['data']!['request_id']);
const segments = (characters: number) => [{ start: 0, end: 1, text: '字'.repeat(characters) }];
const entries = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `蝦餃${index}` }));

function isRefused({ status, body }: Answer): void {
  expect({ status, body }).toMatchObject({ status: 429, body: { error: { code: 'storage_exceeded' } } });
  expect(String(body['message'])).toContain('delete transcriptions or word lists');
}

describe.each(databasesToTest())('the text that a plan allows, on $name', (database) => {
  let opened: OpenedDatabase;
  let server: TestServer;
  let account: { id: string; key: string };
  beforeAll(async () => {
    opened = await database.open();
    server = await startTestServer({ databaseUrl: opened.databaseUrl });
  });
  beforeEach(async () => {
    server.state.workIsHeld = false;
    account = await server.newAccount('stores-little');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await opened.close();
  });

  const submit = (...audio: Uint8Array<ArrayBuffer>[]) =>
    send(
      `${server.baseUrl}/api/stt`,
      form(['api_key', account.key], ...audio.map((sound) => ['data', sound] as [string, typeof sound])),
    );
  const call = (method: string, path: string, body?: unknown) =>
    send(
      `${server.baseUrl}${path}`,
      body === undefined ? { method, ...withKey(account.key) } : json(method, body, account.key),
    );
  const finished = (id: string) =>
    vi.waitFor(async () => expect((await server.store.transcriptions.find(id))?.status).toBe('completed'), 120_000);
  const storedBytes = () => server.store.storedText.bytes(account.id);

  /** A completed record with so many bytes of text. */
  async function insertText(bytes: number): Promise<string> {
    const [segment] = newResult().segments;
    const result = { ...newResult(), segments: [{ ...segment!, text: 'x'.repeat(bytes) }] };
    const record = newRecord(account.id, { status: 'completed', blobKey: null, durationMs: 60_000_000, result });
    await server.store.transcriptions.insert(record);
    return record.id;
  }
  /** Leaves room for so many bytes. */
  const fill = async (leftBytes: number) => {
    const before = await storedBytes();
    await insertText(0);
    const used = await storedBytes();
    return insertText(LIMIT_BYTES - leftBytes - used - (used - before));
  };

  it('is counted while work runs, which then finishes, and deletion makes room', async () => {
    const blobs = (await server.blobs()).length;
    server.state.workIsHeld = true;
    const accepted = [];
    for (let i = 0; i < 3; i += 1) accepted.push(await submit(wav(1)));
    expect(accepted.map(({ status }) => status)).toEqual([200, 200, 200]);
    isRefused(await submit(wav(1)));
    expect((await server.blobs()).length - blobs).toBe(3);
    expect(await server.incoming()).toEqual([]);
    expect((await call('GET', '/api/usage')).body['stored_text']).toEqual({ used_mb: 0.4, limit_mb: 0.35 });

    // Filled meanwhile by text without a check: accepted work is done all the same.
    const filler = await insertText(LIMIT_BYTES);
    server.state.workIsHeld = false;
    for (const answer of accepted) await finished(idOf(answer));
    isRefused(await submit(wav(1)));
    expect((await call('DELETE', `/api/speech-to-text/${filler}`)).status).toBe(200);
    expect((await call('GET', '/api/usage')).body['stored_text']).toEqual({ used_mb: 0.1, limit_mb: 0.35 });
    await finished(idOf(await submit(wav(1))));
  });

  it('ends after simultaneous requests, of other recordings or the same', async () => {
    server.state.workIsHeld = true;
    const furtherAnswers = await Promise.all(Array.from({ length: 8 }, () => submit(wav(1))));
    // In PostgreSQL each may pass: simultaneous requests do not wait for one another.
    expect(furtherAnswers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
    furtherAnswers.filter(({ status }) => status !== 200).forEach(isRefused);
    isRefused(await submit(wav(1)));

    account = await server.newAccount('stores-little');
    const audio = wav(1);
    const copies = await Promise.all(Array.from({ length: 8 }, () => submit(audio)));
    const accepted = copies.filter(({ status }) => status === 200);
    expect(accepted.length).toBeGreaterThanOrEqual(3);
    isRefused(await submit(audio));
    server.state.workIsHeld = false;
    for (const answer of accepted) await finished(idOf(answer));
  });

  it('ends copies of a finished transcription, and a batch that exceeds it is refused as a whole', async () => {
    const audio = wav(1);
    await finished(idOf(await submit(audio)));
    expect((await submit(audio)).status).toBe(200);
    const filler = await fill(1_000);
    isRefused(await submit(audio));
    isRefused(await submit(new Uint8Array(100), new Uint8Array(200)));
    const { body } = await call('DELETE', `/api/speech-to-text/${filler}`);
    expect(body).toMatchObject({ success: true });
    expect((await submit(audio)).status).toBe(200);

    const before = await storedBytes();
    isRefused(await submit(wav(1), wav(1), wav(1), wav(1)));
    expect(await storedBytes()).toBe(before);
    expect((await submit(wav(1), wav(1))).status).toBe(200);
  });

  it('ends the other ways to send recordings', async () => {
    await fill(1_000);
    const headers = { 'x-api-key': account.key };
    const file = form(['file', wav(1)], ['model', 'whisper-1']);
    isRefused(await send(`${server.baseUrl}/v1/audio/transcriptions`, { ...file, headers }));
    isRefused(await send(`${server.baseUrl}/speech-to-text`, form(['api_key', account.key], ['data', wav(1)])));
    const raw = { method: 'POST', headers: { ...headers, 'content-type': 'audio/wav' }, body: wav(1) };
    expect((await send(`${server.baseUrl}/v1/listen`, raw)).status).toBe(429);
  });

  it('ends corrections that make a transcript larger, and no others', async () => {
    const id = await insertText(100);
    const patch = (body: unknown) =>
      send(`${server.baseUrl}/api/speech-to-text/${id}`, {
        ...json('PATCH', body),
        headers: { 'content-type': 'application/json', 'x-api-key': account.key, 'if-match': '*' },
      });
    expect((await patch({ segments: segments(3_000) })).status).toBe(200);
    await fill(500);
    isRefused(await patch({ segments: segments(4_000) }));
    expect((await call('GET', `/api/speech-to-text/${id}.txt`)).body['text']).toHaveLength(3_001);
    await insertText(LIMIT_BYTES);
    expect((await patch({ title: '例會' })).status).toBe(200);
    expect((await patch({ segments: segments(2_000) })).status).toBe(200);
    isRefused(await patch({ segments: segments(2_001) }));
  });

  it('ends word lists that are new or longer, and no others', async () => {
    const create = () => call('POST', '/api/corpora', { name: 'x', entries: entries(10) });
    const id = String((await create()).body['corpus']!['id']);
    await fill(500);
    isRefused(await create());
    isRefused(await call('PUT', `/api/corpora/${id}`, { entries: entries(100) }));
    expect((await call('PUT', `/api/corpora/${id}`, { name: 'y' })).status).toBe(200);
    expect((await call('PUT', `/api/corpora/${id}`, { entries: entries(9) })).status).toBe(200);
    expect((await call('GET', `/api/corpora/${id}`)).body['corpus']).toMatchObject({ entries_count: 9, name: 'y' });
    expect((await call('DELETE', `/api/corpora/${id}`)).status).toBe(200);
    expect((await create()).status).toBe(200);
  });

  it('is unlimited by default, and counted', async () => {
    account = await server.newAccount('pro');
    expect((await call('GET', '/api/usage')).body['stored_text']).toEqual({ used_mb: 0, limit_mb: null });
    await insertText(2_000_000);
    expect((await submit(wav(1))).status).toBe(200);
    const { body } = await send(`${server.baseUrl}/api/admin/accounts/${account.id}/usage`, withKey(server.ownerKey));
    expect(body['stored_text']).toMatchObject({ limit_mb: null });
    expect(Number(body['stored_text']!['used_mb'])).toBeGreaterThanOrEqual(2.1);
  });
});
