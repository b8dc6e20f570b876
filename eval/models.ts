import { existsSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { loadEngines } from '@jyutsing/engines/registry';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import type { EngineLocation } from './tasks.ts';

/**
 * Subject of a measurement: a model of an engine by its text, or the built-in acoustic model by its
 * units.
 */
export type Subject = {
  name: string;
  engine: string;
  version: string;
  by: 'text' | 'units';
  languages: readonly Language[];
};

/** Name of the built-in acoustic model when measured alone. */
const ACOUSTIC_MODEL = 'builtin-acoustic';

/**
 * Finds models to measure: all available ones, or those named by model or engine. Throws
 * `engine_unavailable` with the reason for an unknown or unavailable name.
 */
export async function findSubjects(
  place: EngineLocation,
  names: readonly string[],
): Promise<{ subjects: Subject[]; unavailable: string[] }> {
  const models = (await loadEngines(place)).describeModels().filter(({ ability }) => ability === 'recognizer');
  const isNamed = (name: string, engine: string) =>
    names.length === 0 || names.includes(name) || names.includes(engine);
  for (const name of names) {
    const matching = models.filter((model) => model.name === name || model.engine === name);
    if (name !== ACOUSTIC_MODEL && matching.length === 0) {
      const offered = [...models.map((model) => model.name), ACOUSTIC_MODEL].join(', ');
      throw new AppError('engine_unavailable', `No model is named "${name}". Models: ${offered}.`);
    }
    if (matching.length > 0 && !matching.some((model) => model.available)) {
      throw new AppError('engine_unavailable', `The model "${name}" is not available: ${matching[0]?.reason}.`);
    }
  }
  const subjects: Subject[] = models
    .filter((model) => model.available && isNamed(model.name, model.engine))
    .map(({ name, engine, version, capabilities }) => ({
      name,
      engine,
      version,
      by: 'text' as const,
      languages: LANGUAGES.filter((language) => (capabilities.languages[language] ?? 0) > 0),
    }));
  const supported = LANGUAGES.filter((language) => hasAcousticModel(place.env.builtinModelsDir, language));
  if (supported.length > 0 && isNamed(ACOUSTIC_MODEL, 'builtin')) {
    subjects.unshift({ name: ACOUSTIC_MODEL, engine: 'builtin', version: '', by: 'units', languages: supported });
  }
  return { subjects, unavailable: models.filter((model) => !model.available).map((model) => model.name) };
}

/**
 * Tells whether the acoustic model is there, which needs no language model, unlike the recognizer.
 */
function hasAcousticModel(modelsDir: string, language: Language): boolean {
  const { acoustic, description } = modelFiles(modelsDir, language);
  return existsSync(acoustic) && existsSync(description);
}
