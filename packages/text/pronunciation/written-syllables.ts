import { normalize } from '#text/normalization/normalize.ts';
import { tokenizePiece } from '#text/normalization/tokenize.ts';
import type { PlacedToken, TokenizedPiece } from '#text/normalization/tokens.ts';
import { blank, givesReadings, isLikeSyllables, romanizedRuns, type Romanization, type Run } from './mixed-text.ts';
import type { WrittenSyllable } from './parse-romanized.ts';

const HAN = /\p{Script=Han}/gu;
/** Matches an abbreviation of "number two", which is no syllable. */
const NUMBERED = /^no\d$/iu;
/** A name before its model: iPhone se2 has no syllable. */
const MODEL_OF = /\p{Script=Latin}{2,} $/u;
/** Particles, which also stand after a Latin word: OK laa1. No model is named like one. */
const PARTICLE = /^(?:l(?:aa?k?|ok?|e|u)|g?aa?k?|g(?:e|waa)|z(?:aa|e)|[wb]o|maa|me|ne|tim|ho|sin)[1-6]$/;
/** A further word after a syllable: "what hou2 means". */
const NEXT_WORD = /^ ?\p{Script=Latin}/u;
/** A sign that is neither a mark nor a letter: text with it is part of a word, but no syllable. */
const NO_SYLLABLE = '|';

/** The romanization of a language, and the way in which its syllables are spoken within a text. */
export type SpokenRomanization = Romanization & {
  language: 'cantonese' | 'mandarin';
  /**
   * Words that are taken for names with a number when they stand among other words; null for a
   * language without such words.
   */
  name: RegExp | null;
  /** Matches one word of a run. */
  word: RegExp;
  /** True if every syllable is a word, even where several are written together. */
  isWordEach: boolean;
  /** The syllables of a run as they are spoken, one for each. */
  speak(syllables: readonly WrittenSyllable[]): readonly string[];
  /** The readings of every one of the characters. */
  readingsOf(characters: string): readonly (readonly string[])[];
};

/**
 * The pieces of a whole text, with syllables for the jyutping or pinyin in it. Toned syllables in a
 * text are spoken as they are scored (see `romanizedRuns`): those that give the readings of the
 * characters before or after them are silent.
 */
export function readWritten(
  pieces: readonly TokenizedPiece[],
  romanization: SpokenRomanization,
): readonly TokenizedPiece[] {
  const plain = pieces.map(withoutGiven).join('');
  const runs = runsOf(plain, pieces, romanization);
  if (runs.length === 0) return pieces;
  const explained = explanations(runs, plain, romanization);
  const spoken = new Map(
    runs.map((run) => [run, explained.has(run) ? [] : syllableTokens(run, plain, romanization)] as const),
  );
  let at = 0;
  return pieces.map((piece) => {
    const [start, end] = [at, at + piece.plain.length];
    at = end;
    const within = runs.filter((run) => run.start < end && run.end > start);
    const tokens = within.reduce<readonly PlacedToken[]>((merged, run) => {
      const runTokens = (spoken.get(run) ?? []).filter((token) => token.at >= start && token.at < end);
      const placed = runTokens.map((token) => ({ ...token, at: token.at - start }));
      return withRun(merged, placed, { start: run.start - start, end: run.end - start });
    }, piece.tokens);
    return { ...piece, tokens };
  });
}

/** The plain text of a piece without the words whose spoken form is given. */
function withoutGiven({ plain, tokens }: TokenizedPiece): string {
  return tokens.reduce(
    (text, { token, at }) =>
      token.kind === 'given' ? blank(text, { start: at, end: at + token.text.length }, NO_SYLLABLE) : text,
    plain,
  );
}

/** The tokens of all pieces, with positions in the whole text. */
function tokensOf(pieces: readonly TokenizedPiece[]): PlacedToken[] {
  let start = 0;
  return pieces.flatMap(({ plain, tokens }) => {
    const placed = tokens.map(({ token, at }) => ({ token, at: start + at }));
    start += plain.length;
    return placed;
  });
}

