import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { thisProcess } from '@jyutsing/system/process-host';
import { selfSignedFiles } from '#server/certificates/self-signed-files.ts';
import { runCommandHere } from '#test/command-here.ts';
import { baseEnvironment } from '#testbed/service/environment.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { startServiceHere } from '#test/service-here.ts';
import { runFile, type Outcome } from '#test/run-command.ts';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { startService, temporaryFolder, type Service } from '#testbed/service/service.ts';

const databases = databasesToTest().filter(({ name }) => name === 'postgres');
/** Ends the services that a test has started. */
const ends: (() => Promise<unknown>)[] = [];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** The environment of a command whose configuration names a port on which nothing listens. */
let env: Record<string, string>;
beforeEach(async () => {
  folder = await temporaryFolder();
  env = { DATA_DIR: join(folder.path, 'data'), PORT: String(await freePort()) };
});
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
  await folder[Symbol.asyncDispose]();
});

/** In a process of its own, to be killed. */
async function start(): Promise<Service> {
  const service = await startService(env['DATA_DIR']!, { WORKERS: '1', LOG_LEVEL: 'fatal' });
  ends.push(service.kill);
  return service;
}

/** In the process of the test. */
async function startHere(variables: Record<string, string> = {}) {
  const service = await startServiceHere(env['DATA_DIR']!, variables);
  ends.push(service.stop);
  return service;
}

/**
 * The certificate that the service of the test finds and keeps. Its name is its own: this process
 * trusts those of other tests too, and of several with one name OpenSSL may try a wrong one only.
 */
async function placeCertificate(ip: string): Promise<void> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip }] }];
  const name = [{ name: 'commonName', value: `certificate of ${ip} for a test` }];
  const made = await generate(name, { keyType: 'ec', extensions });
  const { cert, key } = selfSignedFiles(env['DATA_DIR']!);
  await mkdir(env['DATA_DIR']!);
  await writeFile(cert, made.cert);
  await writeFile(key, made.private);
}

const DOCTOR = ['doctor', '--json'];
const examineHere = () => runCommandHere(DOCTOR, env);
/** This process trusts the certificates of its services; a command in one of its own does not. */
const examineElsewhere = () => runFile('cli/main.ts', DOCTOR, env);

/** Returns what `doctor` says about the port. */
async function portSaid(examine: () => Promise<Outcome> = examineHere): Promise<string> {
  const { output } = await examine();
  return (JSON.parse(output) as { check: string; detail: string }[]).find(({ check }) => check === 'port')!.detail;
}

const configured = () => `http://127.0.0.1:${env['PORT']}`;
const answersElsewhere = (address: string) =>
  `a service answers at ${address}, started with another HOST, PORT or TLS than this configuration (${configured()})`;
const isFree = () => `${env['PORT']} of 127.0.0.1 is free; start the service with \`jyutsing serve\``;

async function announced(): Promise<string[]> {
  const names = await readdir(env['DATA_DIR']!);
  return names.filter((name) => /^service-.*\.json$/.test(name)).map((name) => join(env['DATA_DIR']!, name));
}

const speakHere = (args: string[]) => runCommandHere(args, env);
const speakElsewhere = (args: string[]) => runFile('cli/main.ts', args, env);

/** `errors` are not "Starting the service for this command" where one runs. */
async function speaks(speak = speakHere, errors: RegExp = /^\/\S+\n$/): Promise<void> {
  const spoken = join(folder.path, 'spoken.wav');
  const outcome = await speak(['speak', '好', '--out', spoken]);
  expect(outcome).toEqual({ code: 0, output: '', errors: expect.stringMatching(errors) });
  expect(outcome.errors).toContain(`${spoken}\n`);
}

