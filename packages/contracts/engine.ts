import type { Language } from './transcript.ts';

/** Variables that a program started by an engine may need; `settings` holds those that are set. */
export const PROGRAM_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
  'TEMP',
];

/** The settings of the process that an engine may read. */
export type EngineEnv = {
  /** Folder of the weights that ship with the project. */
  builtinModelsDir: string;
  /** Folder of the weights that were downloaded. */
  modelsDir: string;
  /**
   * The environment variables that begin with an engine's prefix (STT_, TTS_, LLM_, …), and the
   * `PROGRAM_VARIABLES`.
   */
  settings: Readonly<Record<string, string>>;
};

/**
 * Whether a model can be used here; `reason` is one clause for people, without paths or secrets.
 */
type Availability = { available: true } | { available: false; reason: string };

/** Quality in each language that a model knows, above 0 and at most 100. */
export type LanguageQuality = Readonly<Partial<Record<Language, number>>>;

/**
 * How models of one ability are ranked: by their quality in the language of the request, or by one
 * number where the language does not matter. The available model with the highest number is chosen.
 */
export type Ranking = { languages: LanguageQuality } | { quality: number };

/** Capabilities of an ability whose models differ in nothing but their rank. */
export type RankedCapabilities = { quality: number };

/** One model that an engine can run, whether or not it is available here. */
export type Model<Capabilities extends Ranking> = {
  /** Unique among the models of an ability. */
  name: string;
  /**
   * Identifies code and weights. It is part of cache keys: it changes whenever the output could.
   */
  version: string;
  capabilities: Capabilities;
  availability: Availability;
};

/**
 * The object that an engine folder exports as `engine` from its file `<ability>.ts`. Heavy
 * libraries are imported in `open`, because the registry imports every engine at start.
 */
export type Engine<Ability extends string, Capabilities extends Ranking, Opened> = {
  ability: Ability;
  /** Same as the folder. */
  name: string;
  /**
   * Called for every request, so that a model that was downloaded meanwhile is found: must be
   * cheap.
   */
  models(env: EngineEnv): readonly Model<Capabilities>[];
  /**
   * Opens one of its models. Throws `engine_unavailable` for a missing one, `engine_failed` when it
   * cannot be loaded.
   */
  open(env: EngineEnv, modelName: string): Promise<Opened>;
};
