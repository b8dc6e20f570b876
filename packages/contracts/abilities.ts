import type { CaptionSource } from './captions.ts';
import type { Corrector } from './corrector.ts';
import type { Diarizer } from './diarizer.ts';
import type { Engine, Model, RankedCapabilities } from './engine.ts';
import type { LanguageModel } from './language-model.ts';
import type { LanguageIdentifier } from './language-identifier.ts';
import type { PronunciationAssessor } from './pronunciation.ts';
import type { Recognizer, RecognizerCapabilities } from './recognizer.ts';
import type { Romanizer } from './romanizer.ts';
import type { Summarizer } from './summarizer.ts';
import type { Synthesizer, SynthesizerCapabilities } from './synthesizer.ts';

/** The statements of the models of each ability, and the object that opening a model gives. */
type AbilityTypes = {
  recognizer: { capabilities: RecognizerCapabilities; opened: Recognizer };
  synthesizer: { capabilities: SynthesizerCapabilities; opened: Synthesizer };
  'language-identifier': { capabilities: RankedCapabilities; opened: LanguageIdentifier };
  romanizer: { capabilities: RankedCapabilities; opened: Romanizer };
  corrector: { capabilities: RankedCapabilities; opened: Corrector };
  diarizer: { capabilities: RankedCapabilities; opened: Diarizer };
  'pronunciation-assessor': { capabilities: RankedCapabilities; opened: PronunciationAssessor };
  'caption-source': { capabilities: RankedCapabilities; opened: CaptionSource };
  summarizer: { capabilities: RankedCapabilities; opened: Summarizer };
  'language-model': { capabilities: RankedCapabilities; opened: LanguageModel };
};

/** Everything an engine can do; also the name of the file in its folder. */
export type Ability = keyof AbilityTypes;

/** The verb phrase with which error messages name each ability. */
export const ABILITY_VERBS = {
  recognizer: 'recognize',
  synthesizer: 'speak',
  'language-identifier': 'identify languages',
  romanizer: 'romanize speech',
  corrector: 'correct homophones',
  diarizer: 'tell speakers apart',
  'pronunciation-assessor': 'score pronunciation',
  'caption-source': 'find captions',
  summarizer: 'summarize',
  'language-model': 'translate and answer questions',
} as const satisfies Record<Ability, string>;

export const ABILITIES = Object.keys(ABILITY_VERBS) as readonly Ability[];

type CapabilitiesOf<A extends Ability> = AbilityTypes[A]['capabilities'];
export type OpenedOf<A extends Ability> = AbilityTypes[A]['opened'];
export type EngineOf<A extends Ability> = Engine<A, CapabilitiesOf<A>, OpenedOf<A>>;
export type ModelOf<A extends Ability> = Model<CapabilitiesOf<A>>;

/**
 * A model that was chosen for a request, as plain data: it can be stored and sent to another
 * process, where exactly this model is opened.
 */
export type ModelRef<A extends Ability = Ability> = {
  ability: A;
  engine: string;
  model: string;
  version: string;
  capabilities: CapabilitiesOf<A>;
};
