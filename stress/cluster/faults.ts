import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '#testbed/servers/tcp-proxy.ts';
import type { Machine } from './machines.ts';

/** A failure of one part; `run` resolves when it is repaired. */
export type Fault = { name: string; run(): Promise<void> };

/** Milliseconds for which a process stays dead or a network stays broken. */
const DOWN_MS = 5_000;
const DELAY_MS = 100;
/** Machines whose network breaks: one of each kind, so that all faults fit into twenty minutes. */
const UNPLUGGED: ReadonlySet<string> = new Set(['api-2', 'worker-3']);

/** Every fault of the cluster once, in an order that only `seed` decides. */
export function listFaults(machines: readonly Machine[], database: TcpProxy, s3: TcpProxy, seed: number): Fault[] {
  const killed = machines.map((machine): Fault => ({
    name: `${machine.name} (${machine.roles}) killed with SIGKILL`,
    async run() {
      await machine.kill();
      await sleep(DOWN_MS);
      await machine.start();
    },
  }));
  const restarted = machines.map((machine): Fault => ({
    name: `${machine.name} restarted with SIGTERM`,
    async run() {
      await machine.stop();
      await machine.start();
    },
  }));
  const unplugged = machines.flatMap(({ name, host: { plug } }): Fault[] =>
    plug === null || !UNPLUGGED.has(name)
      ? []
      : [
          {
            name: `${name}: without network`,
            async run() {
              plug(false);
              await sleep(DOWN_MS);
              plug(true);
            },
          },
        ],
  );
  const networks = [
    { name: 'database', proxy: database },
    { name: 'S3', proxy: s3 },
  ].flatMap(({ name, proxy }): Fault[] => [
    { name: `${name}: all connections reset`, run: async () => proxy.reset() },
    {
      name: `${name}: frozen`,
      async run() {
        proxy.freeze();
        await sleep(DOWN_MS);
        proxy.resume();
      },
    },
    {
      name: `${name}: refuses connections`,
      async run() {
        await proxy.refuse();
        await sleep(DOWN_MS);
        await proxy.accept();
      },
    },
    {
      name: `${name}: ${DELAY_MS} ms later in both directions`,
      async run() {
        proxy.delay(DELAY_MS);
        proxy.reset();
        await sleep(DOWN_MS);
        proxy.delay(0);
        proxy.reset();
      },
    },
  ]);
  return shuffle([...killed, ...networks, ...unplugged, ...restarted.slice(0, 3)], seed);
}

/** Fisher-Yates with the generator of Park and Miller (1988). */
function shuffle<T>(list: readonly T[], seed: number): T[] {
  const shuffled = [...list];
  let state = seed;
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}
