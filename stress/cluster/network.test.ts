import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openNamespaces } from './network.ts';

const SERVER = `require('node:http').createServer((_, answer) => answer.end('here')).listen(8080, () => console.log('ready'))`;
const ANSWER_WITHIN_MS = 1_000;

const network = openNamespaces();

async function ask(address: string): Promise<string> {
  const answer = await fetch(`http://${address}:8080`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  return answer.text();
}

test.skipIf(network === null)('a machine has ports of its own, and none without its cable', async () => {
  using namespaces = network!;
  const hosts = ['one', 'other'].map((name) => namespaces.hostOf(name));
  expect(namespaces.hostOf('one')).toBe(hosts[0]);
  for (const { launcher } of hosts) {
    const [program = '', ...words] = [...launcher, process.execPath, '-e', SERVER];
    const server = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void server.kill());
    await once(server.stdout, 'data');
  }
  const [one, other] = hosts.map(({ address }) => address);
  expect([await ask(one!), await ask(other!)]).toEqual(['here', 'here']);
  hosts[0]!.plug?.(false);
  await expect(ask(one!)).rejects.toThrow(/timeout/);
  expect(await ask(other!)).toBe('here');
  hosts[0]!.plug?.(true);
  await expect.poll(() => ask(one!).catch(() => 'not yet'), { timeout: 20_000 }).toBe('here');
});
