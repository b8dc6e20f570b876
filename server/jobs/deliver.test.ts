import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TranscriptionRecord } from '@jyutsing/contracts/transcription';
import { openQueue } from '#queue/open-queue.ts';
import { RetryLater, type Job } from '#queue/queue.ts';
import { DEFAULT_RETRY_POLICIES } from '#queue/retry-policy.ts';
import type { Store } from '#store/store.ts';
import { newRecord, newResult, type RecordChange } from '#test/transcription-records.ts';
import { createLogger } from '#telemetry/logger.ts';
import { NO_TRACING } from '#telemetry/tracing.ts';
import { createMetrics } from '#telemetry/metrics.ts';
import { totalDepth } from '#test/queue/test-queues.ts';
import { startWebhookReceiver, verifyWebhook, type Reaction } from '#testbed/servers/webhook-receiver.ts';
import { enqueueDelivery } from '#queue/enqueue-delivery.ts';
import { createDeliverJob, reportUndelivered, type DeliverJobServices } from './deliver.ts';
import { openTestStore, type TestStore } from '#test/test-store.ts';

const NEVER = new AbortController().signal;
let opened: TestStore;
let store: Store;
let accountId: string;
beforeAll(async () => {
  opened = await openTestStore();
  ({ store } = opened);
  ({ id: accountId } = await store.accounts.create({ name: 'an account', plan: 'pro' }));
});
afterAll(() => opened.close());

const render = async ({ id, status }: TranscriptionRecord) => ({ request_id: id, status });

function newServices(policy = { allowPrivate: true }, logger = createLogger('silent')): DeliverJobServices {
  return { store, render, renderWhole: () => null, policy, metrics: createMetrics(), logger, tracing: NO_TRACING };
}

/** Inserts a final record with this callback URL. */
async function finished(callbackUrl: string | null, change: RecordChange = {}): Promise<string> {
  const record = newRecord(accountId, {
    status: 'completed',
    result: newResult(),
    finishedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    callbackUrl,
    ...change,
  });
  await store.transcriptions.insert(record);
  return record.id;
}

const job = (transcriptionId: string, attempt = 1): Job<'deliver'> => ({
  id: 'job',
  name: 'deliver',
  payload: { transcriptionId },
  attempt,
  isLastAttempt: false,
});

async function outcomes({ metrics }: Pick<DeliverJobServices, 'metrics'>): Promise<Record<string, number>> {
  const { values } = await metrics.webhooks.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['outcome']), value]));
}

it('a completed record is delivered as polls return it, signed with the secret of its account', async () => {
  await using receiver = await startWebhookReceiver();
  const services = newServices();
  const id = await finished(`${receiver.baseUrl}/hook?token=secret`);
  await createDeliverJob(services)(job(id), NEVER);
  const [received] = receiver.received;
  const secret = await store.webhookSecrets.findOrCreate(accountId, 'unused');
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(verifyWebhook(received!, secret)).toEqual({
    type: 'transcription.completed',
    timestamp: '2026-01-02T03:04:05.678Z',
    data: { request_id: id, status: 'completed' },
  });
  expect(received?.url).toBe('/hook?token=secret');
  expect(received?.headers).toMatchObject({ 'webhook-id': `msg_${id}`, 'content-type': 'application/json' });
  const sentAtMs = Number(received?.headers['webhook-timestamp']) * 1_000;
  expect(Math.abs(Date.now() - sentAtMs)).toBeLessThan(10_000);
  expect(await outcomes(services)).toEqual({ delivered: 1 });
});

it('a wrong secret, a changed body and an old timestamp fail verification', async () => {
  await using receiver = await startWebhookReceiver();
  await createDeliverJob(newServices())(job(await finished(receiver.baseUrl)), NEVER);
  const received = receiver.received[0]!;
  const secret = await store.webhookSecrets.findOrCreate(accountId, 'unused');
  const old = { ...received, headers: { ...received.headers, 'webhook-timestamp': '1700000000' } };
  for (const forged of [{ ...received, body: `${received.body} ` }, old])
    expect(() => verifyWebhook(forged, secret)).toThrow(/signature|old/);
  expect(() => verifyWebhook(received, `whsec_${Buffer.alloc(32, 1).toString('base64')}`)).toThrow(
    'No matching signature',
  );
});

it('an interface with an answer of its own gets that, signed like any other', async () => {
  await using receiver = await startWebhookReceiver();
  const services = {
    ...newServices(),
    renderWhole: ({ id }: TranscriptionRecord) => ({ metadata: { request_id: id } }),
  };
  const id = await finished(receiver.baseUrl);
  await createDeliverJob(services)(job(id), NEVER);
  const secret = await store.webhookSecrets.findOrCreate(accountId, 'unused');
  expect(verifyWebhook(receiver.received[0]!, secret)).toEqual({ metadata: { request_id: id } });
});

it('a failed record is delivered too', async () => {
  await using receiver = await startWebhookReceiver();
  const error = { code: 'corrupt_audio', message: 'It is cut off.' } as const;
  const id = await finished(receiver.baseUrl, { status: 'failed', result: null, error });
  await createDeliverJob(newServices())(job(id), NEVER);
  expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
    type: 'transcription.failed',
    data: { request_id: id },
  });
});

