import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChannel } from '@jyutsing/concurrency/channel';
import { AppError } from '@jyutsing/contracts/errors';
import { DEFAULT_TURN_DETECTION } from '@jyutsing/contracts/live-recognition';
import { loadConfig } from '#config/config.ts';
import { SHIPPED_PLANS } from '#features/accounts/plans.ts';
import { openStore } from '#store/open-store.ts';
import type { Store } from '#store/store.ts';
import { createLogger } from '#telemetry/logger.ts';
import { decodeHere } from '#test/decode-here.ts';
import { temporaryFolder } from '#testbed/service/service.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import type { LiveMessage, LiveReport } from '#workers/live/live-messages.ts';
import { createLiveRecognition } from '#workers/live/live-recognition.ts';
import { openLiveStream, type LiveStreamDeps } from './live-stream.ts';

const RATE_HZ = 16_000;
const MINUTE = Buffer.alloc(RATE_HZ * 2 * 60);
const SETTINGS = {
  format: { encoding: 'linear16', sampleRateHz: RATE_HZ, channels: 1 },
  language: 'cantonese',
  languages: null,
  context: null,
  model: null,
  turnDetection: DEFAULT_TURN_DETECTION,
} as const;
const plan = { models: { ...recognizerModels(recognizerRef('test')), romanizer: null, correctors: [] } };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: Store;
beforeAll(async () => {
  folder = await temporaryFolder();
  store = await openStore({ databaseUrl: null, dataDir: folder.path });
});
afterAll(async () => {
  await store.close();
  await folder[Symbol.asyncDispose]();
});

/** A stream of a new account, whose process takes sound when the test says so. */
async function openStream() {
  const account = await store.accounts.create({ name: 'speaker', plan: 'pro' });
  const key = await store.keys.create(account.id, { name: 'key', prefix: 'jyut-', sha256: account.id, scopes: [] });
  const reports = createChannel<LiveReport>();
  const messages: LiveMessage[] = [];
  const events = reports as AsyncIterable<never>;
  const connect = async () => ({ send: (message: unknown) => void messages.push(message as LiveMessage), events });
  const deps: LiveStreamDeps = {
    config: loadConfig({}).http as LiveStreamDeps['config'],
    store,
    logger: createLogger('silent'),
    live: createLiveRecognition({ connect }, 1),
    decoders: decodeHere(1),
    planTranscription: () => plan as unknown as ReturnType<LiveStreamDeps['planTranscription']>,
  };
  const failed = Promise.withResolvers<unknown>();
  const client = { caller: { account, key, plan: SHIPPED_PLANS['pro']! }, confirm: async () => {} };
  const stream = openLiveStream(deps, client, SETTINGS, { onEvent() {}, onFailure: failed.resolve });
  const inputs = () => messages.flatMap((message) => (message.type === 'input' ? [message.input] : []));
  return {
    stream,
    reports,
    failed: failed.promise,
    isToldToEnd: () => inputs().some(({ type }) => type === 'end'),
    /** Seconds that the process was given. */
    secondsSent: () =>
      inputs().reduce((sum, input) => sum + (input.type === 'sound' ? input.samples.length : 0), 0) / RATE_HZ,
    charged: async () => (await store.quotas.used(account.id)).stt_seconds,
  };
}

/** The one before it loads the models. */
const SESSION = 1;

describe('sound after the end of its recognition costs nothing', () => {
  it('when the process of the recognition dies', async () => {
    const { stream, reports, failed, secondsSent, charged } = await openStream();
    const writing = stream.write(MINUTE);
    await expect.poll(secondsSent).toBe(5);
    reports.fail(new AppError('engine_failed'));
    expect(await failed).toMatchObject({ code: 'engine_failed' });
    await writing;
    await stream[Symbol.asyncDispose]();
    expect(await charged()).toBeLessThanOrEqual(6);
  });

  it('when the server ends the connection during a long message', async () => {
    const { stream, reports, secondsSent, isToldToEnd, charged } = await openStream();
    const writing = stream.write(MINUTE);
    await expect.poll(secondsSent).toBe(5);
    const ending = stream.end();
    reports.push({ session: SESSION, type: 'taken', samples: 5 * RATE_HZ });
    await expect.poll(isToldToEnd).toBe(true);
    reports.push({ session: SESSION, type: 'ended' });
    await ending;
    await writing;
    await stream[Symbol.asyncDispose]();
    expect(secondsSent()).toBe(6);
    expect(await charged()).toBe(6);
  });
});
