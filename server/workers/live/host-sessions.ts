import { FairScheduler } from '@jyutsing/concurrency/fair-scheduler';
import { createChannel, type Channel } from '@jyutsing/concurrency/channel';
import { serializeError } from '@jyutsing/contracts/errors';
import type { LiveRequest } from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import { LANGUAGES, type Segment } from '@jyutsing/contracts/transcript';
import { followPiece } from '#features/live/follow-piece.ts';
import type { LiveContext } from '#features/live/live-context.ts';
import { runLiveSession, type LiveInput } from '#features/live/live-session.ts';
import type { ModelHold } from '#workers/engine-cache.ts';
import type { LiveMessage, LiveReport } from './live-messages.ts';

/** Well below the time after which a silent process counts as hung. */
const ALIVE_EVERY_MS = 1_000;
/** The services of the process that its sessions use. */
type HostMeans = { hold(): ModelHold } & Pick<LiveContext, 'createDetector' | 'isSpeech'>;
type Hosted = {
  inputs: Channel<LiveInput>;
  hasSound: boolean;
  abort: AbortController;
  /** Those that the server has not answered, by number. */
  corrections: Map<number, (segment: Segment | null) => void>;
};

/**
 * Runs the sessions of one process; their accounts take turns. An aborted signal throws its reason.
 */
export async function* hostLiveSessions(
  messages: AsyncIterable<LiveMessage>,
  { hold, ...means }: HostMeans,
  signal: AbortSignal,
): AsyncGenerator<LiveReport> {
  const sessions = new Map<number, Hosted>();
  /** By concurrency: recognizers of this process take turns, others have their own limit. */
  const schedulers = new Map<number, FairScheduler>();
  const reports = createChannel<LiveReport>();
  let nextCorrection = 0;
  const isQuiet = () => ![...sessions.values()].some(({ hasSound }) => hasSound);

  const start = async (session: number, { accountId, ...options }: LiveRequest) => {
    const hosted = openHosted();
    sessions.set(session, hosted);
    const { signal: stop } = hosted.abort;
    using held = hold();
    const context: LiveContext = {
      open: held.open,
      ...means,
      async inTurn({ concurrency, dueInMs }, work) {
        const scheduler = schedulers.get(concurrency) ?? new FairScheduler(concurrency);
        schedulers.set(concurrency, scheduler);
        const slot = { accountId, dueMs: performance.now() + dueInMs };
        const release = await scheduler.acquire(slot, stop);
        try {
          return await work();
        } finally {
          release();
        }
      },
      correct: (call) =>
        new Promise((resolve) => {
          nextCorrection += 1;
          hosted.corrections.set(nextCorrection, resolve);
          reports.push({ session, type: 'correct', correction: nextCorrection, call });
        }),
      emit: (event) => reports.push({ session, type: 'event', event }),
      onTaken: (samples) => reports.push({ session, type: 'taken', samples }),
    };
    void loadModels(options, held.open, isQuiet, stop).catch(() => {});
    try {
      await runLiveSession(options, hosted.inputs, context, stop);
      reports.push({ session, type: 'ended' });
    } catch (thrown) {
      reports.push({ session, type: 'failed', error: serializeError(thrown) });
    } finally {
      sessions.delete(session);
    }
  };
  const receive = async () => {
    for await (const message of messages) {
      const { session } = message;
      if (message.type === 'open') void start(session, message.request);
      else if (message.type === 'input') pass(sessions.get(session), message.input);
      else if (message.type === 'corrected') {
        const { corrections } = sessions.get(session) ?? {};
        corrections?.get(message.correction)?.(message.segment);
        corrections?.delete(message.correction);
      } else {
        const hosted = sessions.get(session);
        hosted?.abort.abort();
        hosted?.inputs.close();
      }
    }
  };

  const alive = setInterval(() => reports.push({ type: 'alive' }), ALIVE_EVERY_MS);
  const stop = () => reports.fail(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  receive().catch((thrown: unknown) => reports.fail(thrown));
  try {
    yield* reports;
  } finally {
    clearInterval(alive);
    signal.removeEventListener('abort', stop);
    for (const { abort, inputs } of sessions.values()) {
      abort.abort(signal.reason);
      inputs.close();
    }
  }
}

function openHosted(): Hosted {
  return { inputs: createChannel(), hasSound: false, abort: new AbortController(), corrections: new Map() };
}

function pass(hosted: Hosted | undefined, input: LiveInput): void {
  if (hosted === undefined) return;
  hosted.hasSound = true;
  hosted.inputs.push(input);
}

/**
 * Loads what the first words need while a client still prepares its microphone; otherwise they wait
 * for it. Later sessions find it loaded. What fails shows when it is needed. While `isQuiet`, the
 * models also take a piece of silence, because their first run takes longer; after it, sound is
 * waiting for them.
 */
async function loadModels(
  { models: { recognizers, languageIdentifier }, context }: Omit<LiveRequest, 'accountId'>,
  open: LiveContext['open'],
  isQuiet: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const language = LANGUAGES.find((one) => recognizers[one] !== undefined);
  const ref = language && recognizers[language];
  if (language === undefined || ref === undefined) return;
  const recognizer = await open(ref);
  if (languageIdentifier !== null) await open(languageIdentifier);
  const follower = await followPiece(recognizer, { language, context });
  if (isQuiet()) await follower.finish(new Float32Array(RECOGNIZER_SAMPLE_RATE_HZ / 4), signal);
}
