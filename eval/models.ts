import { existsSync } from 'node:fs';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { loadEngines } from '@jyutsing/engines/registry';
import { modelFiles } from '#packages/engines/builtin/model-files.ts';
import type { EngineLocation } from './tasks.ts';

/** What is measured: a model of an engine by its text, or the built-in acoustic model alone by its units. */
export type Subject = {
  name: string;
  engine: string;
  version: string;
  by: 'text' | 'units';
  languages: readonly Language[];
};

/** The name of the built-in acoustic model where it is measured alone. */
export const ACOUSTIC_MODEL = 'builtin-acoustic';

/**
 * The models that can be measured here: all that are available, or those named (a model's or an engine's name). Throws
 * `engine_unavailable` for a name that is not known or not available, with the reason.
 */
export async function findSubjects(
  place: EngineLocation,
  names: readonly string[],
): Promise<{ subjects: Subject[]; unavailable: string[] }> {
  const models = (await loadEngines(place)).describeModels().filter(({ ability }) => ability === 'recognizer');
  const isNamed = (name: string, engine: string) =>
    names.length === 0 || names.includes(name) || names.includes(engine);
  for (const name of names) {
    const meant = models.filter((model) => model.name === name || model.engine === name);
    if (name !== ACOUSTIC_MODEL && meant.length === 0) {
      const known = [...models.map((model) => model.name), ACOUSTIC_MODEL].join(', ');
      throw new AppError('engine_unavailable', `There is no model named "${name}"; there are ${known}.`);
    }
    if (meant.length > 0 && !meant.some((model) => model.available)) {
      throw new AppError('engine_unavailable', `The model "${name}" cannot be measured here: ${meant[0]?.reason}.`);
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
  const heard = LANGUAGES.filter((language) => hasAcousticModel(place.env.builtinModelsDir, language));
  if (heard.length > 0 && isNamed(ACOUSTIC_MODEL, 'builtin')) {
    subjects.unshift({ name: ACOUSTIC_MODEL, engine: 'builtin', version: '', by: 'units', languages: heard });
  }
  return { subjects, unavailable: models.filter((model) => !model.available).map((model) => model.name) };
}

/** Unlike the recogniser it needs no language model. */
function hasAcousticModel(modelsDir: string, language: Language): boolean {
  const { acoustic, description } = modelFiles(modelsDir, language);
  return existsSync(acoustic) && existsSync(description);
}
