import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandHere } from '#test/command-here.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { startTestServer, type TestServer } from '#test/http/start-server.ts';
import { newRecord, newResult } from '#test/transcription-records.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: TestServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startTestServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test('search prints titles, ids and the segments that match with their times, or that there is nothing', async () => {
  const account = await server.newAccount('pro');
  const segments = ['各位早晨', '今日開會'].map((text, index) => ({
    text,
    startMs: 3_599_000 + index * 62_000,
    endMs: 3_600_000 + index * 62_000,
    words: [],
    speaker: null,
    confidence: null,
  }));
  const result = { ...newResult(), segments };
  const record = newRecord(account.id, { status: 'completed', blobKey: null, result, title: '例會\u001b[31m' });
  await server.store.transcriptions.insert(record);
  const env = { ...baseEnvironment(), JYUTSING_URL: server.baseUrl, JYUTSING_API_KEY: account.key };
  const search = (...args: string[]) => runCommandHere(['search', ...args], env, folder.path);
  const { code, output } = await search('hoi1', 'wui2');
  expect([code, output]).toEqual([0, `例會\ufffd[31m  ${record.id}\n  01:01:01  今日開會\n`]);
  expect((await search('天氣')).output).toBe('Nothing was found.\n');
  expect(JSON.parse((await search('早晨', '--json')).output)).toMatchObject([
    { request_id: record.id, matches_count: 1 },
  ]);
  expect(await search('早晨', '--in', 'jyutping')).toMatchObject({ code: 1, output: '' });
});
