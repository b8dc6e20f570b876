import { randomBytes } from 'node:crypto';
import { isObject } from '#http/is-object.ts';
import type { LiveSocket } from '#http/live/live-connections.ts';
import type { LiveClient } from '#http/live/live-stream.ts';
import type { SpeakTextDeps } from '#http/synthesis/speak-text.ts';
import { createGrowingText } from './growing-text.ts';
import { createPlayback, type Playback } from './playback.ts';
import { streamedSoundFor, type SpeakStreamQuery } from './query.ts';
import { createSpeechQueue, type SpeakOptions, type SpeechQueue } from './speech-queue.ts';

type Characters = { inputCharacters: number; billedCharacters: number };

/** One answer of an agent, which `Flush` completes. */
type Turn = Characters & {
  id: string;
  audioMs: number;
  /** Texts that do not sound yet. */
  waiting: string[];
  isInterrupted: boolean;
  /** A warning has said why text of it is not spoken. */
  isRefused: boolean;
};

type Socket = Pick<LiveSocket, 'send' | 'sendSound' | 'fail'>;

export type SpeechTurns = {
  /** Adds text to the turn that is open, or opens one. */
  speak(part: string): void;
  /** Ends the open turn, which is reported when it was spoken. */
  complete(): void;
  /** Stops all turns; the offset, if any, says how far the client played. */
  interrupt(offset: unknown): void;
  /** Resolves when more may come. */
  ready(): Promise<void>;
  /** Resolves when everything was spoken and the session is reported. */
  finish(): Promise<void>;
  /** Stops for good. */
  end(): Promise<void>;
};

const NOTHING_SPOKEN = 'This text has no word to speak.';
const NO_TURN = 'No turn has begun; send {"type": "Speak", "text": …} first.';
const NO_SOUND = 'There is no sound yet that could be interrupted.';
const BAD_OFFSET = 'playback_offset must be {"type": "time_ms", "value": …} after the one before.';

/** Speaks the turns of an agent one after the other, and reports each. */
export function createSpeechTurns(
  deps: SpeakTextDeps,
  client: LiveClient & { query: SpeakStreamQuery; speed(): number | undefined },
  socket: Socket,
): SpeechTurns {
  const { send } = socket;
  const playback = createPlayback<Turn>();
  const totals: Characters = { inputCharacters: 0, billedCharacters: 0 };
  const unfinished = new Set<Turn>();
  /** The turn that takes text. */
  let open: Turn | null = null;
  let sounding: Turn | null = null;

  const onSound = (ms: number) => {
    if (sounding !== null) sounding.audioMs += ms;
    playback.add(ms);
  };
  const queue = createSpeechQueue(deps, client, countingSound(client.query, socket, onSound));
  const warn = (code: string, description: string) => send({ type: 'Warning', code, description });
  /** Does something for a turn when all before it was spoken, unless it is interrupted by then. */
  const when = (turn: Turn, action: () => void) => queue.after(() => (turn.isInterrupted ? undefined : action()));
  const begin = (): Turn => {
    const turn = newTurn();
    unfinished.add(turn);
    when(turn, () => {
      sounding = turn;
      send({ type: 'SpeechStarted', speech_id: turn.id });
    });
    return turn;
  };
  const speakPart = (turn: Turn, part: string) => {
    turn.waiting.push(part);
    when(turn, () => {
      turn.waiting.shift();
      playback.begin(turn, part);
    });
    queue.speak(part, { speed: client.speed(), ...accountOf(turn, totals) });
  };
  const text = createGrowingText(client.caller.plan.streamingTts, {
    speak: (part) => (open === null ? undefined : speakPart(open, part)),
    leaveOut(description) {
      if (open !== null) open.isRefused = true;
      warn('payload_too_large', description);
    },
  });
  const complete = () => {
    const turn = open;
    if (turn === null) return warn('NO_ACTIVE_SPEECH', NO_TURN);
    text.flush();
    open = null;
    when(turn, () => {
      unfinished.delete(turn);
      if (turn.audioMs === 0 && !turn.isRefused) warn('NO_SYNTHESIZABLE_TEXT', NOTHING_SPOKEN);
      send({ type: 'SpeechMetadata', ...viewTurn(turn) });
      send({ type: 'Flushed', speech_id: turn.id });
    });
  };
  const interruption = createInterruption({ queue, playback, unfinished, send });
  return {
    speak(part) {
      open ??= begin();
      const characters = [...part].length;
      for (const counted of [open, totals]) counted.inputCharacters += characters;
      text.add(part);
    },
    complete,
    interrupt(offset) {
      const refusal = interruption.refusal(offset);
      if (refusal !== null) return warn(...refusal);
      open?.waiting.push(text.clear());
      open = null;
      interruption.stop(isObject(offset) ? Number(offset['value']) : null);
    },
    ready: () => queue.ready(),
    async finish() {
      if (open !== null) complete();
      await queue.finish();
      send({ type: 'SessionMetadata', ...viewSession(totals, playback.totalMs()) });
    },
    end: () => queue.end(),
  };
}

