import type { ParsedSource } from './cached-facts.ts';
import { findCommentKinds, findPointingNames, type Finding } from './wording.ts';

/** The lists of `npm run figures -- --list`, by the word that asks for them. */
const LISTS: Readonly<Record<string, (files: readonly ParsedSource[]) => Finding[]>> = {
  comments: findCommentKinds,
  names: findPointingNames,
};

/** The findings of a list as `path:line text`, below a folder or file only when one is named. */
export function listFindings(list: string, files: readonly ParsedSource[], below: string | null): string[] | null {
  const find = LISTS[list];
  if (find === undefined) return null;
  const folder = below?.replace(/^\.\//, '').replace(/\/$/, '');
  return find(files)
    .filter(({ path }) => folder === undefined || path === folder || path.startsWith(`${folder}/`))
    .map(({ path, line, text }) => `${path}:${line} ${text}`);
}

/** The words that `--list` takes. */
export const listNames: readonly string[] = Object.keys(LISTS);
