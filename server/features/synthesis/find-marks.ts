import type { SpokenTime } from '@jyutsing/contracts/synthesizer';
import type { Mark, SpeechPart, StreamEvent } from './speech.ts';

/** Tells the times of marks by the words after them. */
export type MarkFinder = {
  /** Yields the marks before a word of the text; call it for each word in order. */
  before(word: SpokenTime): Generator<StreamEvent>;
  /** Yields the marks after the last word. */
  rest(endMs: number): Generator<StreamEvent>;
};

export function createMarkFinder(parts: readonly SpeechPart[], marks: readonly Mark[]): MarkFinder {
  const starts: number[] = [];
  let text = '';
  for (const part of parts) {
    starts.push(text.length);
    text += 'text' in part ? part.text : part.spokenForm;
  }
  const waiting = marks.map(({ name, part, at }) => ({ name, at: (starts[part] ?? 0) + at }));
  let from = 0;
  return {
    *before({ text: word, startMs }) {
      if (waiting.length === 0) return;
      const found = text.indexOf(word, from);
      // The written form of a word may differ from the text, such as after a conversion of the
      // script.
      const at = found < 0 ? from : found;
      from = at + word.length;
      while (waiting.length > 0 && waiting[0]!.at <= at)
        yield { type: 'mark', name: waiting.shift()!.name, atMs: startMs };
    },
    *rest(endMs) {
      for (const { name } of waiting.splice(0)) yield { type: 'mark', name, atMs: endMs };
    },
  };
}
