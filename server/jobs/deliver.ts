import { AppError } from '@jyutsing/contracts/errors';
import {
  isFinal,
  type CompletedTranscription,
  type FailedTranscription,
  type TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import { checkCallbackUrl, type CallbackPolicy } from '#features/webhooks/callback-url.ts';
import { newWebhookSecret } from '#features/webhooks/secret.ts';
import { RetryLater, type JobHandler } from '#queue/queue.ts';
import type { Store } from '#store/store.ts';
import type { Logger } from '#telemetry/logger.ts';
import type { Metrics } from '#telemetry/metrics.ts';
import type { Tracing } from '#telemetry/spans.ts';
import { inSpan } from '#telemetry/tracing.ts';
import { createTransport, post, type Transport } from './webhooks/post.ts';
import { signatureHeaders } from './webhooks/sign.ts';

export type DeliverJobServices = {
  store: Pick<Store, 'transcriptions' | 'webhookSecrets'>;
  /** The record as clients receive it when they poll. */
  render(record: TranscriptionRecord): Promise<unknown>;
  /** The whole body for a record of an interface with a form of its own; null: the usual one. */
  renderWhole(record: TranscriptionRecord): object | null;
  policy: CallbackPolicy;
  metrics: Pick<Metrics, 'webhooks'>;
  logger: Logger;
  tracing: Tracing;
};

/**
 * `delivered`: answered with 2xx. `failed`: will be tried again. `gone`: answered with 410, never
 * tried again. `refused`: the address is no longer allowed. `abandoned`: the last attempt failed.
 */
type DeliveryOutcome = 'delivered' | 'failed' | 'gone' | 'refused' | 'abandoned';

/**
 * Sends a final record to its `callbackUrl`, signed with the current secret of the account.
 * Delivers at least once: a process killed after the answer delivers again, with the same
 * `webhook-id`. Does nothing for a record that is deleted or not final. Throws `RetryLater` when
 * it was not accepted. `transport` is for tests.
 */
export function createDeliverJob(
  services: DeliverJobServices,
  transport: Transport = createTransport(services.policy),
): JobHandler<'deliver'> {
  const { store } = services;
  return async ({ payload: { transcriptionId }, attempt }, signal) => {
    const record = await store.transcriptions.find(transcriptionId);
    if (record === null || record.callbackUrl === null) return;
    if (!isFinal(record)) return;
    const url = record.callbackUrl;
    const report = createReport(services, { transcriptionId, receiver: new URL(url).host, attempt });
    if (!isAllowed(url, services.policy)) return report('refused');
    const body = JSON.stringify(services.renderWhole(record) ?? (await messageOf(record, services.render)));
    const secret = await store.webhookSecrets.findOrCreate(record.accountId, newWebhookSecret());
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'jyutsing',
      ...signatureHeaders(webhookIdOf(record), body, secret, Date.now()),
    };
    let status: number;
    try {
      const span = { kind: 'client', attributes: { 'http.request.method': 'POST' } } as const;
      status = await inSpan(services.tracing, 'webhook POST', span, async (sending) => {
        const traced = sending === null ? headers : { ...headers, traceparent: sending.traceparent };
        const answered = await post({ url, headers: traced, body }, transport, signal);
        sending?.set({ 'http.response.status_code': answered });
        return answered;
      });
    } catch (error) {
      if (signal.aborted || !(error instanceof AppError)) throw error;
      report('failed', { reason: error.message });
      throw new RetryLater(error.message);
    }
    if (status >= 200 && status < 300) return report('delivered', { status });
    if (status === 410) return report('gone', { status });
    report('failed', { status });
    throw new RetryLater(`The receiver answered with status ${status}.`);
  };
}

/**
 * Reports a delivery that the queue gave up, in the log and the metrics only: the record is
 * complete and can still be polled.
 */
export function reportUndelivered(transcriptionId: string, services: Pick<DeliverJobServices, 'metrics' | 'logger'>) {
  createReport(services, { transcriptionId })('abandoned');
}

/** A record has a single event: its end. */
function webhookIdOf({ id }: TranscriptionRecord): string {
  return `msg_${id}`;
}

/** The same content at every attempt; the time is that of the event. */
async function messageOf(record: CompletedTranscription | FailedTranscription, render: DeliverJobServices['render']) {
  return {
    type: `transcription.${record.status}`,
    timestamp: new Date(record.finishedAtMs).toISOString(),
    data: await render(record),
  };
}

/** The address was allowed at acceptance; the configuration may have changed since. */
function isAllowed(url: string, policy: CallbackPolicy): boolean {
  try {
    checkCallbackUrl(url, policy);
    return true;
  } catch {
    return false;
  }
}

/** Logs only the host: path and query of many receivers contain a secret. */
function createReport({ metrics, logger }: Pick<DeliverJobServices, 'metrics' | 'logger'>, about: object) {
  return (outcome: DeliveryOutcome, details: object = {}): void => {
    metrics.webhooks.inc({ outcome });
    const level = outcome === 'delivered' ? 'debug' : 'warn';
    logger[level]({ ...about, ...details, outcome }, 'webhook delivery');
  };
}
