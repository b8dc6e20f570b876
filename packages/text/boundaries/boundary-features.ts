/**
 * The units by which clause boundaries are found: classes of words, endings of words, or
 * characters.
 */
export type BoundaryReading = 'word classes' | 'word endings' | 'characters';

/** Closed word classes of English, which determine what can follow. */
const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    discourse: "well okay ok right now anyway yes no oh yeah hello hey hi thanks thank please sorry look let's",
    subject: 'i he she we they',
    object: 'me him us them himself herself itself myself yourself themselves',
    coordinator: 'and or but nor',
    subordinator: 'because if while since although though unless whether so then',
    question: 'what why how where when who which',
    determiner: 'the a an this that these those my your his her its our their some any no every each another',
    pronoun: 'you it there everybody everyone nobody somebody nothing something',
    preposition:
      'of in on at for from with by into about over under through after before between against off up down out round around across than as like without until behind beside during per to',
    auxiliary:
      "is are was were be been am do does did have has had can could will would should must may might shall isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't got get",
    negation: 'not never',
    adverb:
      'just really very only also still even ever always too again once here quite rather almost already maybe perhaps actually',
  })
    // The first class that contains a word wins.
    .toReversed()
    .flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);
const CONTRACTION = /^(?:i|you|he|she|it|we|they|that|there|what|who|here|let)['’](?:m|re|s|ve|d|ll)$/;
const SUFFIX = /(?:ing|ed|ly|s)$/;

/**
 * Features of the position after token `index`: the tokens and classes on both sides. Words are
 * lower-case and without punctuation. The names are those in models/summary-cuts/weights.json.
 */
export function boundaryFeatures(tokens: readonly string[], index: number, reading: BoundaryReading): string[] {
  const last = tokens[index] ?? '';
  const lastButOne = tokens[index - 1] ?? '';
  const next = tokens[index + 1] ?? '';
  const nextButOne = tokens[index + 2] ?? '';
  if (reading === 'word endings') {
    return [
      `<${last}$`,
      ...[1, 2, 3].map((size) => `<${last.slice(-size)}`),
      `>${next}`,
      `>${next.slice(0, 2)}~`,
      `>~${next.slice(-1)}`,
      `${last.slice(-1)}|${next.slice(-1)}`,
    ];
  }
  if (reading === 'characters') {
    const lastTwo = lastButOne + last;
    const nextTwo = next + nextButOne;
    return [
      `<${last}`,
      `<${lastTwo}`,
      `<${tokens[index - 2] ?? ''}${lastTwo}`,
      `>${next}`,
      `>${nextTwo}`,
      `>${nextTwo}${tokens[index + 3] ?? ''}`,
      `${last}|${next}`,
      `${scriptOf(last)}|${scriptOf(next)}`,
      `${scriptOf(lastButOne)}${scriptOf(last)}|${scriptOf(next)}${scriptOf(nextButOne)}`,
    ];
  }
  const [before, left, right, after, later] = [lastButOne, last, next, nextButOne, tokens[index + 3] ?? ''].map(
    classOf,
  );
  return [
    `<${last}`,
    `<${lastButOne} ${last}`,
    `>${next}`,
    `>${next} ${nextButOne}`,
    `${left}|`,
    `|${right}`,
    `${left}|${right}`,
    `${before} ${left}|${right}`,
    `${left}|${right} ${after}`,
    `|${right} ${after}`,
    `|${right} ${after} ${later}`,
    `${before} ${left}|${right} ${after}`,
  ];
}

function classOf(word: string): string {
  if (word === '') return '$';
  if (CONTRACTION.test(word)) return 'contraction';
  return CLASSES.get(word) ?? (/\d/.test(word) ? 'number' : `-${SUFFIX.exec(word)?.[0] ?? ''}`);
}

function scriptOf(char: string): string {
  if (char === '') return '$';
  const code = char.codePointAt(0)!;
  if (code >= 0x30_40 && code <= 0x30_9f) return 'h';
  if (code >= 0x30_a0 && code <= 0x30_ff) return 'k';
  return code >= 0x34_00 ? 'c' : 'x';
}
