import type { Page } from './repository.ts';
import type { Finding } from './wording.ts';

const MAX_TABLE_COLUMNS = 160;
const MAX_README_LINES = 40;

/** The pages under docs/ that say what is true now. */
export function currentPages(pages: readonly Page[]): Page[] {
  return pages.filter(({ path }) => path.startsWith('docs/') && !path.startsWith('docs/history/'));
}

/** Words between white space, as `wc -w` counts them. */
export function countWords(pages: readonly Page[]): number {
  return pages.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
}

/** Rows of tables that no screen shows in one line. */
export function findWideRows(pages: readonly Page[]): Finding[] {
  return pages.flatMap(({ path, text }) =>
    text.split('\n').flatMap((row, index) => {
      const columns = [...row].length;
      return row.startsWith('|') && columns > MAX_TABLE_COLUMNS
        ? [{ path, line: index + 1, text: `${columns} columns` }]
        : [];
    }),
  );
}

/** Top folders without a README, or with one that is longer than a screen. */
export function findReadmeFaults(paths: readonly string[], pages: readonly Page[]): Finding[] {
  const folders = new Set(paths.flatMap((path) => /^([^./][^/]*)\//.exec(path)?.[1] ?? []));
  return [...folders].toSorted().flatMap((folder) => {
    const readme = pages.find(({ path }) => path === `${folder}/README.md`);
    if (readme === undefined) return [{ path: folder, line: 1, text: 'no README.md' }];
    const lines = readme.text.trimEnd().split('\n').length;
    return lines > MAX_README_LINES ? [{ path: readme.path, line: 1, text: `${lines} lines` }] : [];
  });
}
