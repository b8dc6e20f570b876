import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandHere } from '#test/command-here.ts';
import { runFile, type Outcome } from '#test/run-command.ts';
import { startService, temporaryFolder } from '#testbed/service/service.ts';

type Finding = { check: string; state: string; detail: string; advice: string | null };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jyutsing-doctor-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Doctor = (env: Record<string, string>) => Promise<{ code: number; findings: Map<string, Finding> }>;
const doctorIn =
  (run: (args: string[], env: Record<string, string>) => Promise<Outcome>): Doctor =>
  async (env) => {
    const { code, output } = await run(['doctor', '--json'], { DATA_DIR: join(folder, 'data'), PORT: '1', ...env });
    const findings = JSON.parse(output) as Finding[];
    return { code, findings: new Map(findings.map((finding) => [finding.check, finding])) };
  };
const doctor = doctorIn(runCommandHere);
/** The same in a process of its own: it has an exit status, and trusts no certificate of tests. */
const doctorInProcess = doctorIn((args, env) => runFile('cli/main.ts', args, env));

test('a new installation is in order but for its recognizer, and nothing is made', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  const { code, findings } = await doctor({ PORT: String(port) });
  expect(code).toBe(0);
  expect([...findings.values()].filter(({ state }) => state !== 'ok')).toMatchObject([
    { check: 'models', state: 'warning', advice: expect.stringContaining('models pull sense-voice-2024') },
  ]);
  expect(findings.get('DATA_DIR')?.detail).toMatch(/data will be made at the first start$/);
  expect(findings.get('database')?.detail).toBe('SQLite, made at the first start');
});

test('a service with its own certificate is recognized, and a certificate of others is named', async () => {
  await using data = await temporaryFolder();
  const service = await startService(data.path, { TLS: 'self-signed' });
  const { port } = new URL(service.baseUrl);
  const sameFolder = await doctorInProcess({ PORT: port, TLS: 'self-signed', DATA_DIR: data.path });
  const foreign = await doctorInProcess({ PORT: port, TLS: 'self-signed' });
  const refused = await runFile('cli/main.ts', ['--url', service.baseUrl, 'speak', '好'], {});
  await service.stop();
  expect(refused).toMatchObject({ code: 1, output: '' });
  expect(refused.errors).toMatch(
    /^The certificate of the server at https:.* is not trusted: self-signed certificate; set NODE_EXTRA_CA_CERTS to .*\n$/,
  );
  expect(sameFolder.findings.get('port')).toMatchObject({
    state: 'ok',
    detail: `a service answers at ${service.baseUrl}`,
  });
  expect(foreign.findings.get('port')).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(/^an https service answers at .*, but its certificate is not trusted: .*self-signed/),
  });
});

test('each problem is a sentence with advice, and the status is 1', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const broken = join(folder, 'broken');
  await mkdir(broken);
  await writeFile(join(broken, 'jyutsing.db'), 'this is no database, and it is longer than a header of one would be');
  const { code, findings } = await doctorInProcess({ PORT: String(port), DATA_DIR: broken, STT_BASE_URI: 'x' });
  taken.close();
  expect(code).toBe(1);
  expect(findings.get('port')).toMatchObject({
    state: 'problem',
    detail: expect.stringMatching(/^Port \d+ .* in use/),
  });
  expect(findings.get('database')).toMatchObject({ state: 'problem', detail: expect.stringMatching(/database/) });
  expect(findings.get('configuration')).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(/STT_BASE_URL/),
  });
});

test.each([
  ['PLANS_FILE', 'absent.json', /PLANS_FILE .* cannot be read/],
  ['PORT', 'eighty', /PORT/],
])('a wrong value of %s is a problem of the configuration', async (name, value, sentence) => {
  const { code, findings } = await doctor({ [name]: value });
  expect(code).toBe(1);
  expect(findings.get('configuration')).toMatchObject({ state: 'problem', detail: expect.stringMatching(sentence) });
});
