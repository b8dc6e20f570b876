import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Folders that hold TypeScript of this project. */
const CODE_FOLDERS = [
  'packages',
  'server',
  'cli',
  'console',
  'eval',
  'training',
  'bench',
  'stress',
  'scripts',
  'test',
  'examples',
  'testbed',
];

/** A TypeScript file of this repository. `path` is relative to the root, with forward slashes. */
export type SourceFile = { path: string; text: string; lines: number };

/** Every TypeScript file below the given folders of the repository, without dependencies. */
export function readSourceFiles(folders: readonly string[] = CODE_FOLDERS): SourceFile[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    // The client's types are generated.
    { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**', 'packages/client/api.ts'] },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, lines: text.split('\n').length - 1 };
    });
}

export const isTest = (path: string): boolean => path.endsWith('.test.ts') || /^test(?:bed)?\//.test(path);

const SPECIFIER = /(?:from|import)\s*\(?\s*'([^'\n]+)'/g;

/** The project's own files that a file imports, types and dynamic imports included. */
export function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(SPECIFIER)].flatMap((match) => resolveSpecifier(path, match[1] ?? '') ?? []);
}

const STATIC_IMPORT = /^(?:import|export) (?!type )(?:[\w*\s{},$]+ from )?'([^'\n]+)';/gm;

/** Node loads these with a file: files of the project, and other modules by their specifiers. */
export function staticImportsOf({ path, text }: SourceFile): { files: string[]; packages: string[] } {
  const loaded: { files: string[]; packages: string[] } = { files: [], packages: [] };
  for (const [, specifier = ''] of text.matchAll(STATIC_IMPORT)) {
    const file = resolveSpecifier(path, specifier);
    if (file === null) loaded.packages.push(specifier);
    else loaded.files.push(file);
  }
  return loaded;
}

export function resolveSpecifier(importer: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(importer), specifier));
  const [scope = '', ...rest] = specifier.split('/');
  if (scope === '@jyutsing') {
    const [name = '', ...path] = rest;
    const exported = name === 'server' ? null : exportsOf(name);
    const target = exported?.[`./${path.join('/')}`] ?? exported?.['./*']?.replace('*', path.join('/'));
    return target === undefined || target === null ? null : join('packages', name, target);
  }
  if (!scope.startsWith('#')) return null;
  const folder = aliasesOf(importer)[`${scope}/*`] ?? ROOT_ALIASES[`${scope}/*`];
  return folder === undefined ? null : join(folder.replace('*', ''), ...rest);
}

/** Imports of tests and repository tools, which reach into every module. */
const ROOT_ALIASES = aliasesIn('');
const PACKAGE = /^(?:packages\/[^/]+|server|console)(?=\/)/;
const aliasMaps = new Map<string, Readonly<Record<string, string>>>();

/** The `imports` of the package of a file, with paths from the root. */
function aliasesOf(importer: string): Readonly<Record<string, string>> {
  const [folder] = PACKAGE.exec(importer) ?? [''];
  let aliases = aliasMaps.get(folder);
  if (aliases === undefined) {
    aliases = aliasesIn(folder);
    aliasMaps.set(folder, aliases);
  }
  return aliases;
}

function aliasesIn(folder: string): Readonly<Record<string, string>> {
  const { imports = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
    imports?: Record<string, unknown>;
  };
  const named = Object.entries(imports).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(named.map(([alias, target]) => [alias, join(folder, target)]));
}

const exportsMaps = new Map<string, Readonly<Record<string, string>>>();

/** The exports map of a package: subpath to file. */
export function exportsOf(name: string): Readonly<Record<string, string>> {
  let map = exportsMaps.get(name);
  if (map === undefined) {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as {
      exports?: Record<string, string>;
    };
    map = manifest.exports ?? {};
    exportsMaps.set(name, map);
  }
  return map;
}
