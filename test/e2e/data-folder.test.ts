import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { startRecognizer } from '#test/openai/transcription-server.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  waitForResult,
  type Service,
} from '#testbed/service/service.ts';

const OWN_NAMESPACE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];
const NAMESPACES_ARE_ALLOWED = canRun([...OWN_NAMESPACE, 'true']);
const POLL = { timeout: 60_000 };
/** Texts that occur nowhere else. */
const DELETED_TEXT = '冇人會估到嘅一句說話';
const KEPT_TEXT = '呢句說話要留低';

let audio: Uint8Array;
let recognizer: Awaited<ReturnType<typeof startRecognizer>>;
beforeAll(async () => {
  recognizer = await startRecognizer();
  audio = wavBytes(await speak(toJyutping('呢間餐廳啲點心好好食。')));
});
afterAll(() => recognizer.close());

const start = (dataDir: string, launcher: readonly string[] = []) =>
  startService(dataDir, { ...recognizer.settings, LOG_LEVEL: 'fatal', WORKERS: '1' }, launcher);

function canRun([program = '', ...args]: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function transcribes(service: Service): Promise<unknown> {
  // A context of its own, so that no earlier result is the answer.
  const fields = { skip_fusion: 'true', context: crypto.randomUUID() };
  const answer = await request(`${service.baseUrl}/api/stt`, submission(audio, fields));
  if (answer.status !== 200) return answer.status;
  return (await waitForResult(service.baseUrl, requestIdOf(answer)))['status'];
}

describe('DATA_DIR', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let dataDir: string;
  let service: Service;
  beforeAll(async () => {
    folder = await temporaryFolder();
    dataDir = join(folder.path, 'data');
    service = await start(dataDir);
  });
  afterAll(async () => {
    await service.stop();
    await folder[Symbol.asyncDispose]();
  });

  it('gets its folder for uploads again when that is deleted', async () => {
    const incoming = join(dataDir, 'incoming');
    await rm(incoming, { recursive: true });
    expect(await transcribes(service)).toBe('completed');
    await rm(incoming, { recursive: true });
    await expect.poll(() => readdir(incoming), POLL).toHaveLength(1);
  });

  it('has no copy of a deleted text, in the database or its log', async () => {
    const corpora = `${service.baseUrl}/api/corpora`;
    const headers = { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' };
    const create = async (text: string) => {
      const entries = Array.from({ length: 300 }, (_, index) => ({ text: `${text}${index}` }));
      const body = JSON.stringify({ name: text, language: 'cantonese', entries });
      const answer = await request(corpora, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      return (answer.body['corpus'] as { id: string }).id;
    };
    const ids = [];
    for (let count = 0; count < 4; count += 1) {
      ids.push(await create(DELETED_TEXT));
      await create(KEPT_TEXT);
    }
    expect(await copiesOf(DELETED_TEXT, dataDir)).toBeGreaterThan(0);
    for (const id of ids)
      expect(
        (await request(`${corpora}/${id}`, { method: 'DELETE', headers: { 'x-api-key': OWNER_KEY } })).status,
      ).toBe(200);
    await expect.poll(() => copiesOf(DELETED_TEXT, dataDir), POLL).toBe(0);
    expect(await copiesOf(KEPT_TEXT, dataDir)).toBeGreaterThan(0);
  });

  it.skipIf(!NAMESPACES_ARE_ALLOWED)(
    'that two services share: in process namespaces of their own both take uploads, and the folder of a killed one is deleted',
    { timeout: 120_000 },
    async () => {
      const incoming = join(dataDir, 'incoming');
      const second = await start(dataDir, OWN_NAMESPACE);
      expect(await readdir(incoming)).toHaveLength(2);
      expect([await transcribes(service), await transcribes(second)]).toEqual(['completed', 'completed']);
      await second.kill();
      await expect.poll(() => readdir(incoming), POLL).toHaveLength(1);
      expect(await transcribes(service)).toBe('completed');
    },
  );

  it('belongs to its user alone, with every file in it, and has none that a killed process left', async () => {
    expect(await transcribes(service)).toBe('completed');
    expect(await openToOthers(dataDir)).toEqual([]);
    expect(await service.stop()).toBe(0);
    expect(await readdir(join(dataDir, 'incoming'))).toEqual([]);
    await chmod(dataDir, 0o755);
    await chmod(join(dataDir, 'blobs'), 0o755);
    await chmod(join(dataDir, 'jyutsing.db'), 0o644);
    const left = join(dataDir, 'service-x.json.0b0f5f1e-2c67-4a6e-9d0b-6a1c2d3e4f50.part');
    await writeFile(left, '');
    const twoDaysAgo = new Date(Date.now() - 48 * 3_600_000);
    await utimes(left, twoDaysAgo, twoDaysAgo);
    service = await start(dataDir);
    expect(await openToOthers(dataDir)).toEqual([]);
    await expect(stat(left)).rejects.toThrow('ENOENT');
  });

  it('open to everyone, such as a folder for temporary files, stays open', async () => {
    const shared = join(folder.path, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o1777);
    await writeFile(join(shared, 'of another program'), '');
    const other = await start(shared);
    expect((await stat(shared)).mode & 0o7777).toBe(0o1777);
    expect((await stat(join(shared, 'jyutsing.db'))).mode & 0o777).toBe(0o600);
    await other.stop();
  });
});

/** Counts a text in all files of the database. */
async function copiesOf(text: string, folder: string): Promise<number> {
  let copies = 0;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('jyutsing.db')) continue;
    const bytes = await readFile(join(folder, name));
    for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) copies += 1;
  }
  return copies;
}

/** Files and folders that other users may use. */
async function openToOthers(folder: string): Promise<string[]> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const open = [];
  for (const name of names) {
    const { mode } = await stat(join(folder, name)).catch(() => ({ mode: 0 }));
    if ((mode & 0o077) !== 0) open.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  return open;
}
