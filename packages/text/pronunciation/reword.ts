/** A number in another usual form; `takesNext`: it includes the word after the number (兩公斤半). */
export type NumberWording = { spokenForm: string; takesNext: boolean };

/** Replaces a part of a number in words; each of `to` gives another usual form. */
export type Rewrite = { from: RegExp; to: readonly string[] };

export const rewrite = (from: RegExp, ...to: string[]): Rewrite => ({ from, to });

/** A number has few usual forms; more come from rewriting rewritten ones. */
const MAX_WORDINGS = 30;

/** The forms and all that the rules make of them and of their results, without the first form. */
export function reword(forms: readonly [string, ...string[]], rules: readonly Rewrite[]): string[] {
  const found = new Set<string>(forms);
  // A set is read to its end, also the part that is added on the way.
  for (const form of found) {
    for (const { from, to } of rules) {
      for (const other of to) {
        if (found.size < MAX_WORDINGS && from.test(form)) found.add(form.replace(from, other));
      }
    }
  }
  found.delete(forms[0]);
  return [...found];
}
