import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes } from '#test/audio.ts';
import { speak, toJyutping } from '#test/espeak-speech.ts';
import { databasesToTest } from '#test/postgres.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#test/service.ts';

const postgres = databasesToTest().filter(({ name }) => name === 'postgres');
const HEADERS = { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' };

async function metrics({ baseUrl }: Service): Promise<string> {
  return (await fetch(`${baseUrl}/metrics`)).text();
}

async function rolesOf({ baseUrl }: Service): Promise<unknown> {
  return (await request(`${baseUrl}/health`)).body['roles'];
}

function speech({ baseUrl }: Service) {
  return request(`${baseUrl}/api/tts`, { method: 'POST', headers: HEADERS, body: JSON.stringify({ text: '早晨' }) });
}

function submit({ baseUrl }: Service, audio: Uint8Array) {
  return request(`${baseUrl}/api/stt`, submission(audio, { skip_fusion: 'true' }));
}

describe.each(postgres)('processes with roles of their own on $name', (database) => {
  let opened: Awaited<ReturnType<typeof database.open>>;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let api: Service;
  let worker: Service;
  let audio: Uint8Array;
  /** Accepted while no process transcribes. */
  let accepted: Awaited<ReturnType<typeof request>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    opened = await database.open();
    audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
    const common = { DATABASE_URL: opened.databaseUrl ?? '', WORKERS: '1' };
    api = await startService(folder.path, { ...common, ROLES: 'api' });
    accepted = await submit(api, audio);
    worker = await startService(folder.path, { ...common, ROLES: ' Transcribe,speak,deliver,housekeeping' });
  });
  afterAll(async () => {
    await Promise.all([worker.kill(), api.kill()]);
    await opened.close();
    await folder[Symbol.asyncDispose]();
  });

  it('say what they do', async () => {
    expect(await rolesOf(api)).toEqual(['api']);
    expect(await rolesOf(worker)).toEqual(['transcribe', 'speak', 'deliver', 'housekeeping']);
    expect(await metrics(api)).toContain('jyutsing_role{role="api"} 1\n');
    expect(await metrics(worker)).toContain('jyutsing_role{role="deliver"} 1\n');
    expect(await metrics(worker)).not.toContain('role="api"');
  });

  it('transcribe with the role transcribe what one with the role api accepted', async () => {
    expect(accepted.status).toBe(200);
    const record = await waitForResult(api.baseUrl, requestIdOf(accepted));
    expect(record['status']).toBe('completed');
    expect(await metrics(worker)).toMatch(/^jyutsing_transcriptions_total\{.*outcome="completed".*\} 1$/m);
    expect(await metrics(api)).not.toMatch(/^jyutsing_transcriptions_total\{/m);
  });

  it('refuse requests of other roles with a sentence that names the role, so that a client asks again', async () => {
    const refused = [await speech(api), await submit(worker, audio)];
    expect(refused.map(({ status, headers }) => [status, headers.has('retry-after')])).toEqual([
      [503, true],
      [503, true],
    ]);
    expect(refused.map(({ body }) => body['message'])).toEqual([
      'This process does not answer such requests; send them to one whose ROLES contain speak.',
      'This process does not answer such requests; send them to one whose ROLES contain api.',
    ]);
    expect((await speech(worker)).status).toBe(200);
  });

  it('stop in order', async () => {
    expect(await Promise.all([worker.stop(), api.stop()])).toEqual([0, 0]);
  });
});
