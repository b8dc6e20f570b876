import { AppError } from '@jyutsing/contracts/errors';
import type { Availability } from '@jyutsing/contracts/recognizer';
import type { Language, LanguageChoice } from '@jyutsing/contracts/transcript';

/** What choosing needs to know of a model, whatever its ability. */
type AnyModel = {
  name: string;
  capabilities: { languages: Readonly<Partial<Record<Language, number>>> };
  availability: Availability;
};
type AnyChoice = { engine: { name: string }; model: AnyModel };

/** `broken`: folders that could not be loaded, for those who ask for one of them. */
export type Candidates<Choice> = { all: readonly Choice[]; broken: readonly { name: string; reason: string }[] };

/**
 * The models that a preference leaves: all for "auto", else the one of that name, or those of the engine of that name.
 * Throws `model_not_found`, or `engine_unavailable` with the reason where such a folder could not be loaded.
 */
export function preferred<Choice extends AnyChoice>({ all, broken }: Candidates<Choice>, preference: string): Choice[] {
  if (preference === 'auto') return [...all];
  const named = all.filter(({ engine, model }) => model.name === preference || engine.name === preference);
  if (named.length > 0) return named;
  const why = broken.find(({ name }) => name === preference)?.reason;
  if (why !== undefined) {
    throw new AppError('engine_unavailable', `The engine "${preference}" cannot be used: ${why}.`);
  }
  throw new AppError('model_not_found', `This server has no engine or model named "${preference}".`);
}

/**
 * Of the models that a preference leaves, the available one that is best at the language; for the language "auto", at Cantonese.
 * `verb` is what they do, for the sentence that says that none does. Throws what `preferred` throws, `invalid_parameter` when those that
 * were asked for do not know the language, `engine_unavailable` with the reasons when none that does is there.
 */
export function chooseModel<Choice extends AnyChoice>(
  candidates: Candidates<Choice>,
  { language, preference, verb }: { language: LanguageChoice; preference: string; verb: string },
): Choice {
  const named = preferred(candidates, preference);
  const able = named.filter((choice) => language === 'auto' || qualityAt(choice, language) > 0);
  if (able.length === 0 && named.length > 0 && preference !== 'auto') {
    throw new AppError('invalid_parameter', `The model "${preference}" does not ${verb} ${language}.`);
  }
  const rankedBy = language === 'auto' ? 'cantonese' : language;
  const best = able
    .filter(({ model }) => model.availability.available)
    .reduce<Choice | null>(
      (top, choice) => (top === null || qualityAt(choice, rankedBy) > qualityAt(top, rankedBy) ? choice : top),
      null,
    );
  if (best === null) throw new AppError('engine_unavailable', unavailableMessage(language, preference, verb, able));
  return best;
}

/** 0 for a language that the model does not know. */
export function qualityAt({ model }: AnyChoice, language: Language): number {
  return model.capabilities.languages[language] ?? 0;
}

const MAX_REASONS = 3;

function unavailableMessage(
  language: LanguageChoice,
  preference: string,
  verb: string,
  able: readonly AnyChoice[],
): string {
  const reasons = able.flatMap(({ model: { name, availability } }) =>
    availability.available ? [] : [`${name}: ${availability.reason}`],
  );
  // Some engines could pull a dozen models; a sentence that names them all helps nobody.
  const named = reasons.length > MAX_REASONS ? [...reasons.slice(0, MAX_REASONS), '…'] : reasons;
  const why = named.length === 0 ? '' : ` (${named.join('; ')})`;
  if (preference !== 'auto') return `The engine "${preference}" is not available on this server${why}.`;
  const what = language === 'auto' ? 'any language' : language;
  return `No engine that can ${verb} ${what} is available on this server${why}.`;
}
