import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { freePort } from '#testbed/servers/free-port.ts';
import { startServiceHere, type ServiceHere } from '#test/service-here.ts';
import { openLive } from '#testbed/clients/live-client.ts';
import { OWNER_KEY, request, requestIdOf, submission, temporaryFolder } from '#testbed/service/service.ts';

const PROXY_DIR = join(import.meta.dirname, '../../deploy/proxy');
const LARGE_BYTES = 32 * 1024 ** 2;
const PRODUCTION_PAGE = join(import.meta.dirname, '../../docs/production.md');

type AnsweringRole = 'api' | 'speak' | 'score';
type Services = Record<AnsweringRole, ServiceHere>;
/** Hosts of the processes by role, as an example names them. */
type Hosts = Record<AnsweringRole, string>;
type Proxy = { name: string; configure(folder: string, port: number, hosts: Hosts): Promise<string[]> };

/** Replaces the address of the service, which the example has once for each of these roles. */
function withHosts(example: string, hosts: Hosts, roles: readonly AnsweringRole[]): string {
  const parts = example.split('127.0.0.1:8080');
  expect(parts).toHaveLength(roles.length + 1);
  const named = roles.map((role) => hosts[role]);
  return parts.map((part, index) => part + (named[index] ?? '')).join('');
}

const hostOf = ({ baseUrl }: ServiceHere) => new URL(baseUrl).host;

function hostsOf(services: Services): Hosts {
  return { api: hostOf(services.api), speak: hostOf(services.speak), score: hostOf(services.score) };
}

