import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import type { Token } from './tokens.ts';

/** What a run of marks does to the sentence around it. `opens`: it belongs to what follows. */
export type MarkMeaning = { ending: PhraseEnding; endsSentence: boolean; opens: boolean };

/** An emoji: not said, but nobody speaks on through it. */
export const isPicture = ({ kind, text }: Token) => kind === 'silent' && /\p{Extended_Pictographic}/u.test(text);

const OPENING = /[「『（〈《【([{“‘«‹]$/u;

/** How many UTF-16 units at the end of a run of marks open something. */
export const openingLength = (marks: string) => /[「『（〈《【([{“‘«‹]*$/u.exec(marks)?.[0].length ?? 0;

/** What marks in a row mean together: the strongest wins, a question before an exclamation. Quotes alone mean nothing (`none`). */
export function meaningOfMarks(marks: string): MarkMeaning {
  const opens = OPENING.test(marks);
  if (/[?？﹖]/u.test(marks)) return { ending: 'question', endsSentence: true, opens };
  if (/[!！]/u.test(marks)) return { ending: 'exclamation', endsSentence: true, opens };
  if (/…|‥|⋯|\.{3,}|。{2,}/u.test(marks)) return { ending: 'ellipsis', endsSentence: false, opens };
  if (/[。.｡﹒]/u.test(marks)) return { ending: 'statement', endsSentence: true, opens };
  if (/[，,、；;：:—()（）[\]{}【】､﹐﹑|~～–→←↔➜➡⇒►▶-]/u.test(marks))
    return { ending: 'comma', endsSentence: false, opens };
  return { ending: 'none', endsSentence: false, opens };
}
