import { z } from 'zod';
import { isSpaceBetween } from '@jyutsing/text/join-words';

const seconds = z.number().min(0);
const Sentence = z.object({ text: z.string(), start: seconds, end: seconds });
const Paragraph = z.object({
  sentences: z.array(Sentence),
  num_words: z.int().min(1),
  start: seconds,
  end: seconds,
  speaker: z.int().min(0).optional().describe('With `diarize`.'),
});
export const ParagraphsView = z.object({
  transcript: z.string().describe('Paragraphs after empty lines; with `diarize` each begins with its speaker.'),
  paragraphs: z.array(Paragraph),
});

type MarkedWord = { word: string; punctuated_word: string; start: number; end: number; speaker?: number | undefined };

const ENDS_SENTENCE = /[。！？.!?…][」』”’"')）]*$/u;
/** After a sentence a paragraph ends at a pause of so many seconds, or when it is long. */
const PARAGRAPH_PAUSE_SECONDS = 1.5;
const MAX_SENTENCES = 5;

/** Sentences and paragraphs of words with their marks, times in seconds. */
export function viewParagraphs(words: readonly MarkedWord[]): z.output<typeof ParagraphsView> {
  const groups = splitAt(splitAt(words, endsSentence), endsParagraph);
  const texts = groups.map((sentences) => {
    const speaker = sentences[0]?.[0]?.speaker;
    const text = joinMarked(sentences.flat());
    return speaker === undefined ? text : `\nSpeaker ${String(speaker)}: ${text}`;
  });
  return { transcript: texts.join('\n\n'), paragraphs: groups.map(viewParagraph) };
}

function viewParagraph(sentences: readonly (readonly MarkedWord[])[]): z.output<typeof Paragraph> {
  const words = sentences.flat();
  const speaker = words[0]?.speaker;
  return {
    sentences: sentences.map((sentence) => ({
      text: joinMarked(sentence),
      ...timesOf(sentence),
    })),
    num_words: words.length,
    ...timesOf(words),
    ...(speaker === undefined ? {} : { speaker }),
  };
}

/** Marks do not change whether a space separates two words. */
function joinMarked(words: readonly MarkedWord[]): string {
  return words
    .map(({ word, punctuated_word: marked }, index) => {
      const before = words[index - 1];
      return before !== undefined && isSpaceBetween(before.word, word) ? ` ${marked}` : marked;
    })
    .join('');
}

function timesOf(words: readonly MarkedWord[]) {
  return { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0 };
}

function endsSentence(words: readonly MarkedWord[], next: MarkedWord): boolean {
  const last = words.at(-1);
  return last !== undefined && (last.speaker !== next.speaker || ENDS_SENTENCE.test(last.punctuated_word));
}

function endsParagraph(sentences: readonly (readonly MarkedWord[])[], next: readonly MarkedWord[]): boolean {
  const last = sentences.at(-1)?.at(-1);
  const [first] = next;
  if (last === undefined || first === undefined) return false;
  const isOtherSpeaker = last.speaker !== first.speaker;
  return isOtherSpeaker || sentences.length >= MAX_SENTENCES || first.start - last.end >= PARAGRAPH_PAUSE_SECONDS;
}

/** Groups of neighbours; `isEnd`: the group is complete before `next`. */
function splitAt<Item>(items: readonly Item[], isEnd: (group: readonly Item[], next: Item) => boolean): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group === undefined || isEnd(group, item)) groups.push([item]);
    else group.push(item);
  }
  return groups;
}
