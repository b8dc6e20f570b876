import type { SourceFacts } from './parse-source.ts';

/** A finding for a reader: where it is and what was found. */
export type Finding = { path: string; line: number; text: string };

/** The facts of a file with its path from the root of the repository. */
export type ParsedFile = { path: string; facts: SourceFacts };

/**
 * Beginnings of comments that leave the reader to find the sentence: a clause without a main clause
 * ("What the queue holds."), or a value or a negation without a subject ("Null: no limit.").
 */
const CLAUSE = /^(?:What|Whatever|Of|Where|Wherever|Who|Whom|Whose|Whoever)\b/;
const FRAGMENT = /^(?:Null|Undefined|Absent|Not|Also)\b/;
/** A clause of time that ends with the sentence, without a comma before a main clause. */
const BARE_WHEN = /^(?:When|Whenever)\b[^,.:;]*(?:[.:;]|$)/;

/** Pronouns and determiners, which can name anything. */
const PRONOUNS =
  'each own others another those these this that them they it ours theirs mine such some' +
  ' something anything everything nothing either neither elsewhere';
/** Participles that leave out the noun: `sent` does not say what was sent. */
const PARTICIPLES = 'sent known given told heard wanted asked said meant';

const POINTING_WORDS: ReadonlySet<string> = new Set(`${PRONOUNS} ${PARTICIPLES}`.split(' '));

/** Comments that begin as no sentence does. */
export function findCommentKinds(files: readonly ParsedFile[]): Finding[] {
  return files.flatMap(({ path, facts }) =>
    facts.comments
      .filter(({ text }) => CLAUSE.test(text) || FRAGMENT.test(text) || BARE_WHEN.test(text))
      .map(({ line, text }) => ({ path, line, text: text.split('\n', 1)[0] ?? '' })),
  );
}

/** Variables and parameters whose name is a pointing word. */
export function findPointingNames(files: readonly ParsedFile[]): Finding[] {
  return files.flatMap(({ path, facts }) =>
    facts.bindings.filter(({ name }) => POINTING_WORDS.has(name)).map(({ line, name }) => ({ path, line, text: name })),
  );
}
