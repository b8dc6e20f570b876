import { ABILITY_VERBS, type Ability, type EngineOf, type ModelOf } from '@jyutsing/contracts/abilities';
import type { LanguageQuality, Ranking } from '@jyutsing/contracts/engine';
import { AppError } from '@jyutsing/contracts/errors';
import type { ModelQuery } from '@jyutsing/contracts/model-catalog';
import { CANDIDATES, LANGUAGES, type Language } from '@jyutsing/contracts/transcript';

export type Candidate<A extends Ability> = { engine: EngineOf<A>; model: ModelOf<A> };

/** All models of an ability, and the engine folders that could not be loaded. */
export type Candidates<A extends Ability> = {
  ability: A;
  all: readonly Candidate<A>[];
  broken: readonly { name: string; reason: string }[];
};

/**
 * Returns the models that a query names: all, the one of that name, or those of the engine of that
 * name. Throws `model_not_found`, or `engine_unavailable` with the reason for a folder that could
 * not be loaded.
 */
export function namedModels<A extends Ability>({ all, broken }: Candidates<A>, query: ModelQuery): Candidate<A>[] {
  const name = nameIn(query);
  if (name === null) return [...all];
  const named = all.filter(({ engine, model }) => model.name === name || engine.name === name);
  if (named.length > 0) return named;
  const reason = broken.find((folder) => folder.name === name)?.reason;
  if (reason !== undefined) {
    throw new AppError('engine_unavailable', `The engine "${name}" cannot be used: ${reason}.`);
  }
  throw new AppError('model_not_found', `This server has no engine or model named "${name}".`);
}

/**
 * Returns the available models that fit a query, best first. Throws the errors of `namedModels`,
 * and `invalid_parameter` when the named models do not know the language.
 */
export function rankModels<A extends Ability>(candidates: Candidates<A>, query: ModelQuery): Candidate<A>[] {
  const isNamed = nameIn(query) !== null;
  const available = modelsFor(candidates, query).filter(
    ({ model }) => model.availability.available && (isNamed || !isOnlyByName(model)),
  );
  const language = rankingLanguage(query);
  const quality = ({ model }: Candidate<A>): number =>
    (query.clones === true ? clonedQualityAt(model, language) : null) ?? qualityAt(model, language);
  const ranked = available.toSorted((a, b) => quality(b) - quality(a));
  if (isNamed) return ranked;
  // Every request for speech names a voice, so models with a single voice of their own come last.
  return [...ranked.filter(({ model }) => hasVoices(model)), ...ranked.filter(({ model }) => !hasVoices(model))];
}

/**
 * Makes the error for a query that no available model fits, with the reasons of those that are not
 * available.
 */
export function unavailableError<A extends Ability>(candidates: Candidates<A>, query: ModelQuery): AppError {
  const reasons = modelsFor(candidates, query).flatMap(({ model: { name, availability } }) =>
    availability.available ? [] : [`${name}: ${availability.reason}`],
  );
  // Some engines offer a dozen models to download: a sentence with all of them is not readable.
  const listed = reasons.length > MAX_REASONS ? [...reasons.slice(0, MAX_REASONS), '…'] : reasons;
  const why = listed.length === 0 ? '' : ` (${listed.join('; ')})`;
  const name = nameIn(query);
  const subject =
    name === null
      ? `No engine that can ${ABILITY_VERBS[candidates.ability]}${languageWords(candidates.ability, query)} is`
      : `The engine "${name}" is not`;
  return new AppError('engine_unavailable', `${subject} available on this server${why}.`);
}

const MAX_REASONS = 3;

/** Returns the quality in a language; 0 for a language that the model does not know. */
export function qualityAt({ capabilities }: { capabilities: Ranking }, language: Language): number {
  return 'languages' in capabilities ? (capabilities.languages[language] ?? 0) : capabilities.quality;
}

/** Returns the quality with voices of recorded people; null where it does not differ. */
function clonedQualityAt({ capabilities }: { capabilities: Ranking }, language: Language): number | null {
  return 'cloned' in capabilities ? ((capabilities.cloned as LanguageQuality)[language] ?? null) : null;
}

/** Returns the models that a query names and that know its language, available or not. */
function modelsFor<A extends Ability>(candidates: Candidates<A>, query: ModelQuery): Candidate<A>[] {
  const named = namedModels(candidates, query);
  const { language = 'auto' } = query;
  if (language === 'auto') return named;
  const able = named.filter(({ model }) => CANDIDATES[language].some((candidate) => qualityAt(model, candidate) > 0));
  const name = nameIn(query);
  if (able.length === 0 && name !== null) {
    const languages = LANGUAGES.filter((candidate) => named.some(({ model }) => qualityAt(model, candidate) > 0));
    throw new AppError(
      'invalid_parameter',
      `The model "${name}" does not ${ABILITY_VERBS[candidates.ability]} ${language}, but ${languages.join(', ')}.`,
    );
  }
  return able;
}

function nameIn({ model = null }: ModelQuery): string | null {
  return model === 'auto' ? null : model;
}

function rankingLanguage({ language = 'auto' }: ModelQuery): Language {
  return language === 'auto' || language === 'chinese' ? 'cantonese' : language;
}

function hasVoices({ capabilities }: { capabilities: Ranking }): boolean {
  return !('clones' in capabilities) || capabilities.clones !== 'none';
}

function isOnlyByName({ capabilities }: { capabilities: Ranking }): boolean {
  return 'onlyByName' in capabilities && capabilities.onlyByName === true;
}

function languageWords(ability: Ability, { language = 'auto' }: ModelQuery): string {
  if (ability !== 'recognizer' && ability !== 'synthesizer') return '';
  return language === 'auto' ? ' any language' : ` ${language}`;
}