it('nothing is sent for a record that is deleted, not final or without a callback URL', async () => {
  await using receiver = await startWebhookReceiver();
  const deliver = createDeliverJob(newServices());
  await deliver(job(crypto.randomUUID()), NEVER);
  await deliver(
    job(await finished(receiver.baseUrl, { status: 'processing', result: null, finishedAtMs: null })),
    NEVER,
  );
  await deliver(job(await finished(null)), NEVER);
  expect(receiver.received).toEqual([]);
});

it.each<[Reaction, string]>([
  [500, 'The receiver answered with status 500.'],
  [503, 'The receiver answered with status 503.'],
  [429, 'The receiver answered with status 429.'],
  [404, 'The receiver answered with status 404.'],
  [{ status: 307, redirect: 'http://127.0.0.1:1/' }, 'The receiver answered with status 307.'],
  ['reset', 'The receiver did not answer: ECONNRESET.'],
])('%j makes the queue retry', async (reaction, message) => {
  await using receiver = await startWebhookReceiver([reaction]);
  const services = newServices();
  const delivered = createDeliverJob(services)(job(await finished(receiver.baseUrl)), NEVER);
  await expect(delivered).rejects.toThrow(message);
  await expect(delivered).rejects.toBeInstanceOf(RetryLater);
  expect(await outcomes(services)).toEqual({ failed: 1 });
});

it('410 ends all attempts', async () => {
  await using receiver = await startWebhookReceiver([410]);
  const services = newServices();
  await createDeliverJob(services)(job(await finished(receiver.baseUrl)), NEVER);
  expect(await outcomes(services)).toEqual({ gone: 1 });
});

it('an address that is no longer allowed is not called, and not retried', async () => {
  await using receiver = await startWebhookReceiver();
  const services = newServices({ allowPrivate: false });
  await createDeliverJob(services)(job(await finished(receiver.baseUrl)), NEVER);
  expect(receiver.received).toEqual([]);
  expect(await outcomes(services)).toEqual({ refused: 1 });
});

it('neither path, query nor content is logged', async () => {
  await using receiver = await startWebhookReceiver([500, 200, 410]);
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const services = newServices(undefined, logger);
  const id = await finished(`${receiver.baseUrl}/T0K3N/path?key=S3CR3T`);
  const deliver = createDeliverJob(services);
  await expect(deliver(job(id), NEVER)).rejects.toThrow('500');
  await deliver(job(id, 2), NEVER);
  await deliver(job(id, 3), NEVER);
  reportUndelivered(id, services);
  const about = { transcriptionId: id, receiver: `127.0.0.1:${receiver.port}` };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...about, outcome: 'failed', status: 500, attempt: 1 },
    { ...about, outcome: 'delivered', status: 200, attempt: 2 },
    { ...about, outcome: 'gone', status: 410, attempt: 3 },
    { transcriptionId: id, outcome: 'abandoned' },
  ]);
  expect(lines.join('')).not.toMatch(/T0K3N|S3CR3T|whsec_|你/);
  expect(await outcomes(services)).toEqual({ failed: 1, delivered: 1, gone: 1, abandoned: 1 });
});

it('in the queue, two failures and a success send one event with one id and valid signatures', async () => {
  await using receiver = await startWebhookReceiver([500, 'reset', 200]);
  const deliver = { ...DEFAULT_RETRY_POLICIES.deliver, firstDelayMs: 20 };
  const errors: unknown[] = [];
  const queue = await openQueue({
    store,
    retry: { ...DEFAULT_RETRY_POLICIES, deliver },
    onError: (error) => errors.push(error),
  });
  const services = newServices();
  const dead: string[] = [];
  await queue.start({
    transcribe: { run: async () => {}, concurrency: 1, onDeadLetter: async () => {} },
    deliver: {
      run: createDeliverJob(services),
      concurrency: 2,
      onDeadLetter: async ({ payload }) => void dead.push(payload.transcriptionId),
    },
  });
  const id = await finished(receiver.baseUrl);
  await store.transaction(async (transaction) => {
    await enqueueDelivery(transaction, { id, accountId, callbackUrl: receiver.baseUrl }, queue);
    await enqueueDelivery(transaction, { id: 'none', accountId, callbackUrl: null }, queue);
  });
  await vi.waitFor(async () => expect(await outcomes(services)).toEqual({ failed: 2, delivered: 1 }), 120_000);
  await vi.waitFor(async () => expect(await totalDepth(queue)).toEqual({ waiting: 0, active: 0 }), 120_000);
  await queue.close();
  const secret = await store.webhookSecrets.findOrCreate(accountId, 'unused');
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    `msg_${id}`,
    `msg_${id}`,
    `msg_${id}`,
  ]);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  for (const received of receiver.received) expect(() => verifyWebhook(received, secret)).not.toThrow();
  expect([errors, dead]).toEqual([[], []]);
});

it('a delivery that waits is counted apart from the recordings that wait', async () => {
  const queue = await openQueue({ store });
  await store.transaction((transaction) =>
    enqueueDelivery(transaction, { id: 'none', accountId, callbackUrl: 'https://receiver.example' }, queue),
  );
  const printed = await createMetrics({ queue }).registry.getSingleMetricAsString('jyutsing_queue_jobs');
  await queue.close();
  expect(printed.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'jyutsing_queue_jobs{kind="transcribe",state="waiting"} 0',
    'jyutsing_queue_jobs{kind="transcribe",state="active"} 0',
    'jyutsing_queue_jobs{kind="deliver",state="waiting"} 1',
    'jyutsing_queue_jobs{kind="deliver",state="active"} 0',
  ]);
});
