import type { LiveEvent } from '@jyutsing/contracts/live-recognition';
import type { Language } from '@jyutsing/contracts/transcript';
import { joinWords, splitIntoUnits } from '@jyutsing/text/join-words';
import { punctuatedWords } from '#http/transcription/punctuated-words.ts';

/** The confidence from which a turn has ended, or probably has (null: not told); longest pause. */
export type TurnThresholds = { eager: number | null; end: number; timeoutMs: number };

export type TurnEvent = 'StartOfTurn' | 'Update' | 'EagerEndOfTurn' | 'TurnResumed' | 'EndOfTurn';

/** Why a turn ended: by itself, by ForceEndTurn or the end of the stream, or by a pause. */
export type TurnTrigger = 'model' | 'manual' | 'timeout';

/** A word with the marks beside it; null: it was not timed yet. */
type TurnWord = { text: string; confidence: number | null; startMs: number | null; endMs: number | null };

export type Turn = {
  event: TurnEvent;
  index: number;
  startMs: number;
  endMs: number;
  text: string;
  words: readonly TurnWord[];
  confidence: number;
  /** The languages of its complete stretches, the most frequent first. */
  languages: readonly Language[];
  /** Events other than EndOfTurn have null. */
  trigger: TurnTrigger | null;
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
  words: TurnWord[];
  languages: Language[];
  isEager: boolean;
};

type TurnEnd = Pick<Turn, 'confidence' | 'trigger'>;

/** Everything that was said in a turn until now. */
function shownOf({ startMs, texts, open, words, languages }: OpenTurn) {
  return {
    startMs,
    text: joinWords([...texts, open]),
    words: [...words, ...untimedWords(open)],
    languages: byFrequency(languages),
  };
}

/**
 * Joins stretches of speech to turns, by the pause after them and by what was said. `emit` is
 * called with the events in the order of Deepgram's Flux.
 */
export function createTurns(thresholds: () => TurnThresholds, emit: (turn: Turn) => void) {
  let index = 0;
  let turn: OpenTurn | null = null;
  /** The start times of segments whose text is to come; no turn ends by a pause before that. */
  const unfinished = new Map<number, number>();

  const send = (event: TurnEvent, current: OpenTurn, endMs: number, end: Partial<TurnEnd> = {}) => {
    emit({ event, index, endMs, confidence: 0, trigger: null, ...end, ...shownOf(current) });
  };
  const open = (startMs: number): OpenTurn => {
    const opened = { startMs, speechEndMs: null, texts: [], open: '', words: [], languages: [], isEager: false };
    send('StartOfTurn', opened, startMs);
    return opened;
  };
  const end = (current: OpenTurn, nowMs: number, confidence: number, trigger: TurnTrigger) => {
    send('EndOfTurn', current, nowMs, { confidence, trigger });
    index += 1;
    turn = null;
  };
  /** Speech that began before the forced end of a turn is the next turn. */
  const endByForce = (current: OpenTurn, nowMs: number) => {
    end(current, nowMs, 1, 'manual');
    const [startMs] = unfinished.values();
    if (startMs !== undefined) turn = open(startMs);
  };
  const judge = (nowMs: number) => {
    if (turn === null || turn.speechEndMs === null || unfinished.size > 0) return;
    const pauseMs = nowMs - turn.speechEndMs;
    const confidence = endConfidence(joinWords(turn.texts), pauseMs);
    const { eager, end: least, timeoutMs } = thresholds();
    if (confidence >= least) return end(turn, nowMs, confidence, 'model');
    if (pauseMs >= timeoutMs) return end(turn, nowMs, confidence, 'timeout');
    if (eager === null || turn.isEager || confidence < eager) return;
    turn.isEager = true;
    send('EagerEndOfTurn', turn, nowMs, { confidence });
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
      turn.words.push(...timedWords(ended));
      turn.languages.push(ended.language);
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
      if (turn !== null) end(turn, nowMs, 1, 'manual');
    },
  };
}

function timedWords({ text, words, startMs, endMs }: SegmentEnd): TurnWord[] {
  const whole = { text, reading: null, startMs, endMs, confidence: null };
  const timed = words.length > 0 ? words : splitIntoUnits(whole);
  const texts = punctuatedWords(
    text,
    timed.map((word) => word.text),
  );
  return timed.map((word, at) => ({ ...word, text: texts[at] ?? word.text }));
}

/** The words of a text that is still recognized. */
function untimedWords(text: string): TurnWord[] {
  const units = splitIntoUnits({ text, reading: null, startMs: 0, endMs: 0, confidence: null });
  const texts = units.map((unit) => unit.text);
  return punctuatedWords(text, texts).map((word) => ({ text: word, confidence: null, startMs: null, endMs: null }));
}

function byFrequency(languages: readonly Language[]): Language[] {
  const countOf = (language: Language) => languages.filter((one) => one === language).length;
  return [...new Set(languages)].sort((one, other) => countOf(other) - countOf(one));
}