/** Notes what a text of the turn is charged, and that it was refused. */
function accountOf(turn: Turn, totals: Characters): Pick<SpeakOptions, 'onCharged' | 'onRefused'> {
  return {
    onCharged(characters) {
      for (const counted of [turn, totals]) counted.billedCharacters += characters;
    },
    onRefused: () => (turn.isRefused = true),
  };
}

/** The same socket; each sound is counted in milliseconds before it is sent. */
function countingSound(query: SpeakStreamQuery, socket: Socket, onSound: (ms: number) => void): Socket {
  const { encoding, sampleRateHz } = streamedSoundFor(query);
  const bytesPerMs = ((encoding === 'linear16' ? 2 : 1) * sampleRateHz) / 1_000;
  return {
    ...socket,
    async sendSound(bytes) {
      onSound(bytes.length / bytesPerMs);
      await socket.sendSound(bytes);
    },
  };
}

type Interrupted = {
  queue: Pick<SpeechQueue, 'clear' | 'after'>;
  playback: Playback<Turn>;
  unfinished: Set<Turn>;
  send: LiveSocket['send'];
};

/** Ends all turns when the client was interrupted. */
function createInterruption({ queue, playback, unfinished, send }: Interrupted) {
  let isInterrupting = false;
  return {
    /** The code and the description of a warning; null: there is something to interrupt. */
    refusal(offset: unknown): [code: string, description: string] | null {
      const [totalMs, stoppedMs] = [playback.totalMs(), playback.stoppedMs()];
      if (isInterrupting) return ['INTERRUPT_IN_PROGRESS', 'The turn is being interrupted already.'];
      if (totalMs === 0) return ['NO_AUDIO_GENERATED', NO_SOUND];
      if (unfinished.size === 0 && totalMs === stoppedMs) return ['NO_ACTIVE_SPEECH', NO_TURN];
      if (offset == null) return null;
      const ms = isObject(offset) ? offset['value'] : null;
      return typeof ms === 'number' && ms > stoppedMs ? null : ['INVALID_INTERRUPT_OFFSET', BAD_OFFSET];
    },
    /** The client played the session up to the offset; null: it did not say. */
    stop(offsetMs: number | null): void {
      isInterrupting = true;
      const [first] = unfinished;
      for (const turn of unfinished) turn.isInterrupted = true;
      unfinished.clear();
      queue.clear();
      queue.after(() => {
        isInterrupting = false;
        const playedMs = Math.min(offsetMs ?? Infinity, playback.totalMs());
        const { turn = first, ...texts } = playback.stopAt(playedMs);
        const view = viewInterruption(turn, offsetMs === null ? null : texts);
        send({ type: 'SpeechInterrupted', audio_played_ms: Math.round(playedMs), ...view });
      });
    },
  };
}

function newTurn(): Turn {
  const id = `dg_sp_${randomBytes(6).toString('hex')}`;
  const counts = { inputCharacters: 0, billedCharacters: 0, audioMs: 0 };
  return { id, ...counts, waiting: [], isInterrupted: false, isRefused: false };
}

/** Without texts when the client did not say how far it played. */
function viewInterruption(turn: Turn | undefined, texts: { spoken: string; remaining: string } | null) {
  const waiting = turn?.waiting.join('') ?? '';
  return {
    ...(texts === null ? {} : { text_spoken: texts.spoken, text_remaining: texts.remaining + waiting }),
    ...(turn === undefined ? {} : { metadata: viewTurn(turn) }),
  };
}

function viewSession({ inputCharacters, billedCharacters }: Characters, audioMs: number) {
  return {
    total_audio_duration_ms: Math.round(audioMs),
    total_input_character_count: inputCharacters,
    total_billable_character_count: billedCharacters,
  };
}

function viewTurn({ id, audioMs, inputCharacters, billedCharacters }: Turn) {
  return {
    speech_id: id,
    audio_duration_ms: Math.round(audioMs),
    input_character_count: inputCharacters,
    billable_character_count: billedCharacters,
    // Deepgram's marks within the text are not read here.
    controls_applied: { pronunciations_applied: 0, breaks_applied: 0, pronunciation_warnings: 0 },
  };
}
