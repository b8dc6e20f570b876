import { expect, test } from 'vitest';
import { send, withKey } from '#testbed/clients/requests.ts';
import { startTestServer } from '#test/http/start-server.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';
import { encodeAlone } from './poll-answers.ts';

test('cached poll answers reflect each change at once: progress, end, deletion and a reused id', async () => {
  await using server = await startTestServer();
  const { transcriptions } = server.store;
  const { id: accountId, key } = await server.newAccount('pro');
  const record = newRecord(accountId);
  const poll = async (as = key) => {
    const { body } = await send(`${server.baseUrl}/api/speech-to-text/get-result?id=${record.id}`, withKey(as));
    return (body['transcription'] as Record<string, unknown> | undefined)?.['status'];
  };
  await transcriptions.insert(record);
  expect([await poll(), await poll()]).toEqual(['pending', 'pending']);
  await transcriptions.start(record.id);
  expect(await poll()).toBe('processing');
  await transcriptions.complete(record.id, { result: newResult(), cacheKey: '', processingSeconds: 1, creditsUsed: 1 });
  expect([await poll(), await poll()]).toEqual(['completed', 'completed']);
  expect(await poll(server.ownerKey)).toBeUndefined();
  await transcriptions.delete(record.id, accountId);
  expect(await poll()).toBeUndefined();
  const again = { ...record, createdAtMs: record.createdAtMs + 1, backend: 'another' };
  await transcriptions.insert(again);
  const { body } = await send(`${server.baseUrl}/api/speech-to-text/get-result?id=${record.id}`, withKey(key));
  expect(body['transcription']).toMatchObject({ status: 'pending', backend: 'another' });
});

test('a kept answer keeps no memory but its own', () => {
  const bytes = encodeAlone('你好');
  expect(bytes.toString()).toBe('你好');
  expect(bytes.buffer.byteLength).toBe(6);
});
