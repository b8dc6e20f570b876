import { AppError } from '@jyutsing/contracts/errors';
import type { ConcurrentUse, Scope } from '@jyutsing/contracts/accounts';
import type { Authenticator, Caller } from '#http/authentication.ts';
import type { ConcurrencyLimits } from '#http/concurrency-limits.ts';
import type { RealtimeDeps } from '#http/realtime/protocol.ts';
import type { SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { watchKey } from '#http/watch-key.ts';
import type { WyomingClient, WyomingHandler } from './connection.ts';
import type { WyomingEvent } from './events.ts';
import { describeService } from './info.ts';
import { createSpeech } from './speech.ts';
import { DEFAULT_CHOICE, openTranscription, parseFormat, parseTranscribe } from './transcription.ts';

export type WyomingDeps = RealtimeDeps &
  SpeakTextDeps & {
    authenticator: Authenticator;
    concurrency: ConcurrencyLimits;
    isReady(): boolean;
  };

/** Answers one client; `secret` is the key whose account is charged. */
export function createWyomingHandler(deps: WyomingDeps, secret: string, client: WyomingClient): WyomingHandler {
  const { authenticator, concurrency } = deps;
  const { send, socket } = client;
  const occupied = new Set<ConcurrentUse>();
  let choice = DEFAULT_CHOICE;
  let transcription: ReturnType<typeof openTranscription> | null = null;
  const speech = createSpeech(deps, client);
  let watch: NodeJS.Timeout | undefined;

  const admit = async (scope: Scope | null, use: ConcurrentUse | null): Promise<Caller> => {
    if (!deps.isReady()) throw new AppError('service_unavailable');
    const requirement = { scope, rateLimit: use === null ? 'poll' : 'request' } as const;
    const caller = await authenticator.authorize(
      secret,
      requirement,
      { ip: socket.remoteAddress ?? '' },
      { header() {} },
    );
    watch ??= watchKey(() => authenticator.confirm(secret, Date.now()), client.fail);
    // A client has one request at a time, so its connection is what counts.
    if (use !== null && !occupied.has(use)) {
      await concurrency.occupy(use, caller, { raw: socket });
      occupied.add(use);
    }
    return caller;
  };
  const startSound = async (event: WyomingEvent) => {
    const format = parseFormat(event);
    const caller = await admit('stt', 'live');
    await transcription?.[Symbol.asyncDispose]();
    const openedAtMs = Date.now();
    const owner = { caller, confirm: () => authenticator.confirm(secret, openedAtMs) };
    transcription = openTranscription(deps, owner, choice, format, client);
    return transcription;
  };

  const answers: Readonly<Record<string, (event: WyomingEvent) => Promise<void> | void>> = {
    async describe() {
      const { account } = await admit(null, null);
      await send('info', await describeService(deps, account.id));
    },
    ping: ({ data }) => send('pong', typeof data['text'] === 'string' ? { text: data['text'] } : {}),
    transcribe: (event) => void (choice = parseTranscribe(event, deps)),
    'audio-start': async (event) => void (await startSound(event)),
    // Some clients leave out `audio-start`: every chunk has the format.
    'audio-chunk': async (event) => (transcription ?? (await startSound(event))).write(event),
    async 'audio-stop'() {
      if (transcription === null) return;
      await transcription.finish();
      await transcription[Symbol.asyncDispose]();
      transcription = null;
      choice = DEFAULT_CHOICE;
    },
    async synthesize(event) {
      // For servers that do not take the text in parts, it comes once more as a whole.
      if (speech.isOpen()) return;
      await speech.synthesize(event, await admit('tts', 'speech'));
    },
    async 'synthesize-start'(event) {
      speech.start(event, await admit('tts', 'speech'));
    },
    'synthesize-chunk': speech.append,
    'synthesize-stop': speech.stop,
  };
  return {
    // Events of other kinds of services are ignored, as other servers do.
    handle: async (event) => (Object.hasOwn(answers, event.type) ? answers[event.type]?.(event) : undefined),
    async [Symbol.asyncDispose]() {
      clearInterval(watch);
      await transcription?.[Symbol.asyncDispose]();
    },
  };
}
