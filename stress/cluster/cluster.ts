import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import { databasesToTest } from '#testbed/servers/postgres.ts';
import { s3Environment } from '#testbed/servers/s3-server.ts';
import { OWNER_KEY, request, temporaryFolder } from '#testbed/service/service.ts';
import { openDatabaseProxy, openTcpProxy, type DatabaseProxy, type TcpProxy } from '#testbed/servers/tcp-proxy.ts';
import { startWebhookReceiver } from '#testbed/servers/webhook-receiver.ts';
import { createMachines, type Machine, type MachineOptions } from './machines.ts';
import { openNamespaces, sharedNetwork } from './network.ts';
import { startS3Process } from './s3-process.ts';

export const REQUESTS_PER_MINUTE = 30;
const ATTEMPTS = 5;
const RETRY_MS = 1_000;

const UNLIMITED = { quotas: { stt_seconds: null, tts_characters: null, video_summaries: null }, streamingTts: true };
const MANY = { requestsPerMinute: 1_000_000, pollsPerMinute: 10_000_000 };
const PLANS = {
  load: { ...UNLIMITED, ...MANY },
  few: { ...UNLIMITED, requestsPerMinute: REQUESTS_PER_MINUTE, pollsPerMinute: REQUESTS_PER_MINUTE },
  // The owner gets the plan with the most requests.
  pro: { ...UNLIMITED, ...MANY, requestsPerMinute: 2_000_000 },
};

export type Cluster = AsyncDisposable & {
  machines: readonly Machine[];
  /** The options for further machines of the cluster. */
  options: MachineOptions;
  database: DatabaseProxy;
  s3: TcpProxy;
  receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  /** Addresses of the processes with this role that run, in the order of their names. */
  addresses(role: string): string[];
  newKey(plan: keyof typeof PLANS): Promise<string>;
};

/**
 * Starts PostgreSQL, an S3 server, one proxy for each of them, two API processes and `workers`
 * further processes. The proxies run in this process, which slows them down under load; with
 * `direct` they are not used, and all machines share one network. Otherwise every machine has a
 * separate network where this computer allows it.
 */
export async function startCluster(workers: number, way: 'through proxies' | 'direct'): Promise<Cluster> {
  const postgres = databasesToTest().find(({ name }) => name === 'postgres');
  if (postgres === undefined) throw new AppError('internal_error', 'The cluster needs the programs of PostgreSQL.');
  const isDirect = way === 'direct';
  const network = (isDirect ? null : openNamespaces()) ?? sharedNetwork();
  const folder = await temporaryFolder();
  const opened = await postgres.open();
  const database = await openDatabaseProxy(opened.databaseUrl ?? '', network.ownAddress);
  const s3Server = await startS3Process(join(folder.path, 's3'));
  const s3 = await openTcpProxy({ host: '127.0.0.1', port: s3Server.port }, network.ownAddress);
  const receiver = await startWebhookReceiver([200], { host: network.ownAddress });
  const plansFile = join(folder.path, 'plans.json');
  await writeFile(plansFile, JSON.stringify(PLANS));
  const env = {
    ...s3Environment(`http://${network.ownAddress}:${isDirect ? s3Server.port : s3.port}`),
    DATABASE_URL: isDirect ? (opened.databaseUrl ?? '') : database.databaseUrl,
    PLANS_FILE: plansFile,
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    STT_ENGINE: 'builtin',
    WORKERS: '1',
    LOG_LEVEL: 'fatal',
  };
  const options = { folder: folder.path, env, network };
  const machines = createMachines(workers, options);
  // The first machine creates the tables and the account of the owner.
  for (const machine of machines) await machine.start();
  const addresses = (role: string) =>
    machines.flatMap(({ roles, service }) =>
      service !== null && roles.split(',').includes(role) ? [service.baseUrl] : [],
    );
  return {
    machines,
    options,
    database,
    s3,
    receiver,
    addresses,
    async newKey(plan) {
      const [baseUrl = ''] = addresses('api');
      const account = await administer(baseUrl, 'accounts', { name: `cluster ${plan}`, plan });
      const { id } = account['account'] as { id: string };
      return String((await administer(baseUrl, `accounts/${id}/keys`, {}))['api_key']);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(machines.map((machine) => machine.kill()));
      await receiver[Symbol.asyncDispose]();
      await Promise.all([database.close(), s3.close(), s3Server.stop()]);
      await opened.close();
      network[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function administer(baseUrl: string, path: string, body: object): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await request(`${baseUrl}/api/admin/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': OWNER_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status === 200) return answer.body;
    // A process that does not get a processor for a second takes the database for unreachable.
    if (answer.status !== 503 || attempt === ATTEMPTS) {
      throw new AppError('internal_error', `${path} was answered ${answer.status}`, { cause: answer.body });
    }
    console.error(`  ${path} was answered 503: ${JSON.stringify(answer.body)}`);
    await sleep(RETRY_MS);
  }
}