describe('the running service of DATA_DIR', () => {
  test('with another PORT and its own certificate is used by commands, and named by doctor', async () => {
    await placeCertificate('127.0.0.1');
    const service = await startHere({ TLS: 'self-signed' });
    expect(await portSaid(examineElsewhere)).toBe(answersElsewhere(service.baseUrl));
    await speaks(speakElsewhere);
    expect(await service.stop()).toBe(true);
    expect(await announced()).toEqual([]);
    expect(await portSaid(examineElsewhere)).toBe(isFree());
  });

  test.each(['0.0.0.0', '::'])('that listens on %s is reached at the loopback address', async (host) => {
    const service = await startHere({ HOST: host });
    const { port } = new URL(service.baseUrl);
    expect(await portSaid()).toBe(answersElsewhere(`http://127.0.0.1:${port}`));
  });

  test('with a certificate for another name is not trusted, and doctor says why', async () => {
    await placeCertificate('0.0.0.0');
    const service = await startHere({ TLS: 'self-signed', HOST: '0.0.0.0' });
    const { port } = new URL(service.baseUrl);
    expect(await portSaid(examineElsewhere)).toMatch(
      new RegExp(`^an https service answers at https://127.0.0.1:${port}, but its certificate is not trusted: .*IP`),
    );
  });

  test('is that of the configured port when there are several, else another one, and none that was killed', async () => {
    const first = await start();
    const [file] = await announced();
    expect((await stat(file!)).mode & 0o777).toBe(0o600);
    const second = await startHere({ PORT: env['PORT']! });
    expect(await portSaid()).toBe(`a service answers at ${second.baseUrl}; others at ${first.baseUrl}`);
    expect(await announced()).toHaveLength(2);
    await second.stop();
    expect(await portSaid()).toBe(answersElsewhere(first.baseUrl));
    await first.kill();
    expect(await announced()).toEqual([file]);
    expect(await portSaid()).toBe(isFree());
    // The next start deletes the file of the killed one.
    const next = await startHere();
    expect(await announced()).not.toContain(file);
    expect(await portSaid()).toBe(answersElsewhere(next.baseUrl));
  });

  test('is not looked for where a file names no process of this machine, or no address', async () => {
    await startHere();
    const [file] = await announced();
    const { baseUrl, ...place } = JSON.parse(await readFile(file!, 'utf8')) as Record<string, unknown>;
    expect(place['host']).toBe(thisProcess().host);
    const contents = [{ ...place, host: 'elsewhere', baseUrl }, place, { ...place, baseUrl: 'file:///x' }, null];
    for (const content of [...contents.map((content) => JSON.stringify(content)), '{"host":']) {
      await writeFile(file!, content);
      expect([content, await portSaid()]).toEqual([content, isFree()]);
    }
  });

  test('is not waited for where the file is a pipe', async () => {
    const { path } = folder;
    await mkdir(env['DATA_DIR']!);
    execFileSync('mkfifo', [join(env['DATA_DIR']!, `service-${crypto.randomUUID()}.json`)]);
    await speaks(speakElsewhere, /^Starting the service for this command/);
    expect(await readdir(path)).toContain('spoken.wav');
    expect(await announced()).toHaveLength(1);
  });

  test.skipIf(databases.length === 0)('is the one whose database a command or its key is of', async () => {
    const opened = await databases[0]!.open();
    const postgres = { DATABASE_URL: opened.databaseUrl! };
    const services = [await startHere(), await startHere(postgres)];
    expect(await announced()).toHaveLength(2);
    const finding = await portSaid();
    for (const { baseUrl } of services) expect(finding).toContain(baseUrl);
    await speaks();
    env = { ...env, ...postgres };
    await speaks();
    const created = await runCommandHere(['keys', 'create', 'owner', '--json'], env);
    const { api_key: key } = JSON.parse(created.output) as { api_key: string };
    env = { ...env, DATABASE_URL: '', JYUTSING_API_KEY: key };
    await speaks();
    await Promise.all(ends.splice(0).map((end) => end()));
    await opened.close();
  });

  test('is none whose ROLES leave requests to others', async () => {
    await startHere({ ROLES: 'api,transcribe' });
    expect(await portSaid()).toBe(isFree());
  });

  test('is none that a command has started for itself', async () => {
    const cli = join(import.meta.dirname, 'main.ts');
    const command = spawn(process.execPath, [cli, 'transcribe', '-', '--out', 'x.txt'], {
      cwd: folder.path,
      env: { ...baseEnvironment(), ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const keys = async () => {
      const { output } = await runCommandHere(['keys', 'list', 'owner', '--json'], env);
      return output === '' ? [] : (JSON.parse(output) as { name: string }[]).map(({ name }) => name);
    };
    // The command makes its key when its service has started.
    await expect.poll(keys).toContainEqual(expect.stringMatching(/^temporary key/));
    expect(await announced()).toEqual([]);
    expect(await portSaid()).toBe(isFree());
    const exited = once(command, 'exit');
    command.stdin.end();
    await exited;
  });
});
