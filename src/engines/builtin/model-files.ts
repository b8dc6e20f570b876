import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '#contracts/transcript.ts';

/** ISO 639-3; also the folders of the languages' models. */
export const LANGUAGE_CODES = ['yue', 'cmn', 'eng'] as const;
type LanguageCode = (typeof LANGUAGE_CODES)[number];
const CODES: Readonly<Record<Language, LanguageCode>> = { cantonese: 'yue', mandarin: 'cmn', english: 'eng' };

/** The language of an ISO 639-3 code. */
export function languageOf(code: LanguageCode): Language {
  return LANGUAGES.find((language) => CODES[language] === code) ?? 'cantonese';
}

export type ModelFiles = { acoustic: string; description: string; languageModel: string };

/** Where the models of a language lie. */
export function modelFiles(modelsDir: string, language: Language): ModelFiles {
  const folder = join(modelsDir, CODES[language]);
  return {
    acoustic: join(folder, 'acoustic.onnx'),
    description: join(folder, 'acoustic.json'),
    languageModel: join(folder, 'language-model.bin'),
  };
}

/** Whether all models of a language are there. */
export function hasModels(modelsDir: string, language: Language): boolean {
  return Object.values(modelFiles(modelsDir, language)).every((file) => existsSync(file));
}

const versions = new Map<string, string>();

/**
 * A digest of all models: the same name with other weights is another version. Shipped models do not change while a process
 * runs, so it is computed once for each folder.
 */
export function modelsVersion(modelsDir: string): string {
  let version = versions.get(modelsDir);
  if (version === undefined) {
    const digest = createHash('sha256');
    for (const language of LANGUAGES.filter((each) => hasModels(modelsDir, each))) {
      const files = modelFiles(modelsDir, language);
      for (const file of Object.values(files)) digest.update(readFileSync(file));
    }
    version = digest.digest('hex').slice(0, 12);
    versions.set(modelsDir, version);
  }
  return version;
}
