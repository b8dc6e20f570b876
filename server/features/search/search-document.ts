import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import type { Segment } from '@jyutsing/contracts/transcript';
import type { CompletedTranscription } from '@jyutsing/contracts/transcription';
import { isSyllable } from '@jyutsing/text/syllables/jyutping';
import type { FoundSegment, SearchDocument } from '#store/repositories/transcript-search.ts';
import { jyutpingByPosition } from '#features/transcription/character-readings.ts';
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

/** One reading for every word: of a character its jyutping, other words are their own. */
function readingsOf(segment: Segment, words: readonly SearchWord[]): string[] {
  const readings = jyutpingByPosition(segment);
  return words.map(({ word, start, isHan }) => (isHan ? (readings.get(start) ?? word) : word));
}
