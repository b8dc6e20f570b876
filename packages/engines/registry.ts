import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CaptionSourceEngine } from '@jyutsing/contracts/captions';
import type { CorrectorEngine } from '@jyutsing/contracts/corrector';
import type { DiarizerEngine } from '@jyutsing/contracts/diarizer';
import { AppError } from '@jyutsing/contracts/errors';
import type { LanguageIdentifierEngine } from '@jyutsing/contracts/language-identifier';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import type { PronunciationAssessorEngine } from '@jyutsing/contracts/pronunciation';
import type { EngineEnv, RecognizerChoice, RecognizerEngine } from '@jyutsing/contracts/recognizer';
import type { RomanizerEngine } from '@jyutsing/contracts/romanizer';
import type { SummarizerEngine } from '@jyutsing/contracts/summarizer';
import type { SynthesizerChoice, SynthesizerEngine } from '@jyutsing/contracts/synthesizer';
import { LANGUAGES, type Language, type LanguageChoice } from '@jyutsing/contracts/transcript';
import { chooseModel, preferred, qualityAt, type Candidates } from './choose-model.ts';

/** What may be told of a model to operators: plain data, no path, no secret. `reason` is null when it is available. */
export type ModelDescription = {
  name: string;
  engine: string;
  ability: ModelAbility;
  version: string;
  capabilities: { languages: Readonly<Partial<Record<Language, number>>> };
  available: boolean;
  reason: string | null;
};

/** An engine of an ability of which one does the work, best first; `reason` is null when it is available. */
export type EngineDescription = { ability: RankedAbility; engine: string; available: boolean; reason: string | null };

/** Abilities whose engines list models, of which a request may name one. */
type ModelEngine = RecognizerEngine | SynthesizerEngine;
type ModelAbility = ModelEngine['ability'];

/** Abilities of which one engine does the work, whatever the request: the first of those that are available. */
type RankedEngine =
  | LanguageIdentifierEngine
  | RomanizerEngine
  | CorrectorEngine
  | DiarizerEngine
  | PronunciationAssessorEngine
  | CaptionSourceEngine
  | SummarizerEngine;
export type RankedAbility = RankedEngine['ability'];
type EngineOf<Ability extends RankedAbility> = Extract<RankedEngine, { ability: Ability }>;

export type EngineRegistry = {
  readonly recognizers: readonly RecognizerEngine[];
  readonly synthesizers: readonly SynthesizerEngine[];
  /** All engines of an ability, available or not, best first. */
  ranked<Ability extends RankedAbility>(ability: Ability): readonly EngineOf<Ability>[];
  /** What the engines' catalogues say can be pulled. */
  readonly packages: readonly ModelPackage[];
  /** Folders of which something could not be loaded, and why; a shipped engine is never among them. */
  readonly broken: readonly { name: string; reason: string }[];
  /**
   * The model for a request. `preference` is "auto" (the available model that is best at the language), a model's name, or an engine's
   * (the best of its models). For the language "auto": the best at Cantonese of those that come into question.
   * Throws `model_not_found` for a name that nothing has, else `engine_unavailable` with the reasons in one sentence.
   */
  chooseRecognizer(language: LanguageChoice, preference: string): RecognizerChoice;
  /**
   * The model that speaks a language, by the same rules. Left to "auto", one that has but one voice of its own comes only where none
   * clones: every request names a voice.
   */
  chooseSynthesizer(language: Language, preference: string): SynthesizerChoice;
  /** The languages that can be recognised here with this preference. */
  recognizableLanguages(preference: string): Language[];
  /** The languages that can be spoken here with this preference. */
  speakableLanguages(preference: string): Language[];
  /** Those that can work here, best first. */
  available<Ability extends RankedAbility>(ability: Ability): readonly EngineOf<Ability>[];
  /** The best that is available. Throws `engine_unavailable` when none works here. */
  choose<Ability extends RankedAbility>(ability: Ability): EngineOf<Ability>;
  describeModels(): ModelDescription[];
  /** Of every ability whose engines have no models to choose from. */
  describeEngines(): EngineDescription[];
};

const MODEL_ABILITIES = ['recognizer', 'synthesizer'] as const satisfies ModelAbility[];

const RANKED_ABILITIES = [
  'language-identifier',
  'romanizer',
  'corrector',
  'diarizer',
  'pronunciation-assessor',
  'caption-source',
  'summarizer',
] as const satisfies RankedAbility[];

/** What an ability does, for the sentence that says that nobody can. */
const DOES: Readonly<Record<RankedAbility, string>> = {
  'language-identifier': 'identifies languages',
  romanizer: 'romanises speech',
  corrector: 'corrects homophones',
  diarizer: 'tells speakers apart',
  'pronunciation-assessor': 'scores pronunciation',
  'caption-source': 'finds captions',
  summarizer: 'summarises',
};

/** Where the engines of this package lie. */
export const SHIPPED_ENGINES_DIR = import.meta.dirname;

type Engine = ModelEngine | RankedEngine;
type Found = {
  withModels: ModelEngine[];
  ranked: RankedEngine[];
  packages: ModelPackage[];
  broken: { name: string; reason: string }[];
};

/**
 * Finds engines by folder: `<enginesDir>/<name>/<ability>.ts` exports an `engine` of that name and ability, `packages.ts` a catalogue.
 * Nothing is registered by hand, so a new engine is one new folder. A folder that cannot be imported does not stop the service.
 */
