import type { Ability, ModelRef } from './abilities.ts';
import type { LanguageQuality } from './engine.ts';
import type { ModelPackage } from './model-package.ts';
import type { LanguageChoice } from './transcript.ts';

/** Name of the built-in recognizer, engine and model; answers mark its results. */
export const FALLBACK_RECOGNIZER = 'builtin';
/** The recognizer of Cantonese, Mandarin and English that is pulled unless another is chosen. */
export const RECOMMENDED_RECOGNIZER = 'sense-voice-2024';
/**
 * The advice for a service without another recognizer: the weakness of the built-in one, and the
 * command that installs a better one.
 */
/** The fallback in a few words; its errors on people are in docs/measurements.md. */
export const FALLBACK_NATURE = 'the built-in recognizer, usable for clear speech; pulled models are far better';
export const FALLBACK_ADVICE = `${FALLBACK_NATURE}: npm run models -- pull ${RECOMMENDED_RECOGNIZER}`;

/** The requirements of a request for a model. */
export type ModelQuery = {
  /** The language of the recording or text; "auto", "chinese" or nothing: ranked by Cantonese. */
  language?: LanguageChoice;
  /**
   * A model's name, an engine's name (the best of its models), or "auto" or null for the best of
   * all.
   */
  model?: string | null;
  /** The voice is that of a recorded person. */
  clones?: boolean;
};

/** Abilities whose models differ by language; a request may name one of them. */
export type LanguageAbility = 'recognizer' | 'synthesizer';

/**
 * A model for clients and operators: plain data without paths or secrets. `reason` is null when it
 * is available.
 */
export type ModelDescription = {
  name: string;
  engine: string;
  ability: LanguageAbility;
  version: string;
  capabilities: { languages: LanguageQuality; hotWords?: true };
  available: boolean;
  reason: string | null;
};

/**
 * An engine of an ability that does not depend on the language; `reason` is null when it is
 * available.
 */
type EngineDescription = {
  ability: Exclude<Ability, LanguageAbility>;
  engine: string;
  version: string;
  available: boolean;
  reason: string | null;
};

/** A download of a model by the service, with what the model requires. */
export type ModelPull = {
  name: string;
  state: 'waiting' | 'downloading' | 'unpacking' | 'installed' | 'failed';
  /** The bytes that are downloaded; the value stays while the package is unpacked. */
  doneBytes: number;
  totalBytes: number;
  /** Why it failed; else null. */
  message: string | null;
};

/** A model that can be pulled, and whether it is installed. */
export type PullableModel = ModelPackage & { state: 'installed' | 'outdated' | 'damaged' | 'absent' | 'unfinished' };

/** Pulls models for a service that runs, one at a time. */
export type ModelPulls = {
  /** Owners may pull models over HTTP. */
  isOpenToOwners: boolean;
  /** The models that the engines offer, and whether they are installed. */
  list(): Promise<PullableModel[]>;
  /**
   * Begins to pull models and those that they require; the pull is named after the first. Throws
   * `model_not_found`, and `conflict` while another pull runs.
   */
  start(...names: readonly [string, ...string[]]): void;
  /** Returns the present or the last pull, or null when there was none since the start. */
  status(): ModelPull | null;
};

/** The models of this server, from which a request chooses before its work is given to a worker. */
export type ModelCatalog = {
  /**
   * The best available model for a query. Throws `model_not_found` for an unknown name,
   * `invalid_parameter` when the named models do not know the language, and `engine_unavailable`
   * with the reasons when none of the models that fit is available.
   */
  select<A extends Ability>(ability: A, query?: ModelQuery): ModelRef<A>;
  /** The models of all abilities that depend on the language, available ones first. */
  describeModels(): ModelDescription[];
  /** The engines of all other abilities, best first. */
  describeEngines(): EngineDescription[];
};
