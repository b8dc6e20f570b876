import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';

/** A reference to a Cantonese recognizer, whether or not there is one of that name. */
export function recognizerRef(engine: string, model = engine): ModelRef<'recognizer'> {
  const capabilities = { languages: { cantonese: 1 }, timestamps: 'word', confidence: true, readings: true } as const;
  return { ability: 'recognizer', engine, model, version: '1', capabilities };
}

/** The models of a transcription that recognizes Cantonese and does nothing else. */
export function recognizerModels(ref: ModelRef<'recognizer'>): TranscriptionModels {
  return {
    recognizers: { cantonese: ref },
    languageIdentifier: null,
    diarizer: null,
    romanizer: null,
    correctors: [],
  };
}
