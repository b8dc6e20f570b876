import type { LiveEvent } from '@jyutsing/contracts/live-recognition';
import { joinWords } from '@jyutsing/text/join-words';

/** The confidence from which a turn has ended, or probably has (null: not told); longest pause. */
export type TurnThresholds = { eager: number | null; end: number; timeoutMs: number };

export type TurnEvent = 'StartOfTurn' | 'Update' | 'EagerEndOfTurn' | 'TurnResumed' | 'EndOfTurn';

export type Turn = {
  event: TurnEvent;
  index: number;
  startMs: number;
  endMs: number;
  text: string;
  words: readonly { text: string; confidence: number | null }[];
  confidence: number;
};

/** Particles and marks with which people end what they say. */
const ENDS =
  /(?:[呀啊啦喇㗎嘅咩呢嗎吗吧囉咯喎添啫先了的]|\b(?:please|thanks|thank you|bye|okay|ok|right))[。！？.!?]*$|[？?]$/iu;
/** Words after which something follows. */
const GOES_ON =
  /(?:但係|因為|因为|同埋|所以|即係|如果|不過|而且|還有|还有|然后|或者|嗰個|呢個|同|[，、,])[。.]*$|\b(?:and|but|because|so|if|or|the|an?|to|of|um|uh|my|your|with)[.,]*$/iu;

/** A pause of so many milliseconds alone is a sure end. */
const SURE_PAUSE_MS = 1_200;

/** From 0 to 1: whether a turn with this text is over after a pause. */
export function endConfidence(text: string, pauseMs: number): number {
  const byText = ENDS.test(text.trim()) ? 0.2 : GOES_ON.test(text.trim()) ? -0.25 : 0;
  return Math.min(1, Math.max(0, 0.25 + (0.75 * pauseMs) / SURE_PAUSE_MS + byText));
}

type OpenTurn = {
  startMs: number;
  /** The end of its last complete stretch of speech; null while somebody speaks. */
  speechEndMs: number | null;
  /** Complete stretches, then the one that is recognized. */
  texts: string[];
  open: string;
  words: Turn['words'];
  isEager: boolean;
};

/**
 * Joins stretches of speech to turns, by the pause after them and by what was said. `emit` is
 * called with the events in the order of Deepgram's Flux.
 */
export function createTurns(thresholds: () => TurnThresholds, emit: (turn: Turn) => void) {
  let index = 0;
  let turn: OpenTurn | null = null;
  /** A segment that is recognized after its end; no turn ends before its text is there. */
  let unfinished = 0;

  const send = (event: TurnEvent, current: OpenTurn, endMs: number, confidence = 0) => {
    const text = joinWords([...current.texts, current.open]);
    emit({ event, index, startMs: current.startMs, endMs, text, words: current.words, confidence });
  };
  const end = (current: OpenTurn, nowMs: number, confidence: number) => {
    send('EndOfTurn', current, nowMs, confidence);
    index += 1;
    turn = null;
  };
  const judge = (nowMs: number) => {
    if (turn === null || turn.speechEndMs === null || unfinished > 0) return;
    const pauseMs = nowMs - turn.speechEndMs;
    const confidence = endConfidence(joinWords(turn.texts), pauseMs);
    const { eager, end: least, timeoutMs } = thresholds();
    if (confidence >= least || pauseMs >= timeoutMs) return end(turn, nowMs, confidence);
    if (eager === null || turn.isEager || confidence < eager) return;
    turn.isEager = true;
    send('EagerEndOfTurn', turn, nowMs, confidence);
  };
  const startSpeech = (startMs: number) => {
    unfinished += 1;
    if (turn === null) {
      turn = { startMs, speechEndMs: null, texts: [], open: '', words: [], isEager: false };
      send('StartOfTurn', turn, startMs);
      return;
    }
    turn.speechEndMs = null;
    if (turn.isEager) send('TurnResumed', turn, startMs);
    turn.isEager = false;
  };

  return {
    /** So much sound was heard. */
    heard: judge,
    /** Takes an event of the recognition at a time of its sound. */
    take(event: LiveEvent, nowMs: number): void {
      if (event.type === 'speech-start') startSpeech(event.startMs);
      if (turn === null) return;
      if (event.type === 'segment-delta') {
        turn.open = event.text;
        send('Update', turn, nowMs);
      } else if (event.type === 'segment-end' || event.type === 'segment-failed' || event.type === 'segment-dropped') {
        unfinished = Math.max(0, unfinished - 1);
        turn.open = '';
        if (event.type !== 'segment-end') return;
        turn.texts.push(event.text);
        turn.words = [...turn.words, ...event.words];
        const speechEndMs = event.words.at(-1)?.endMs ?? event.endMs;
        if (unfinished === 0) turn.speechEndMs = speechEndMs;
        if (event.reason === 'commit' || event.reason === 'end') end(turn, nowMs, 1);
        else judge(nowMs);
      }
    },
    /** Ends the open turn: nothing follows. */
    finish(nowMs: number): void {
      if (turn !== null) end(turn, nowMs, 1);
    },
  };
}
