import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '#contracts/transcript.ts';

/** Folders of the languages' models, by ISO 639-3. */
const FOLDERS: Readonly<Record<Language, string>> = { cantonese: 'yue', mandarin: 'cmn', english: 'eng' };

export type ModelFiles = { acoustic: string; description: string; languageModel: string };

/** Where the models of a language lie. */
export function modelFiles(modelsDir: string, language: Language): ModelFiles {
  const folder = join(modelsDir, FOLDERS[language]);
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
