import { AppError } from '@jyutsing/contracts/errors';
import type { Language } from '@jyutsing/contracts/transcript';
import { piecesOfJyutping } from '@jyutsing/text/normalization/jyutping-input';
import { splitText } from '@jyutsing/text/normalization/split-text';
import type { Script } from './stages.ts';

export { languageOfText } from '@jyutsing/text/language-of-text';

/** One of `text` and `jyutping` is there. */
export type ScriptSource = {
  text: string | null;
  /** Syllables of Cantonese; beside a text, the readings of its characters. */
  jyutping: string | null;
  language: Language;
  /** The text is in Simplified characters, and to be read as Cantonese is written. */
  fromSimplified: boolean;
};

/** Throws `invalid_request` where nothing can be said, or what is to be jyutping is none. */
export function readScript({ text, jyutping, language, fromSimplified }: ScriptSource): Script {
  const parts = jyutping === null ? splitText(text ?? '', language) : piecesOfJyutping(jyutping, text);
  if (parts.length === 0) throw new AppError('invalid_request', 'The text has nothing that can be said.');
  return { language, parts, fromSimplified: fromSimplified && language === 'cantonese' };
}

/** Syllables of a script that was read from jyutping. */
export function countSyllables({ parts }: Script): number {
  let count = 0;
  for (const part of parts) {
    if (!('phrases' in part)) continue;
    for (const { words } of part.phrases) for (const { reading } of words) count += reading.length;
  }
  return count;
}
