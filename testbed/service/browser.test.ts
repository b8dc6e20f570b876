import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { CHROMIUM, openBrowser } from './browser.ts';

const FAULTS: Readonly<Record<string, string>> = {
  clean: '',
  logged: 'console.error("an error of the page")',
  thrown: 'throw new Error("nobody catches this")',
  stopped: 'document.body.append(Object.assign(document.createElement("img"), { src: "data:image/gif;base64,AAAA" }))',
  elsewhere: 'fetch("http://127.0.0.1:9/").catch(() => {})',
};

it.skipIf(CHROMIUM === null)('a page must not log errors, break its policy, or ask other hosts', async () => {
  const server = createServer(({ url = '' }, response) => {
    const [, name = '', isScript] = /^\/(\w+)(\.js)?/.exec(url) ?? [];
    response.setHeader('content-security-policy', "default-src 'self'; connect-src *");
    response.setHeader('content-type', isScript === undefined ? 'text/html' : 'text/javascript');
    response.end(isScript === undefined ? `<body><script src="/${name}.js"></script><p>${name}` : FAULTS[name]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using browser = await openBrowser();
  const problemsOf = async (name: string, expectedErrors?: RegExp) => {
    const opened = await browser.open(`${address}/${name}`, expectedErrors === undefined ? {} : { expectedErrors });
    expect(await opened.page.textContent('p')).toBe(name);
    return opened[Symbol.asyncDispose]().then(
      () => 'none',
      (failure: { actual: string[] }) => String(failure.actual),
    );
  };
  expect(await problemsOf('clean')).toBe('none');
  expect(await problemsOf('logged')).toContain('an error of the page');
  expect(await problemsOf('logged', /an error of/)).toBe('none');
  expect(await problemsOf('thrown')).toContain('nobody catches this');
  expect(await problemsOf('stopped')).toContain('Content Security Policy');
  expect(await problemsOf('elsewhere')).toContain('asked http://127.0.0.1:9/');
  server.close();
});
