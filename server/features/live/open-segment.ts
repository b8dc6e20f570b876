import { AppError, serializeError } from '@jyutsing/contracts/errors';
import type { SpeakerTurn } from '@jyutsing/contracts/diarizer';
import type { LiveEvent, LiveOptions, LivePart, SegmentEndReason } from '@jyutsing/contracts/live-recognition';
import { RECOGNIZER_SAMPLE_RATE_HZ, type SpeechFollower } from '@jyutsing/contracts/recognizer';
import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { raceAbort } from '@jyutsing/concurrency/race-abort';
import type { SpeechSegment } from '@jyutsing/audio/speech/segmenter';
import { joinWords } from '@jyutsing/text/join-words';
import { createReadableWriter } from '@jyutsing/text/readable';
import { assignSpeakers } from '#features/transcription/speakers.ts';
import type { LiveContext } from './live-context.ts';
import { correctPiece } from './correct-piece.ts';
import { followPiece, joinPieces, skipNoise, type RecognizedPiece } from './follow-piece.ts';
import { createSegmentLanguage } from './segment-language.ts';
import { createStablePrefix } from './stable-prefix.ts';
import { createUpdatePace } from './update-pace.ts';

/** Complete pieces come before updates that are late when there is too much work. */
const COMPLETE_DUE_IN_MS = -2_000;

/** A segment from its beginning until its result. */
export type OpenSegment = {
  readonly segment: number;
  /** Whether its beginning was reported. */
  readonly isSpoken: boolean;
  /**
   * Recognizes what `takeSpeech` gives when it is its turn; null where that shows nothing new.
   * Throws AppError.
   */
  update(takeSpeech: () => SpeechSegment | null): Promise<LiveEvent | null>;
  /** New sound after which an update is useful. */
  updateEveryMs(): number;
  /** Gives up an update that runs: its piece is complete. */
  stopUpdate(): void;
  /** Recognizes a complete piece. A failure shows in the result. */
  finishPiece(speech: SpeechSegment): Promise<void>;
  /**
   * Cuts it by the turns of speakers, if any. Waits for corrections; aborted, it throws the reason
   * of the signal.
   */
  result(endMs: number, reason: SegmentEndReason, turns: readonly SpeakerTurn[] | null): Promise<LiveEvent>;
  language(): Language;
  drop(): void;
  isDropped(): boolean;
};

type OpenSegmentOptions = {
  segment: number;
  startMs: number;
  isSpoken: boolean;
  options: LiveOptions;
  /** The language of the segment before; null for the first. */
  assumedLanguage: Language | null;
};

