import { AppError } from '@jyutsing/contracts/errors';
import type { LiveEvent, LiveOptions, LiveSession, TurnDetection } from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ } from '@jyutsing/contracts/recognizer';
import type { Language, LanguageChoice } from '@jyutsing/contracts/transcript';
import type { Caller } from '#http/authentication.ts';
import type { ServerDeps } from '#http/deps.ts';
import { watchKey } from '#http/watch-key.ts';
import { audioQuotaExceeded, createAudioQuota, UNLIMITED } from './audio-quota.ts';
import { openSoundSource, type LiveFormat } from './sound-source.ts';

/** The settings that a client may choose, in the words of this service. */
export type LiveSettings = {
  format: LiveFormat;
  language: LanguageChoice;
  /** With `auto`: the possible languages; null: all. */
  languages: readonly Language[] | null;
  context: string | null;
  /** The name of the model; null chooses the best one. */
  model: string | null;
  turnDetection: TurnDetection | null;
  /** Numbers in digits; absent: so. */
  numerals?: false;
  /** Speakers are told apart; absent: they are not. */
  diarize?: boolean;
  /** See `LiveOptions`. */
  delayMs?: number;
};

export type LiveStreamDeps = Pick<
  ServerDeps,
  'config' | 'store' | 'logger' | 'live' | 'decoders' | 'planTranscription'
>;

export type LiveClient = {
  caller: Caller;
  /** Throws a status 401 when the key was revoked, the account blocked or the time is over. */
  confirm(): Promise<void>;
  /** False: another stream is charged for the same sound. Absent: charged. */
  isCharged?: false;
};

/** The sound of one client and the recognition of it, whatever protocol the client speaks. */
type LiveStream = {
  /** Throws `engine_unavailable` without a model for the settings, which then stay as they were. */
  configure(settings: LiveSettings): void;
  /**
   * Takes bytes in the format of the settings; resolves when more may follow. Throws when the
   * quota ends, after the sound that it covers.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the open segment. False when no sound came since the last one. */
  commit(): Promise<boolean>;
  /** Drops the sound of no ended segment. False when none came since the last commit or clear. */
  clear(): boolean;
  /** Ends the open segment; resolves after the last event. */
  end(): Promise<void>;
  /** Seconds of sound until now. */
  seconds(): number;
  /** Stops the recognition, and charges the sound that it took. */
  [Symbol.asyncDispose](): Promise<void>;
};

type Listener = {
  onEvent(event: LiveEvent): void;
  /** The recognition ended with an error. */
  onFailure(reason: unknown): void;
};

/**
 * Opens the recognition with the first sound, so that a client that only waits costs nothing; in a
 * service without live sessions it loads the models before.
 */
export function openLiveStream(
  deps: LiveStreamDeps,
  { caller, confirm, isCharged }: LiveClient,
  initial: LiveSettings,
  { onEvent, onFailure }: Listener,
): LiveStream {
  const quota = isCharged === false ? UNLIMITED : createAudioQuota(deps, caller);
  const stopped = new AbortController();
  let settings = initial;
  let chosen = chooseModels(deps, initial);
  let recognition: { session: LiveSession; ended: Promise<void> } | null = null;
  let samples = 0;
  let samplesAtCommit = 0;
  /** No sound is recognized any more, so none is charged. */
  let isOver = false;

  const secondsTaken = () => samples / RECOGNIZER_SAMPLE_RATE_HZ;
  const options = () => ({ ...chosen, ...recognitionOf(settings, deps), accountId: caller.account.id });
  const open = () => {
    const session = deps.live.open(options(), stopped.signal);
    const ended = readAll(session, onEvent).catch((reason: unknown) => {
      isOver = true;
      if (!stopped.signal.aborted) onFailure(reason);
    });
    return { session, ended };
  };
  const writePiece = async (piece: Float32Array) => {
    if (isOver) return;
    const needed = secondsTaken() + piece.length / RECOGNIZER_SAMPLE_RATE_HZ;
    const covered = await quota.cover(needed);
    const allowed = covered < needed ? Math.max(0, Math.floor(covered * RECOGNIZER_SAMPLE_RATE_HZ) - samples) : null;
    const taken = allowed === null ? piece : piece.subarray(0, allowed);
    if (stopped.signal.aborted || isOver) return;
    if (taken.length > 0) {
      recognition ??= open();
      samples += taken.length;
      await recognition.session.write(taken);
    }
    if (allowed !== null) throw audioQuotaExceeded(caller);
  };

  const watch = watchKey(confirm, onFailure);
  deps.live.prepare(options());
  const client = { decoders: deps.decoders, accountId: caller.account.id, onSound: writePiece, onFailure };
  const source = openSoundSource(client, initial.format, stopped.signal);

  return {
    configure(next) {
      chosen = chooseModels(deps, next);
      source.configure(next.format);
      settings = next;
      recognition?.session.configure(options());
    },
    write: source.write,
    async commit() {
      await source.settled();
      if (recognition === null || samples === samplesAtCommit) return false;
      samplesAtCommit = samples;
      recognition.session.commit();
      return true;
    },
    clear() {
      const isDropped = samples !== samplesAtCommit;
      samplesAtCommit = samples;
      recognition?.session.clear();
      return isDropped;
    },
    async end() {
      await source.end();
      isOver = true;
      recognition?.session.end();
      await recognition?.ended;
    },
    seconds: secondsTaken,
    async [Symbol.asyncDispose]() {
      clearInterval(watch);
      stopped.abort();
      await quota.settle(secondsTaken());
    },
  };
}

async function readAll({ events }: LiveSession, onEvent: Listener['onEvent']): Promise<void> {
  for await (const event of events) onEvent(event);
}

function recognitionOf({ context, turnDetection, numerals, delayMs }: LiveSettings, { config }: LiveStreamDeps) {
  return {
    context,
    turnDetection,
    numerals,
    delayMs,
    ...(config.hongKongStyle === 'everyday' ? { everydaySpelling: true as const } : {}),
  };
}

function chooseModels(
  { config, planTranscription }: LiveStreamDeps,
  { language, languages, context, model, diarize = false }: LiveSettings,
): Pick<LiveOptions, 'models' | 'correction' | 'diarizer'> {
  const plan = (withDiarization: boolean) =>
    planTranscription({
      language: language === 'chinese' && config.zhMeans !== 'auto' ? config.zhMeans : language,
      ...(languages === null ? {} : { languages }),
      withTimestamp: false,
      withDiarization,
      context,
      skipFusion: context === null,
      corpusIds: null,
      model,
    }).models;
  const models = diarize ? withDiarizerIfInstalled(plan) : plan(false);
  const { recognizers, languageIdentifier, romanizer } = models;
  // The last corrector needs no other server, which would take longer than there is time.
  const correction = romanizer === null ? null : { romanizer, correctors: models.correctors.slice(-1) };
  return { models: { recognizers, languageIdentifier }, correction, diarizer: models.diarizer };
}

/** Plans with a diarizer, or without one where none is installed: the text does not need it. */
function withDiarizerIfInstalled<Plan>(plan: (withDiarization: boolean) => Plan): Plan {
  try {
    return plan(true);
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'engine_unavailable') throw failure;
    return plan(false);
  }
}
