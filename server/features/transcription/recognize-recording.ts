import type { RecognizedSyllable, Segment } from '@jyutsing/contracts/transcript';
import type { TranscriptionEvent } from '@jyutsing/contracts/transcription';
import type { DecodedEnd } from '@jyutsing/audio/decode';
import { withLookahead, type LookaheadAudio } from '@jyutsing/audio/lookahead';
import { createReadableWriter, type WritingStyle } from '@jyutsing/text/readable';
import { chooseRecognizer } from './choose-recognizer.ts';
import { secondsSince } from './credits.ts';
import { decode, diarize, romanize } from './later-passes.ts';
import { withHotWords } from './hot-words.ts';
import { createAnswers, recognizeWithOthers } from './recognize-with-others.ts';
import type { BestSyllable, Recognition, RecognitionContext, TranscriptionCall } from './recognition.ts';

/**
 * Recognizes one file, then finds its syllables (unless the recognizer gave them) and its speakers
 * where they are wanted. Yields segments as they will be in the result, each when the next one is
 * recognized. Throws AppError; an aborted signal throws its reason.
 */
export async function* recognizeRecording(
  call: TranscriptionCall,
  context: RecognitionContext,
  signal: AbortSignal,
): AsyncGenerator<TranscriptionEvent, Recognition> {
  const { options } = call;
  const { corrections } = context;
  using ending = new DisposableStack();
  ending.defer(() => corrections?.close());
  const startedMs = performance.now();
  const segments: Segment[] = [];
  const syllables: BestSyllable[][] = [];
  const addSyllables = async (ofSegment: RecognizedSyllable[]) => {
    const segment = segments[syllables.length];
    syllables.push(ofSegment.flatMap(bestOf));
    if (segment !== undefined) await corrections?.send({ segment, syllables: ofSegment });
  };
  yield { type: 'progress', stage: 'recognition', processedMs: 0 };
  await using audio = withLookahead(decode(call, context, signal));
  const { language, usedLanguage, refs } = await chooseRecognizer(call, context, audio, signal);
  const writer = createReadableWriter(language, styleOf(options));
  const request = {
    language: usedLanguage,
    context: withHotWords(options.context, call.hotWords ?? []),
    romanize: corrections !== null,
  };
  const answers = createAnswers();
  let toldGapMs = 0;
  for await (const event of recognizeWithOthers(refs, context.open, audio.take(), request, signal)) {
    if (audio.gapMs() > toldGapMs) {
      toldGapMs = audio.gapMs();
      yield { type: 'gaps', totalMs: toldGapMs };
    }
    if (event.type === 'progress' || event.type === 'recognizer') {
      yield event;
      continue;
    }
    answers.add(event);
    if (event.type === 'model-failed') continue;
    segments.push(event.segment);
    const written = writer.add(event.segment);
    if (written !== null) yield { type: 'segment-end', segment: written, syllables: null };
    // Those behind a segment that lacks them would be taken for its syllables.
    const isComplete = syllables.length === segments.length - 1;
    if (event.syllables !== null && isComplete) await addSyllables(event.syllables);
  }
  const durationMs = await readToEnd(audio, signal);
  const last = writer.end();
  if (last !== null) yield { type: 'segment-end', segment: last, syllables: null };
  const unromanized = segments.slice(syllables.length);
  if (corrections !== null && unromanized.length > 0 && usedLanguage === 'cantonese') {
    for await (const ofSegment of romanize(call, context, unromanized, signal)) await addSyllables(ofSegment);
  }
  const speakers = options.withDiarization ? yield* diarize(call, context, signal) : { turns: null };
  const transcriptionSeconds = secondsSince(startedMs);
  const measured = { durationMs, ...(audio.gapMs() > 0 ? { soundMs: durationMs - audio.gapMs() } : {}) };
  const recognized = { language, ...answers.sum(refs[0]!.model), segments, syllables, transcriptionSeconds };
  return { ...recognized, ...measured, ...notesOf(audio.end()), ...speakers };
}

/** Returns what a person should know about a recording that was read to its end. */
function notesOf(end: DecodedEnd | null): Pick<Recognition, 'notice' | 'tracks'> {
  return {
    ...(end?.isCutOff === true ? { notice: 'cut_off' as const } : {}),
    ...(end !== null && end.tracks.length > 1 ? { tracks: end.tracks } : {}),
  };
}

/**
 * Returns the measured duration. An engine may stop before the end; the duration, and whether the
 * file is whole, are known only there.
 */
async function readToEnd(audio: LookaheadAudio, signal: AbortSignal): Promise<number> {
  for await (const chunk of audio.take()) {
    void chunk;
    signal.throwIfAborted();
  }
  return audio.durationMs();
}

/** The style in which the options of a request want a text to be written. */
export function styleOf({ withPunctuation, numerals, everydaySpelling }: TranscriptionCall['options']): WritingStyle {
  return {
    punctuation: withPunctuation !== false,
    numerals: numerals !== false,
    everydaySpelling: everydaySpelling === true,
  };
}

function bestOf({ startMs, endMs, alternatives }: RecognizedSyllable): BestSyllable[] {
  const [best] = alternatives;
  return best === undefined ? [] : [{ startMs, endMs, reading: best.reading }];
}
