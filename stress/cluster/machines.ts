import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants } from '#testbed/service/process-tree.ts';
import { startService, type Service } from '#testbed/service/service.ts';
import type { Host, Network } from './network.ts';

export type MachineName = 'api-1' | 'api-2' | `worker-${number}`;

/**
 * One process of the service with a separate data folder, which can be started again after its end.
 */
export type Machine = {
  readonly name: MachineName;
  readonly roles: string;
  readonly host: Host;
  /** It is null while the machine is down. */
  readonly service: Service | null;
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Ids of the process of the service, and of the worker processes below it. */
  pids(): { service: number[]; workers: number[] };
};

/** The roles of the workers in turn; the list repeats after its last entry. */
const WORKER_ROLES = [
  'speak,score,housekeeping',
  'transcribe,deliver',
  'transcribe',
  'speak,score,transcribe,deliver',
] as const;

/** The place of the data, the settings and the network of machines. */
export type MachineOptions = { folder: string; env: Record<string, string>; network: Network };

export function createMachines(workers: number, options: MachineOptions): Machine[] {
  const machine = (name: MachineName, roles: string) => createMachine(name, roles, options);
  return [
    machine('api-1', 'api'),
    machine('api-2', 'api'),
    ...Array.from({ length: workers }, (_, index) =>
      machine(`worker-${index + 1}`, workers === 1 ? 'speak,score,transcribe,deliver,housekeeping' : roleOf(index)),
    ),
  ];
}

const roleOf = (index: number) => WORKER_ROLES[index % WORKER_ROLES.length]!;

export function createMachine(name: MachineName, roles: string, { folder, env, network }: MachineOptions): Machine {
  const dataDir = join(folder, name);
  const host = network.hostOf(name);
  let service: Service | null = null;
  const end = async (how: 'stop' | 'kill') => {
    const ending = service;
    service = null;
    await ending?.[how]();
  };
  return {
    name,
    roles,
    host,
    get service() {
      return service;
    },
    async start() {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      // The database may be unreachable just then; an operating system starts it again as well.
      for (;;) {
        const started = await startService(dataDir, { ...env, ROLES: roles, HOST: host.address }, host.launcher).catch(
          (error: unknown) => error,
        );
        if (!(started instanceof Error)) {
          service = started as Service;
          return;
        }
        console.error(`  ${name} did not start: ${started.message.slice(0, 200)}`);
        await sleep(2_000);
      }
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
    pids() {
      const pid = service?.process.pid;
      return pid === undefined ? { service: [], workers: [] } : { service: [pid], workers: descendants(pid) };
    },
  };
}
