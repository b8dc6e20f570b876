import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from './service.ts';

/** Null: no browser is installed. */
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path)) ?? null;

/** A page in a browser without a window. */
type Page = AsyncDisposable & {
  /** Runs a script as if the user had caused it; returns its value. */
  evaluate(script: string): Promise<unknown>;
};

/** Opens a page; its microphone hears a wav file, again and again. Certificates are not checked. */
export async function openPage(url: string, microphonePath: string): Promise<Page> {
  const profile = await temporaryFolder();
  const browser = spawn(
    CHROMIUM ?? '',
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--ignore-certificate-errors',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      '--remote-debugging-port=0',
      `--use-file-for-fake-audio-capture=${microphonePath}`,
      `--user-data-dir=${profile.path}`,
      url,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  browser.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const addressOf = () => /ws:\/\/(127\.0\.0\.1:\d+)\//.exec(output)?.[1] ?? '';
  await expect.poll(addressOf, { timeout: 20_000 }).not.toBe('');
  const findPage = async () => {
    const targets = (await (await fetch(`http://${addressOf()}/json/list`)).json()) as Target[];
    return targets.find((target) => target.type === 'page' && target.url === url)?.webSocketDebuggerUrl ?? '';
  };
  await expect.poll(findPage, { timeout: 20_000 }).not.toBe('');
  const socket = new WebSocket(await findPage());
  await once(socket, 'open');
  let lastId = 0;
  const page: Page = {
    async evaluate(expression) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<Evaluated>((resolve) => {
        socket.on('message', function read(data) {
          const message = JSON.parse(String(data)) as Evaluated;
          if (message.id !== id) return;
          socket.off('message', read);
          resolve(message);
        });
      });
      const params = { expression, userGesture: true, awaitPromise: true, returnByValue: true };
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }));
      const { result } = await answer;
      if (result?.exceptionDetails !== undefined) throw new Error(JSON.stringify(result.exceptionDetails));
      return result?.result?.value;
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      const exited = once(browser, 'exit');
      browser.kill('SIGKILL');
      await exited;
      await profile[Symbol.asyncDispose]();
    },
  };
  // The first document of a tab is empty; the modules of a complete one have run.
  const state = () => page.evaluate('`${document.readyState} ${location.href}`');
  await expect.poll(state, { timeout: 20_000 }).toBe(`complete ${url}`);
  return page;
}

type Target = { type: string; url: string; webSocketDebuggerUrl: string };
type Evaluated = { id: number; result?: { result?: { value?: unknown }; exceptionDetails?: object } };