export async function loadEngines(options: { enginesDir: string; env: EngineEnv }): Promise<EngineRegistry> {
  const found: Found = { withModels: [], ranked: [], packages: [], broken: [] };
  for (const folder of (await readdir(options.enginesDir)).sort()) {
    const load = async (name: string, take: (file: string) => Promise<unknown>): Promise<void> => {
      const file = join(options.enginesDir, folder, `${name}.ts`);
      // Not asked whether the entry is a folder: a link to one is as good.
      if (!existsSync(file)) return;
      try {
        await take(file);
      } catch (thrown) {
        // The text of a failed import holds paths, and this list is shown to people.
        const reason = thrown instanceof AppError ? thrown.message : 'it could not be loaded';
        found.broken.push({ name: folder, reason });
      }
    };
    for (const ability of MODEL_ABILITIES) {
      await load(ability, async (file) => found.withModels.push(await loadEngine(folder, file, ability)));
    }
    for (const ability of RANKED_ABILITIES) {
      await load(ability, async (file) => found.ranked.push(await loadEngine(folder, file, ability)));
    }
    await load('packages', async (file) => found.packages.push(...(await loadPackages(file))));
  }
  found.ranked.sort((a, b) => b.priority - a.priority);
  return createRegistry(found, options.env);
}

async function loadEngine<Ability extends Engine['ability']>(
  folder: string,
  file: string,
  ability: Ability,
): Promise<Extract<Engine, { ability: Ability }>> {
  const { engine } = (await import(pathToFileURL(file).href)) as { engine?: Engine };
  if (engine?.ability !== ability) {
    throw new AppError('engine_unavailable', `its ${ability}.ts exports no ${ability} named "engine"`);
  }
  if (engine.name !== folder) {
    throw new AppError('engine_unavailable', `it calls itself "${engine.name}", which is not the name of its folder`);
  }
  return engine as Extract<Engine, { ability: Ability }>;
}

async function loadPackages(file: string): Promise<readonly ModelPackage[]> {
  const { packages } = (await import(pathToFileURL(file).href)) as { packages?: readonly ModelPackage[] };
  if (packages === undefined) throw new AppError('engine_unavailable', 'its packages.ts exports no "packages"');
  return packages;
}

function createRegistry(found: Found, env: EngineEnv): EngineRegistry {
  const { packages, broken } = found;
  const ranked = <Ability extends RankedAbility>(ability: Ability) =>
    found.ranked.filter((engine): engine is EngineOf<Ability> => engine.ability === ability);
  const available = <Ability extends RankedAbility>(ability: Ability) =>
    ranked(ability).filter((engine) => engine.availability(env).available);
  const recognizers = found.withModels.filter((engine) => engine.ability === 'recognizer');
  const synthesizers = found.withModels.filter((engine) => engine.ability === 'synthesizer');
  // Asked anew at every request, so that a model that was pulled meanwhile is found.
  const recognition = (): Candidates<RecognizerChoice> => ({
    all: recognizers.flatMap((engine) => engine.models(env).map((model) => ({ engine, model }))),
    broken,
  });
  const synthesis = (): Candidates<SynthesizerChoice> => ({
    all: synthesizers.flatMap((engine) => engine.models(env).map((model) => ({ engine, model }))),
    broken,
  });

  return {
    recognizers,
    synthesizers,
    packages,
    broken,
    ranked,
    available,
    chooseRecognizer: (language, preference) => chooseModel(recognition(), { language, preference, verb: 'recognise' }),
    chooseSynthesizer(language, preference) {
      const everyone = synthesis();
      const cloning = everyone.all.filter(
        ({ model }) => model.capabilities.clones !== 'none' && model.availability.available,
      );
      const canClone = cloning.some((choice) => qualityAt(choice, language) > 0);
      const asked = preference === 'auto' && canClone ? { all: cloning, broken } : everyone;
      return chooseModel(asked, { language, preference, verb: 'speak' });
    },
    recognizableLanguages: (preference) => knownLanguages(preferred(recognition(), preference)),
    speakableLanguages: (preference) => knownLanguages(preferred(synthesis(), preference)),
    choose(ability) {
      const [best] = available(ability);
      if (best === undefined) {
        throw new AppError('engine_unavailable', `No engine that ${DOES[ability]} is available on this server.`);
      }
      return best;
    },
    describeModels: () =>
      [...recognition().all, ...synthesis().all]
        .map(({ engine, model: { name, version, capabilities, availability } }) => ({
          name,
          engine: engine.name,
          ability: engine.ability,
          version,
          capabilities,
          available: availability.available,
          reason: availability.available ? null : availability.reason,
        }))
        .sort((a, b) => Number(b.available) - Number(a.available)),
    describeEngines: () =>
      RANKED_ABILITIES.flatMap((ability) =>
        ranked(ability).map((engine) => {
          const found = engine.availability(env);
          const reason = found.available ? null : found.reason;
          return { ability, engine: engine.name, available: found.available, reason };
        }),
      ),
  };
}

/** What the available ones of these models know. */
function knownLanguages(choices: readonly (RecognizerChoice | SynthesizerChoice)[]): Language[] {
  const usable = choices.filter(({ model }) => model.availability.available);
  return LANGUAGES.filter((language) => usable.some((choice) => qualityAt(choice, language) > 0));
}