function runsOf(plain: string, pieces: readonly TokenizedPiece[], romanization: SpokenRomanization): readonly Run[] {
  // A text of nothing else is surely romanized; among other words xièxie may be French.
  const whole = isLikeSyllables(plain) && !NUMBERED.test(plain) ? romanization.parse(plain) : null;
  if (whole !== null && (whole.length > 1 || romanization.isInUse(whole[0]!.text))) {
    return [{ start: 0, end: plain.length, syllables: whole }];
  }
  const runsIn = (text: string) =>
    romanizedRuns(text, romanization).filter(({ start, end, syllables }) => {
      const written = text.slice(start, end);
      const isModel =
        syllables.length === 1 &&
        !PARTICLE.test(written) &&
        MODEL_OF.test(text.slice(0, start)) &&
        !NEXT_WORD.test(text.slice(end));
      return !NUMBERED.test(written) && romanization.name?.test(written) !== true && !isModel;
    });
  const runs = runsIn(plain);
  if (runs.length === 0) return runs;
  const within = tokensWithin(tokensOf(pieces));
  const edges = runs.flatMap(({ start, end }) => [start, end]);
  const larger = new Set(edges.flatMap((edge) => within.get(edge) ?? []));
  if (larger.size === 0) return runs;
  const withoutLarger = [...larger].reduce(
    (text, { token, at }) => blank(text, { start: at, end: at + token.text.length }, NO_SYLLABLE),
    plain,
  );
  const remaining = runsIn(withoutLarger);
  return remaining.filter(({ start, end }) => !within.has(start) && !within.has(end));
}

/**
 * The token around each position inside a token. A run that begins or ends there is part of another
 * word: wang2@qq.com, Wan2.1.
 */
function tokensWithin(tokens: readonly PlacedToken[]): ReadonlyMap<number, PlacedToken> {
  const within = new Map<number, PlacedToken>();
  for (const placed of tokens) {
    for (let next = 1; next < placed.token.text.length; next += 1) within.set(placed.at + next, placed);
  }
  return within;
}

/** The runs that give the readings of the characters before or after them. */
function explanations(
  runs: readonly Run[],
  plain: string,
  { language, readingsOf }: SpokenRomanization,
): ReadonlySet<Run> {
  const before = charactersIn(plain.slice(0, runs[0]?.start), language);
  const explained = runs.filter((run, index) => {
    const after = charactersIn(plain.slice(run.end, runs[index + 1]?.start), language);
    const count = run.syllables.length;
    const isExplanation = [before.slice(-count), after.slice(0, count)].some((characters) =>
      givesReadings(run.syllables, readingsOf(characters.join(''))),
    );
    before.push(...after);
    return isExplanation;
  });
  return new Set(explained);
}

/** The spoken characters of a text, including those of its numbers. */
function charactersIn(text: string, language: SpokenRomanization['language']): string[] {
  const words = normalize(tokenizePiece(text, language), language)?.phrases.flatMap((phrase) => phrase.words);
  return (words ?? []).flatMap((word) => (word.language === language ? (word.spokenForm.match(HAN) ?? []) : []));
}

function syllableTokens(
  { start, end, syllables }: Run,
  plain: string,
  { word, isWordEach, speak }: SpokenRomanization,
): PlacedToken[] {
  const spoken = speak(syllables);
  const isSameWord = (index: number) => !isWordEach && syllables[index]?.isJoined === true;
  let next = 0;
  return Array.from(plain.slice(start, end).matchAll(word), ({ 0: text, index }) => {
    const first = next++;
    while (isSameWord(next)) next += 1;
    return { token: { kind: 'syllables', text, syllables: spoken.slice(first, next) }, at: start + index };
  });
}

/**
 * Puts the syllables of a run in place of the tokens of its text. Marks between the syllables stay,
 * marks inside a syllable (nu:3) do not.
 */
function withRun(
  tokens: readonly PlacedToken[],
  spoken: readonly PlacedToken[],
  { start, end }: Pick<Run, 'start' | 'end'>,
): PlacedToken[] {
  const within = tokensWithin(spoken);
  const isReplaced = ({ token, at }: PlacedToken) =>
    at >= start && at < end && (token.kind !== 'mark' || within.has(at));
  const style = tokens.find(isReplaced)?.style;
  const styled = style === undefined ? spoken : spoken.map((placed) => ({ ...placed, style }));
  return [...tokens.filter((placed) => !isReplaced(placed)), ...styled].sort((one, other) => one.at - other.at);
}
