import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';

/** ISO 639-3 codes; also the folder names of the models. */
export const LANGUAGE_CODES = ['yue', 'cmn', 'eng'] as const;
type LanguageCode = (typeof LANGUAGE_CODES)[number];
const CODES: Readonly<Record<Language, LanguageCode>> = { cantonese: 'yue', mandarin: 'cmn', english: 'eng' };

/** Returns the language of an ISO 639-3 code. */
export function languageOf(code: LanguageCode): Language {
  return LANGUAGES.find((language) => CODES[language] === code) ?? 'cantonese';
}

export type ModelFiles = { acoustic: string; description: string; languageModel: string };

/** Returns the paths of the models of a language. */
export function modelFiles(modelsDir: string, language: Language): ModelFiles {
  const folder = join(modelsDir, CODES[language]);
  return {
    acoustic: join(folder, 'acoustic.onnx'),
    description: join(folder, 'acoustic.json'),
    languageModel: join(folder, 'language-model.bin'),
  };
}

/** Files that exist: shipped models do not go away, and every request asks for them. */
const present = new Set<string>();

function isPresent(file: string): boolean {
  if (!present.has(file) && existsSync(file)) present.add(file);
  return present.has(file);
}

/** Returns true if all models of a language are installed. */
export function hasModels(modelsDir: string, language: Language): boolean {
  return Object.values(modelFiles(modelsDir, language)).every(isPresent);
}

/** Files of the listener, which hears all languages (training/listener/export.py). */
const LISTENER_FILES = [
  'listener.json',
  'vocabulary.txt',
  'lower.onnx',
  'tuned.onnx',
  'upper.onnx',
  'decoder.onnx',
] as const;

const listenerPaths = (modelsDir: string): string[] => LISTENER_FILES.map((name) => join(modelsDir, 'listener', name));

/** Returns true if the listener is installed. */
export function hasListener(modelsDir: string): boolean {
  return listenerPaths(modelsDir).every(isPresent);
}

/** Returns the paths of the extra files for pronunciation scoring. */
function scoringFiles(modelsDir: string, language: Language): string[] {
  const folder = join(modelsDir, CODES[language]);
  return (language === 'english' ? ['pronunciation.json'] : ['pronunciation.json', 'tones.json']).map((name) =>
    join(folder, name),
  );
}

/** Returns true if pronunciation scoring is available for a language. */
export function canScore(modelsDir: string, language: Language): boolean {
  return hasModels(modelsDir, language) && scoringFiles(modelsDir, language).every(isPresent);
}

const versions = new Map<string, string>();

/**
 * Returns a digest of all models: the same name with other weights is another version. Shipped
 * models do not change while a process runs, so it is computed once for each folder.
 */
export function modelsVersion(modelsDir: string): string {
  return digestOnce(`models ${modelsDir}`, () => [
    ...LANGUAGES.filter((language) => hasModels(modelsDir, language)).flatMap((language) =>
      Object.values(modelFiles(modelsDir, language)),
    ),
    // The description has the digests of the other files, which would take long to read.
    ...(hasListener(modelsDir) ? listenerPaths(modelsDir).slice(0, 1) : []),
  ]);
}

/** Returns the digest of the extra files for scoring. */
export function scoringVersion(modelsDir: string): string {
  return digestOnce(`scoring ${modelsDir}`, () =>
    LANGUAGES.filter((language) => canScore(modelsDir, language)).flatMap((language) =>
      scoringFiles(modelsDir, language),
    ),
  );
}

function digestOnce(key: string, files: () => readonly string[]): string {
  let version = versions.get(key);
  if (version === undefined) {
    const digest = createHash('sha256');
    for (const file of files()) digest.update(readFileSync(file));
    version = digest.digest('hex').slice(0, 12);
    versions.set(key, version);
  }
  return version;
}
