import { normalize } from '#text/normalization/normalize.ts';
import { tokenizePiece } from '#text/normalization/tokenize.ts';
import type { PlacedToken, TokenizedPiece } from '#text/normalization/tokens.ts';
import { textToJyutping } from '#text/text-to-jyutping.ts';
import { isInUse } from './cantonese/accepted-readings.ts';
import { givesReadings, romanizedRuns, type Run } from './mixed-text.ts';
import { readJyutping } from './parse-romanized.ts';

const HAN = /\p{Script=Han}/gu;
const SYLLABLE = /[a-z]+[1-6]/giu;
/** "Number two", not a syllable. */
const NUMBERED = /^no\d$/iu;

/**
 * The pieces of a whole Cantonese text, with syllables for the jyutping in it. Toned jyutping in a
 * text is spoken as it is scored (see `romanizedRuns`): syllables that give the readings of the
 * characters before or after them are silent.
 */
export function readWritten(pieces: readonly TokenizedPiece[]): readonly TokenizedPiece[] {
  const plain = pieces.map((piece) => piece.plain).join('');
  const runs = romanizedRuns(plain, { parse: readJyutping, isInUse }).filter(
    ({ start, end }) => !NUMBERED.test(plain.slice(start, end)),
  );
  if (runs.length === 0) return pieces;
  const explained = explanations(runs, plain);
  let at = 0;
  return pieces.map((piece) => {
    const [start, end] = [at, at + piece.plain.length];
    at = end;
    const within = runs.filter((run) => run.start < end && run.end > start);
    const tokens = within.reduce<readonly PlacedToken[]>((others, run) => {
      const spoken = explained.has(run) ? [] : syllableTokens(run, plain);
      const placed = spoken.map((each) => ({ ...each, at: each.at - start }));
      const own = placed.filter((each) => each.at >= 0 && each.at < end - start);
      return withRun(others, own, { start: run.start - start, end: run.end - start });
    }, piece.tokens);
    return { ...piece, tokens };
  });
}

/** The runs that give the readings of the characters before or after them. */
function explanations(runs: readonly Run[], plain: string): ReadonlySet<Run> {
  const before = charactersIn(plain.slice(0, runs[0]?.start));
  const explained = runs.filter((run, index) => {
    const after = charactersIn(plain.slice(run.end, runs[index + 1]?.start));
    const count = run.syllables.length;
    const isExplanation = [before.slice(-count), after.slice(0, count)].some((characters) =>
      givesReadings(
        run.syllables,
        textToJyutping(characters.join('')).map(({ readings }) => readings),
      ),
    );
    before.push(...after);
    return isExplanation;
  });
  return new Set(explained);
}

/** The characters that are spoken, those of numbers too. */
function charactersIn(text: string): string[] {
  const words = normalize(tokenizePiece(text, 'cantonese'), 'cantonese')?.phrases.flatMap((phrase) => phrase.words);
  return (words ?? []).flatMap(({ language, spokenForm }) =>
    language === 'cantonese' ? (spokenForm.match(HAN) ?? []) : [],
  );
}

function syllableTokens({ start, end, syllables }: Run, plain: string): PlacedToken[] {
  return Array.from(plain.slice(start, end).matchAll(SYLLABLE), ({ 0: text, index }, place) => ({
    token: { kind: 'jyutping', text, syllable: syllables[place]?.text ?? text },
    at: start + index,
  }));
}

/** The marks between syllables stay. */
function withRun(
  tokens: readonly PlacedToken[],
  spoken: readonly PlacedToken[],
  { start, end }: Pick<Run, 'start' | 'end'>,
): PlacedToken[] {
  const others = tokens.filter(({ token, at }) => at < start || at >= end || token.kind === 'mark');
  return [...others, ...spoken].sort((one, other) => one.at - other.at);
}
