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

type SegmentEnd = Extract<LiveEvent, { type: 'segment-end' }>;

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
  /** The start times of segments whose text is to come; no turn ends by a pause before that. */
  const unfinished = new Map<number, number>();

  const send = (event: TurnEvent, current: OpenTurn, endMs: number, confidence = 0) => {
    const text = joinWords([...current.texts, current.open]);
    emit({ event, index, startMs: current.startMs, endMs, text, words: current.words, confidence });
  };
  const open = (startMs: number): OpenTurn => {
    const opened = { startMs, speechEndMs: null, texts: [], open: '', words: [], isEager: false };
    send('StartOfTurn', opened, startMs);
    return opened;
  };
  const end = (current: OpenTurn, nowMs: number, confidence: number) => {
    send('EndOfTurn', current, nowMs, confidence);
    index += 1;
    turn = null;
  };
  /** Speech that began before the forced end of a turn is the next turn. */
  const endByForce = (current: OpenTurn, nowMs: number) => {
    end(current, nowMs, 1);
    const [startMs] = unfinished.values();
    if (startMs !== undefined) turn = open(startMs);
  };
  const judge = (nowMs: number) => {
    if (turn === null || turn.speechEndMs === null || unfinished.size > 0) return;
    const pauseMs = nowMs - turn.speechEndMs;
    const confidence = endConfidence(joinWords(turn.texts), pauseMs);
    const { eager, end: least, timeoutMs } = thresholds();
    if (confidence >= least || pauseMs >= timeoutMs) return end(turn, nowMs, confidence);
    if (eager === null || turn.isEager || confidence < eager) return;
    turn.isEager = true;
    send('EagerEndOfTurn', turn, nowMs, confidence);
  };
  const startSpeech = (segment: number, startMs: number) => {
    unfinished.set(segment, startMs);
    if (turn === null) {
      turn = open(startMs);
      return;
    }
    turn.speechEndMs = null;
    if (turn.isEager) send('TurnResumed', turn, startMs);
    turn.isEager = false;
  };
  /** `ended`: null for a segment that failed or was dropped. */
  const endSegment = (segment: number, ended: SegmentEnd | null, nowMs: number) => {
    unfinished.delete(segment);
    if (turn === null && ended !== null && ended.text !== '') turn = open(ended.startMs);
    if (turn === null) return;
    turn.open = '';
    if (ended !== null) {
      turn.texts.push(ended.text);
      turn.words = [...turn.words, ...ended.words];
    }
    if (unfinished.size === 0) turn.speechEndMs = ended === null ? nowMs : (ended.words.at(-1)?.endMs ?? ended.endMs);
    if (ended?.reason === 'commit' || ended?.reason === 'end') endByForce(turn, nowMs);
    else judge(nowMs);
  };

  return {
    /** So much sound was heard. */
    heard: judge,
    /** Takes an event of the recognition at a time of its sound. */
    take(event: LiveEvent, nowMs: number): void {
      if (event.type === 'speech-start') startSpeech(event.segment, event.startMs);
      else if (event.type === 'segment-end') endSegment(event.segment, event, nowMs);
      else if (event.type === 'segment-failed' || event.type === 'segment-dropped') {
        endSegment(event.segment, null, nowMs);
      } else if (event.type === 'segment-delta' && turn !== null) {
        turn.open = event.text;
        send('Update', turn, nowMs);
      }
    },
    /** Ends the open turn: nothing follows. */
    finish(nowMs: number): void {
      if (turn !== null) end(turn, nowMs, 1);
    },
  };
}
