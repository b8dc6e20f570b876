import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wavBytes } from '#test/audio.ts';
import { speak, toJyutping } from '#test/espeak-speech.ts';
import { freePort } from '#test/free-port.ts';
import { openLive } from '#test/live-client.ts';
import {
  OWNER_KEY,
  request,
  requestIdOf,
  startService,
  submission,
  temporaryFolder,
  type Service,
} from '#test/service.ts';

const PROXY_DIR = join(import.meta.dirname, '../../deploy/proxy');
const LARGE_BYTES = 32 * 1024 ** 2;
const SERVICE_ADDRESS = /127\.0\.0\.1:8080/g;

type Proxy = { name: string; configure(folder: string, port: number, service: string): Promise<string[]> };

/** The examples with other ports, and the arguments that run them in a folder. */
const PROXIES: Proxy[] = [
  {
    name: 'nginx',
    async configure(folder, port, service) {
      const example = await readFile(join(PROXY_DIR, 'nginx.conf'), 'utf8');
      const server = example
        .replace(SERVICE_ADDRESS, service)
        .replaceAll(/listen (?:\[::\]:)?80;/g, `listen 127.0.0.1:${port};`);
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
    async configure(folder, port, service) {
      const example = await readFile(join(PROXY_DIR, 'Caddyfile'), 'utf8');
      const file = example.replace(SERVICE_ADDRESS, service).replace(/^:80 /m, `http://127.0.0.1:${port} `);
      await writeFile(join(folder, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${file}`);
      return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  },
];

function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

const installed = PROXIES.filter(({ name }) => findProgram(name) !== null);
if (installed.length < PROXIES.length) {
  const missing = PROXIES.filter((proxy) => !installed.includes(proxy)).map(({ name }) => name);
  process.stderr.write(`tests behind ${missing.join(' and ')} are skipped: not installed\n`);
}

describe.runIf(installed.length > 0)('a service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: Service;
  let audio: Uint8Array;

  beforeAll(async () => {
    folder = await temporaryFolder();
    audio = wavBytes(await speak(toJyutping('早晨。')));
    // No transcription ends, because no process has that role.
    service = await startService(folder.path, { ROLES: 'api,speak,score', TRUST_PROXY: '1', WORKERS: '1' });
  });
  afterAll(async () => {
    await service.stop();
    await folder[Symbol.asyncDispose]();
  });

  describe.each(installed)('behind $name', ({ name, configure }) => {
    let proxy: ChildProcess;
    let url: string;

    beforeAll(async () => {
      const port = await freePort();
      const home = join(folder.path, name);
      await mkdir(home);
      const parameters = await configure(home, port, new URL(service.baseUrl).host);
      proxy = spawn(findProgram(name) ?? name, parameters, { stdio: 'ignore', env: { HOME: home } });
      url = `http://127.0.0.1:${port}`;
      await vi.waitFor(() => fetch(url), { timeout: 60_000 });
    });
    afterAll(() => void proxy.kill());

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
