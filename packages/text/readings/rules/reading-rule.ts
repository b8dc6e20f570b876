/**
 * A pattern that matches one character (its context in look-arounds), and the syllable of that
 * character.
 */
export type ReadingRule = {
  pattern: RegExp;
  syllable: string;
  /** The characters that the pattern may match. */
  characters: string;
};

/** A look-around without parentheses in it. */
const INNERMOST_GROUP = /\((\?[<:=!]{1,2})?(?:\\.|\[(?:\\.|[^\]])*\]|[^()\\[])*\)/gu;
const LOOK_AROUND = /^\(\?<?[=!]/u;

export function rule(pattern: RegExp, syllable: string): ReadingRule {
  return { pattern, syllable, characters: matchedCharacters(pattern.source) };
}

/** Removes the look-arounds from a pattern, from the inside out. */
function matchedCharacters(source: string): string {
  const within: string[] = [];
  let rest = source;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(INNERMOST_GROUP, (group) => (LOOK_AROUND.test(group) ? '' : `\\${within.push(group)};`));
  }
  return rest.replaceAll(/[[\]]/gu, '');
}