/** The examples with other ports, and the arguments that run them in a folder. */
const PROXIES: Proxy[] = [
  {
    name: 'nginx',
    async configure(folder, port, hosts) {
      const example = await readFile(join(PROXY_DIR, 'nginx.conf'), 'utf8');
      const server = withHosts(example, hosts, ['api', 'speak', 'score']).replaceAll(
        /listen (?:\[::\]:)?80;/g,
        `listen 127.0.0.1:${port};`,
      );
      // The same address twice is an error of nginx.
      const once = server.replace(`  listen 127.0.0.1:${port};\n`, '');
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const http = `http { access_log off; ${paths.join(' ')}\n${once}\n}`;
      await writeFile(join(folder, 'main.conf'), `daemon off; pid ${folder}/pid; events {}\n${http}\n`);
      return ['-p', folder, '-e', 'stderr', '-c', join(folder, 'main.conf')];
    },
  },
  {
    name: 'caddy',
    async configure(folder, port, hosts) {
      const example = await readFile(join(PROXY_DIR, 'Caddyfile'), 'utf8');
      const file = withHosts(example, hosts, ['speak', 'score', 'api']).replace(/^:80 /m, `http://127.0.0.1:${port} `);
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${file}`);
      return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  },
];

function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Starts a proxy in a new folder `home`. */
async function startProxy({ name, configure }: Proxy, home: string, hosts: Hosts) {
  const port = await freePort();
  await mkdir(home);
  const parameters = await configure(home, port, hosts);
  const proxy = spawn(findProgram(name) ?? name, parameters, { stdio: 'ignore', env: { HOME: home } });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(url), { timeout: 60_000 });
  return { proxy, url };
}

const installed = PROXIES.filter(({ name }) => findProgram(name) !== null);
if (installed.length < PROXIES.length) {
  const missing = PROXIES.filter((proxy) => !installed.includes(proxy)).map(({ name }) => name);
  process.stderr.write(`tests behind ${missing.join(' and ')} are skipped: not installed\n`);
}

type Documented = Record<string, Record<string, { 'x-aliases'?: string[] }>>;

/** Every documented method and path, the other paths of an operation too, with ids filled in. */
async function requestsOf({ baseUrl }: ServiceHere): Promise<{ method: string; path: string }[]> {
  const { body } = await request(`${baseUrl}/openapi.json`);
  return Object.entries(body['paths'] as Documented).flatMap(([first, operations]) =>
    Object.entries(operations).flatMap(([method, { 'x-aliases': aliases = [] }]) =>
      [first, ...aliases].map((path) => ({
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}|:\w+/g, 'some-id'),
      })),
    ),
  );
}

/** The role that a process names when it refuses a request for lack of it; otherwise null. */
async function missingRole(baseUrl: string, { method, path }: { method: string; path: string }) {
  const { body } = await request(`${baseUrl}${path}`, { method });
  return /ROLES contain (\w+)/.exec(String(body['message']))?.[1] ?? null;
}

describe('processes with roles', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let services: Services;
  let audio: Uint8Array;

  beforeAll(async () => {
    folder = await temporaryFolder();
    audio = wavBytes(await speak(toJyutping('早晨。')));
    // No transcription ends, because no process has that role.
    const start = (role: AnsweringRole) => startServiceHere(folder.path, { ROLES: role, TRUST_PROXY: '1' });
    // The first one makes the database with the key.
    const api = await start('api');
    const [speaking, scoring] = await Promise.all([start('speak'), start('score')]);
    services = { api, speak: speaking, score: scoring };
  });
  afterAll(async () => {
    await Promise.all(Object.values(services).map((service) => service.stop()));
    await folder[Symbol.asyncDispose]();
  });

  it('have the paths that docs/production.md says', async () => {
    const page = await readFile(PRODUCTION_PAGE, 'utf8');
    const documented = ['speak', 'score'].flatMap((role) => {
      const [entry = ''] = page.match(new RegExp(`^- \`${role}\` .*$`, 'm')) ?? [];
      return [...entry.matchAll(/`(\/[^`]+)`/g)].map(
        ([, path = '']) => `${path.replace('{id}', 'some-id')} of ${role}`,
      );
    });
    const served = (await requestsOf(services.api)).map(async (request) => {
      const role = await missingRole(services.api.baseUrl, request);
      return role === null ? [] : [`${request.path} of ${role}`];
    });
    // Several methods may share a path.
    const distinct = new Set((await Promise.all(served)).flat());
    expect(documented.toSorted()).toEqual([...distinct].toSorted());
  });

  describe.each(installed)('behind $name', ({ name, configure }) => {
    let proxy: ChildProcess;
    let url: string;

    beforeAll(async () => {
      const home = join(folder.path, name);
      ({ proxy, url } = await startProxy({ name, configure }, home, hostsOf(services)));
    });
    afterAll(() => void proxy.kill());

    it('sends every path to a process with its role', async () => {
      const documented = await requestsOf(services.api);
      const aliases = ['/openai/v1', '/openai/deployments/tts-1'].map((prefix) => `${prefix}/audio/speech`);
      const requests = [...documented, ...aliases.map((path) => ({ method: 'POST', path }))].flatMap(
        ({ method, path }) => [
          { method, path },
          { method, path: `${path}/` },
        ],
      );
      const lost = requests.map(async (request) => {
        const role = await missingRole(url, request);
        return role === null ? [] : [`${request.method} ${request.path} needs ${role}`];
      });
      expect((await Promise.all(lost)).flat()).toEqual([]);
    });

    it('sends each event when it happens', async () => {
      const id = requestIdOf(await request(`${url}/api/stt`, submission(audio, { skip_fusion: 'true' })));
      const leave = new AbortController();
      const events = await fetch(`${url}/api/speech-to-text/${id}/events`, {
        headers: { 'x-api-key': OWNER_KEY },
        signal: leave.signal,
      });
      // The stream stays open: a proxy that collected it would send nothing.
      const first = await events.body?.getReader().read();
      expect(new TextDecoder().decode(first?.value)).toContain('event: progress');
      leave.abort();
    });

    it('opens WebSockets', async () => {
      const live = await openLive(url, '/v1/realtime?intent=transcription', { key: OWNER_KEY });
      expect((await live.next('session.created')).session).toBeDefined();
      live.socket.close();
      await live.closed;
    });

    it('refuses large uploads itself, with its own sentence', async () => {
      const answer = await request(`${url}/api/stt`, submission(new Uint8Array(LARGE_BYTES)));
      expect([answer.status, answer.body['success']]).toEqual([415, false]);
    });

    it('speaks, and shows its metrics to the machines alone', async () => {
      const spoken = await fetch(`${url}/api/tts-stream`, {
        method: 'POST',
        headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ text: '早晨。', voice_id: 'jasmine', language: 'Chinese' }),
      });
      expect(spoken.status).toBe(200);
      expect((await spoken.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
      for (const path of ['metrics', 'metrics/', '%6detrics']) {
        expect((await fetch(`${url}/${path}`)).status).toBe(404);
      }
    });
  });
});

describe.each(installed)('$name before two processes', (installedProxy) => {
  it('sends a POST to one of them only, when its answer is lost', async () => {
    await using folder = await temporaryFolder();
    const received: string[] = [];
    const processes = ['first', 'second'].map((name) =>
      createServer((incoming, answer) => {
        if (incoming.method !== 'POST') return void answer.end();
        received.push(name);
        incoming.socket.destroy();
      }).listen(0, '127.0.0.1'),
    );
    await Promise.all(processes.map((process) => once(process, 'listening')));
    const addresses = processes.map((process) => `127.0.0.1:${(process.address() as AddressInfo).port}`);
    const separator = installedProxy.name === 'nginx' ? ';\n  server ' : ' ';
    const both = addresses.join(separator);
    const hosts = { api: both, speak: both, score: both };
    const { proxy, url } = await startProxy(installedProxy, join(folder.path, installedProxy.name), hosts);
    try {
      expect((await fetch(url, { method: 'POST' })).status).toBe(502);
      expect(received).toHaveLength(1);
    } finally {
      proxy.kill();
      for (const process of processes) process.close().closeAllConnections();
    }
  });
});