export function createOpenSegment(
  { segment, startMs, isSpoken, options, assumedLanguage }: OpenSegmentOptions,
  { open, inTurn, isSpeech, correct }: Pick<LiveContext, 'open' | 'inTurn' | 'isSpeech' | 'correct'>,
  signal: AbortSignal,
): OpenSegment {
  const { models, context: hint } = options;
  const language = createSegmentLanguage(models, assumedLanguage, open, signal);
  const pieces: Promise<RecognizedPiece>[] = [];
  /** Stable text of the complete pieces, which their final texts may contradict. */
  let stableBefore = '';
  let prefix = createStablePrefix(options.delayMs);
  let shown = { stableText: '', text: '' };
  let failure: unknown = null;
  let updating = new AbortController();
  const pace = createUpdatePace();
  let dropped = false;

  /**
   * The follower of the open piece, with the language that it assumes; null before its first
   * recognition.
   */
  let follower: { of: SpeechFollower; language: Language } | null = null;

  const openRecognizer = (spoken: Language) => openFor(spoken, models, open);
  const recognize = async (speech: SpeechSegment, isWhole: boolean): Promise<Segment | null> => {
    const spoken = await language.identify(speech, isWhole);
    if (follower?.language !== spoken) {
      const recognizer = await openRecognizer(spoken);
      const of = skipNoise(await followPiece(recognizer, { language: spoken, context: hint }), isSpeech);
      follower = { of, language: spoken };
    }
    const { update, finish } = follower.of;
    const stop = isWhole ? signal : AbortSignal.any([signal, updating.signal]);
    return (isWhole ? finish : update)(speech.samples, stop);
  };
  return {
    segment,
    isSpoken,
    async update(takeSpeech) {
      const { concurrency } = await openRecognizer(language.current());
      const tookMs = startStopwatch();
      const recognized = await inTurn({ concurrency, dueInMs: pace.dueInMs() }, async () => {
        const speech = takeSpeech();
        if (speech === null) return null;
        const soundMs = (speech.samples.length * 1_000) / RECOGNIZER_SAMPLE_RATE_HZ;
        const piece = await recognize(speech, false).finally(() => pace.recognized(soundMs, tookMs()));
        return { text: piece?.text ?? '', soundMs };
      });
      if (recognized === null) return null;
      const { stable, text } = prefix.update(recognized.text, recognized.soundMs);
      if (stable !== '') pace.shown();
      const next = { stableText: joinWords([stableBefore, stable]), text: joinWords([stableBefore, text]) };
      if (dropped || (next.stableText === shown.stableText && next.text === shown.text)) return null;
      shown = next;
      return { type: 'segment-delta', segment, ...next, language: language.current() };
    },
    updateEveryMs: pace.everyMs,
    stopUpdate() {
      // No client left: the reason is never shown.
      updating.abort(new AppError('client_closed_request'));
      updating = new AbortController();
    },
    async finishPiece(speech) {
      if (dropped || failure !== null) return;
      try {
        const { concurrency } = await openRecognizer(language.current());
        const piece = await inTurn({ concurrency, dueInMs: COMPLETE_DUE_IN_MS }, () => recognize(speech, true));
        stableBefore = joinWords([stableBefore, prefix.finish(piece?.text ?? '')]);
        prefix = createStablePrefix(options.delayMs);
        follower = null;
        const pieceOptions = { ...options, language: language.current() };
        // The correction is not awaited, so that the next piece is recognized meanwhile.
        if (piece !== null && piece.text !== '') pieces.push(correctPiece(piece, speech, pieceOptions, correct));
      } catch (thrown) {
        signal.throwIfAborted();
        failure = thrown;
      }
    },
    async result(endMs, reason, turns) {
      if (failure !== null) return { type: 'segment-failed', segment, error: serializeError(failure) };
      const all = joinPieces(await raceAbort(Promise.all(pieces), signal)) ?? emptyPiece(startMs, endMs);
      const written = writePiece(all, language.current(), options, { reason, turns });
      return { type: 'segment-end', segment, reason, ...written };
    },
    language: () => language.current(),
    drop: () => void (dropped = true),
    isDropped: () => dropped,
  };
}

function emptyPiece(startMs: number, endMs: number): RecognizedPiece {
  return { text: '', startMs, endMs, words: [], confidence: null };
}

/** Cuts a text by speakers; no parts without a text, or where speakers are not told apart. */
function partsOf(written: RecognizedPiece, turns: readonly SpeakerTurn[] | null): { parts?: LivePart[] } {
  if (turns === null || written.text === '') return {};
  const { text, words, startMs, endMs, confidence } = written;
  const whole = { text, startMs, endMs, confidence, words: [...words], speaker: null };
  const parts = assignSpeakers([whole], turns).map((part) => {
    return {
      text: part.text,
      startMs: part.startMs,
      endMs: part.endMs,
      words: part.words,
      speaker: Number(part.speaker),
    };
  });
  return { parts };
}

/** A segment that reached its limit goes on in the next one. */
function writePiece(
  piece: RecognizedPiece,
  language: Language,
  options: LiveOptions,
  { reason, turns }: { reason: SegmentEndReason; turns: readonly SpeakerTurn[] | null },
) {
  const writer = createReadableWriter(language, {
    punctuation: true,
    numerals: options.numerals !== false,
    everydaySpelling: options.everydaySpelling === true,
  });
  writer.add({ ...piece, words: [...piece.words], speaker: null });
  const { text = piece.text, words = piece.words } = writer.end(reason === 'limit' ? 0 : Infinity) ?? {};
  const written = { ...piece, text, words };
  return { ...written, language, ...partsOf(written, turns) };
}

/** Returns a function that gives the milliseconds since. */
function startStopwatch(): () => number {
  const startedMs = performance.now();
  return () => performance.now() - startedMs;
}

async function openFor(language: Language, { recognizers }: LiveOptions['models'], open: LiveContext['open']) {
  const ref = recognizers[language];
  if (ref === undefined) throw new AppError('engine_unavailable');
  return open(ref);
}
