import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, type SourceFile } from '../source-files.ts';
import { parseSource, type SourceFacts } from './parse-source.ts';

const CACHE = join(ROOT, 'node_modules/.cache/figures.json');

type Cache = { parser: string; facts: Record<string, SourceFacts> };

/** A parsed file: its text, its lines and its structure. */
export type ParsedSource = SourceFile & { facts: SourceFacts };

/**
 * Parses files, or takes what an earlier run read from the same text: parsing all of them takes
 * several seconds of processor time. The cache holds the files of this run only.
 */
export function parseFiles(files: readonly SourceFile[]): ParsedSource[] {
  const parser = digestOf(readFileSync(join(import.meta.dirname, 'parse-source.ts'), 'utf8'));
  const cached = readCache();
  const usable = cached?.parser === parser ? cached.facts : {};
  const facts: Record<string, SourceFacts> = {};
  const parsed = files.map((file) => {
    const key = digestOf(`${file.path}\n${file.text}`);
    const read = usable[key] ?? parseSource(file.path, file.text);
    facts[key] = read;
    return { ...file, facts: read };
  });
  if (Object.keys(facts).some((key) => usable[key] === undefined)) writeCache({ parser, facts });
  return parsed;
}

function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url');
}

function readCache(): Cache | null {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8')) as Cache;
  } catch {
    // There is no cache yet, or another version wrote it.
    return null;
  }
}

function writeCache(cache: Cache): void {
  mkdirSync(dirname(CACHE), { recursive: true });
  const temporary = `${CACHE}.${process.pid}.tmp`;
  writeFileSync(temporary, JSON.stringify(cache));
  renameSync(temporary, CACHE);
}
