import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { OWNER_KEY, sharedService, temporaryFolder, type SharedService } from '#testbed/service/service.ts';
import manifest from '../package.json' with { type: 'json' };

const CLI = join(import.meta.dirname, 'main.ts');
const SAMPLE = join(import.meta.dirname, '../docs/samples/meeting.mp3');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: SharedService;
let client: Client;
let errors = '';
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await sharedService();
  client = new Client({ name: 'test', version: '1' });
  const address = { JYUTSING_URL: service.baseUrl, JYUTSING_API_KEY: OWNER_KEY };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp'],
    env: Object.fromEntries(
      Object.entries({ ...baseEnvironment(), ...address }).flatMap(([name, value = '']) => [[name, value]]),
    ),
    cwd: folder.path,
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (text) => (errors += String(text)));
  await client.connect(transport);
});
afterAll(async () => {
  await client.close();
  await folder[Symbol.asyncDispose]();
});

const call = async (name: string, args: Record<string, unknown>, options = {}) =>
  (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult;
/** The titles of the transcriptions on the service. */
async function titles(): Promise<(string | undefined)[]> {
  const answer = await fetch(`${service.baseUrl}/api/speech-to-text`, { headers: { 'x-api-key': OWNER_KEY } });
  const { transcriptions } = (await answer.json()) as { transcriptions: { title?: string }[] };
  return transcriptions.map(({ title }) => title);
}
const textOf = ({ content }: CallToolResult) => (content[0]?.type === 'text' ? content[0].text : '');

test('it speaks into a file of this computer, scores and transcribes it, and finds the transcript', async () => {
  expect(client.getServerVersion()).toMatchObject({ name: 'jyutsing', version: manifest.version });
  const text = '今日天氣好好，我哋去飲茶。';
  expect(textOf(await call('speak', { text, format: 'wav', path: 'tea.wav' }))).toBe('The speech is in tea.wav.');
  expect((await readFile(join(folder.path, 'tea.wav'))).subarray(0, 4).toString()).toBe('RIFF');
  const score = await call('score', { file: 'tea.wav', text });
  expect(Number(score.structuredContent!['score'])).toBeGreaterThan(60);
  const reports: Progress[] = [];
  const result = await call('transcribe', { file: 'tea.wav' }, { onprogress: (one: Progress) => reports.push(one) });
  expect(textOf(result)).toMatch(/天氣|飲茶/);
  expect(reports.at(-1)).toMatchObject({ progress: 1, total: 1 });
  const { request_id: id } = result.structuredContent as { request_id: string };
  expect(textOf(await call('search', { query: textOf(result).slice(0, 2) }))).toContain(id);
  const { contents } = await client.readResource({ uri: `jyutsing://transcripts/${id}` });
  expect(contents[0]).toMatchObject({ text: textOf(result) });
});

test('a cancelled transcription ends on the service and costs at most what was recognized', async () => {
  const stop = new AbortController();
  const onprogress = () => stop.abort('enough');
  await expect(
    call('transcribe', { file: SAMPLE, title: 'cancelled' }, { signal: stop.signal, onprogress }),
  ).rejects.toThrow(/enough/);
  await expect.poll(titles).not.toContain('cancelled');
});

test('refusals are results, and nothing else is written on the connection', async () => {
  const missing = await call('transcribe', { file: 'absent.wav' });
  expect([missing.isError, textOf(missing)]).toEqual([true, expect.stringMatching(/absent\.wav cannot be read/)]);
  const damaged = await call('transcribe', { file: CLI });
  expect([damaged.isError, textOf(damaged)]).toEqual([true, expect.stringMatching(/unsupported_audio_format/)]);
  const unwritable = await call('speak', { text: '早晨', path: 'no/folder/x.mp3' });
  expect(textOf(unwritable)).toMatch(/cannot be written \(ENOENT\)/);
  expect(errors).toBe('');
});
