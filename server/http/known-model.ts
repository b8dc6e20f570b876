import type { LanguageAbility, ModelCatalog } from '@jyutsing/contracts/model-catalog';
import { encodeHeader } from './encode-header.ts';

/** The header that names a model which the server does not know; for the documentation too. */
export const IGNORED_MODEL_HEADER = {
  'X-Model-Id-Ignored': {
    description: 'Only when the request named a model that this server does not have: its name, percent-encoded.',
    type: 'string',
  },
} as const;

/** `name` null: the best model. `headers` name a model that was ignored. */
type NamedModel = { name: string | null; headers: { 'X-Model-Id-Ignored'?: string } };

/** Names of OpenAI's models that clients choose from a list; they mean the best model. */
export const OPENAI_MODELS: Readonly<Record<LanguageAbility, readonly string[]>> = {
  recognizer: ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'gpt-4o-transcribe-diarize'],
  synthesizer: ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'],
};

/** All names of OpenAI's models, also dated and later ones. */
const OPENAI_NAMES: Readonly<Record<LanguageAbility, RegExp>> = {
  recognizer: /^(?:whisper-1$|gpt-.*transcribe)/,
  synthesizer: /^(?:tts-1(?:-|$)|gpt-.*tts)/,
};

/**
 * The model that a request names, by its name or its engine. A name that this server does not know
 * belongs to another service: it is ignored, and the answer says so.
 */
export function modelNamed(
  catalog: Pick<ModelCatalog, 'describeModels'>,
  ability: LanguageAbility,
  requestedName: string | null,
): NamedModel {
  if (requestedName === null || requestedName === '' || requestedName === 'auto') return { name: null, headers: {} };
  const models = catalog.describeModels().filter((model) => model.ability === ability);
  if (models.some(({ name, engine }) => name === requestedName || engine === requestedName))
    return { name: requestedName, headers: {} };
  if (OPENAI_NAMES[ability].test(requestedName)) return { name: null, headers: {} };
  return { name: null, headers: { 'X-Model-Id-Ignored': encodeHeader(requestedName) } };
}
