import { join } from 'node:path';
import { foldOf, linesOf } from '../language-model/corpora.ts';

/** One sentence in four is held out of the model, and is what `npm run eval -- text` measures. */
const HELD_OUT = 4;

/** The sentences of Common Voice and HKCanCor as they are written, without spaces between words. */
export function readSentences(folder: string): { text: string; isHeldOut: boolean }[] {
  const conversation = linesOf(join(folder, 'hkcancor.tsv')).slice(1);
  const texts = [
    ...linesOf(join(folder, 'commonvoice-yue.txt')),
    ...conversation.map((line) => (line.split('\t')[0] ?? '').replaceAll(' ', '')),
  ];
  return texts.map((text) => ({ text, isHeldOut: foldOf(text) % HELD_OUT === 0 }));
}
