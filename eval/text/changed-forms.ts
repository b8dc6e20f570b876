import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type * as normalization from '@jyutsing/text/normalization/normalize';
import type * as splitting from '@jyutsing/text/normalization/split-text';
import { temporaryFolder } from '#testbed/service/service.ts';
import { relativeCost } from './relative-cost.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
/** Folders of a commit that say spoken forms. */
const CODE = ['package.json', 'packages', 'models/traditional-words', 'models/cantonese-readings'];
const TABLES = 'packages/text/testing/tables';
/** Everyday sentences of the project. */
const OWN_FILES: Readonly<Record<Language, readonly string[]>> = {
  cantonese: [
    'eval/sentences-yue.txt',
    'eval/tts/sentences-mixed.txt',
    `${TABLES}/cantonese-normalization.tsv`,
    `${TABLES}/numbers-in-context.tsv`,
    `${TABLES}/reviewed-normalization.tsv`,
    `${TABLES}/everyday-normalization.tsv`,
  ],
  mandarin: [
    'eval/sentences-cmn.tsv',
    'eval/tts/sentences-cmn.txt',
    `${TABLES}/mandarin-normalization.tsv`,
    `${TABLES}/reviewed-normalization.tsv`,
    `${TABLES}/everyday-normalization.tsv`,
  ],
  english: [
    'eval/sentences-eng.txt',
    'eval/tts/sentences-eng.txt',
    `${TABLES}/english-normalization.tsv`,
    `${TABLES}/reviewed-normalization.tsv`,
    `${TABLES}/everyday-normalization.tsv`,
  ],
};
/** Names of files with sentences of a language: `commonvoice-yue.txt`. */
const NAMES: Readonly<Record<Language, RegExp>> = {
  cantonese: /-yue\.(?:txt|tsv)$/,
  mandarin: /-cmn\.(?:txt|tsv)$/,
  english: /-eng\.(?:txt|tsv)$/,
};

/** Gives the spoken form of a text. */
export type Say = (text: string, language: Language) => string;

/** The lines of a language that two versions of the code say differently. */
export type ChangedForms = {
  language: Language;
  lines: number;
  changed: { text: string; before: string; after: string }[];
};

/** The same with the processor time of the second version by that of the first. */
export type ComparedVersions = ChangedForms & { cost: number };

/**
 * Says everyday lines with the code of another commit and with this one: the project's own, and
 * those of files in the folder `texts` that are named for a language.
 */
export async function changedForms(commit: string, texts: string): Promise<ComparedVersions[]> {
  await using folder = await temporaryFolder();
  await checkOut(commit, folder.path);
  const [before, after] = [await spokenFormsOf(folder.path), await spokenFormsOf(ROOT)];
  return await Promise.all(
    LANGUAGES.map(async (language) => {
      const chosen = (await readdir(texts)).filter((name) => NAMES[language].test(name)).sort();
      const files = [
        ...OWN_FILES[language].map((path) => join(ROOT, path)),
        ...chosen.map((name) => join(texts, name)),
      ];
      const contents = await Promise.all(files.map(async (file) => textsOf(await readFile(file, 'utf8'), language)));
      const lines = contents.flat();
      const cost = relativeCost(
        lines,
        (text) => before(text, language),
        (text) => after(text, language),
      );
      return { ...compareForms(language, lines, before, after), cost };
    }),
  );
}

/** Says each line, however often it stands there, once with each version. */
export function compareForms(language: Language, lines: readonly string[], before: Say, after: Say): ChangedForms {
  const texts = [...new Set(lines)];
  const forms = texts.map((text) => ({ text, before: before(text, language), after: after(text, language) }));
  return { language, lines: texts.length, changed: forms.filter((form) => form.before !== form.after) };
}

/**
 * The texts of a file: its lines, or of a table the first column. Where a header names them, the
 * column `text`, and only rows whose `language` is this one.
 */
export function textsOf(content: string, language: Language): string[] {
  const rows = content.split('\n').map((row) => row.trimEnd().split('\t'));
  const [header = []] = rows;
  const [text, other] = [header.indexOf('text'), header.indexOf('language')];
  return rows
    .slice(text < 0 ? 0 : 1)
    .filter((row) => other < 0 || row[other] === language)
    .map((row) => row[Math.max(0, text)] ?? '')
    .filter((line) => line !== '');
}

/** Writes the code of a commit into a folder, with the dependencies that are installed here. */
async function checkOut(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'code.tar');
  try {
    // Older commits lack some of the folders.
    const { stdout } = await run('git', ['ls-tree', '--name-only', commit, ...CODE], { cwd: ROOT });
    await run('git', ['archive', `--output=${archive}`, commit, ...stdout.trimEnd().split('\n')], { cwd: ROOT });
  } catch (cause) {
    throw new AppError('invalid_parameter', `The code of ${commit} cannot be read: ${String(cause)}`, { cause });
  }
  await run('tar', ['-xf', archive, '-C', folder]);
  const packages = join(folder, 'node_modules');
  const workspaces = join(packages, '@jyutsing');
  await mkdir(workspaces, { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== basename(workspaces)) await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  }
  for (const name of await readdir(join(folder, 'packages'))) {
    await symlink(join(folder, 'packages', name), join(workspaces, name));
  }
}

async function spokenFormsOf(root: string): Promise<Say> {
  const folder = join(root, 'packages/text/normalization');
  const { splitSentences } = (await import(join(folder, 'split-text.ts'))) as Pick<typeof splitting, 'splitSentences'>;
  const { normalize } = (await import(join(folder, 'normalize.ts'))) as Pick<typeof normalization, 'normalize'>;
  return (text, language) =>
    splitSentences(text, language)
      .map((piece) => normalize(piece, language)?.spokenForm ?? '')
      .join(' ');
}
