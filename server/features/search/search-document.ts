import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { Segment, Word } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import { textToJyutping, type CharacterReading } from '@jyutsing/text/readings/text-to-jyutping';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import type { FoundSegment, SearchDocument } from '#store/repositories/transcript-search.ts';
import { shownTranscript } from '#features/transcription/shown-transcript.ts';
import { searchWords, type SearchWord } from './search-words.ts';

/** Segments after which the event loop may run. */
const PER_TURN = 8;

/** The searched form of a transcript as people see it, corrections included. */
export async function searchDocumentOf(record: CompletedTranscription): Promise<SearchDocument> {
  const { segments, names } = shownTranscript(record, { text: 'final', version: 'edited' });
  const [text, syllables, jyutping]: [string[], string[], string[]] = [[], [], []];
  const found: FoundSegment[] = [];
  for (const [index, segment] of segments.entries()) {
    if (index % PER_TURN === 0) await yieldToEventLoop();
    const words = searchWords(segment.text);
    if (words.length === 0) continue;
    const readings = record.result.language === 'english' ? words.map(({ word }) => word) : readingsOf(segment, words);
    text.push(words.map(({ word }) => word).join(' '));
    jyutping.push(readings.join(' '));
    syllables.push(readings.map(withoutTone).join(' '));
    const { startMs, endMs, speaker } = segment;
    found.push({
      text: segment.text,
      startMs,
      endMs,
      speaker: speaker === null ? null : (names.get(speaker) ?? speaker),
    });
  }
  return {
    title: searchWords(record.title ?? '')
      .map(({ word }) => word)
      .join(' '),
    text: text.join('\n'),
    syllables: syllables.join('\n'),
    jyutping: jyutping.join('\n'),
    segments: found,
  };
}

const withoutTone = (syllable: string) => (isSyllable(syllable) ? syllable.slice(0, -1) : syllable);

/**
 * One reading for every word. A character has the recognized one if the dictionary knows it,
 * otherwise the one of the dictionary in this context; other words are their own.
 */
function readingsOf({ text, words: units }: Segment, words: readonly SearchWord[]): string[] {
  const byPosition = new Map<number, CharacterReading>();
  let at = 0;
  for (const reading of textToJyutping(text)) {
    byPosition.set(at, reading);
    at += reading.char.length;
  }
  const recognizedAt = heardReadings(text, units);
  return words.map(({ word, start, isHan }) => {
    if (!isHan) return word;
    const reading = byPosition.get(start);
    const recognized = recognizedAt.get(start);
    if (recognized !== undefined && reading?.readings.includes(recognized) !== false) return recognized;
    return reading?.jyutping ?? recognized ?? word;
  });
}

/** The recognized syllables by the position of their character. */
function heardReadings(text: string, units: readonly Word[]): Map<number, string> {
  const recognizedAt = new Map<number, string>();
  let at = 0;
  for (const { text: written, reading } of units) {
    const found = written === '' ? -1 : text.indexOf(written, at);
    if (found < 0) continue;
    if (reading !== null && isSyllable(reading)) recognizedAt.set(found, reading);
    at = found + written.length;
  }
  return recognizedAt;
}
