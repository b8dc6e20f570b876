import type { PhraseEnding } from '@jyutsing/contracts/spoken-text';
import type { Token } from './tokens.ts';

/** The effect of a run of marks on its sentence. `opens`: the run belongs to the text after it. */
type MarkMeaning = { ending: PhraseEnding; endsSentence: boolean; opens: boolean };

/** Whether the token is an emoji, which is silent but makes a pause. */
export const isPicture = ({ kind, text }: Token) => kind === 'silent' && /\p{Extended_Pictographic}/u.test(text);

const OPENING = /[「『（〈《【([{“‘«‹]$/u;

/** The number of UTF-16 units of opening marks at the end of a run of marks. */
export const openingLength = (marks: string) => /[「『（〈《【([{“‘«‹]*$/u.exec(marks)?.[0].length ?? 0;

/**
 * The meaning of a run of marks: the strongest wins, a question before an exclamation. Quotes alone
 * have none (`none`).
 */
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
