import type { ModelRef } from '@jyutsing/contracts/abilities';
import { AppError } from '@jyutsing/contracts/errors';
import type { IdentifiedLanguage } from '@jyutsing/contracts/language-identifier';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import type { TranscriptionModels } from '@jyutsing/contracts/transcription-plan';
import type { LookaheadAudio } from '@jyutsing/audio/lookahead';
import type { RecognitionContext, TranscriptionCall } from './recognition.ts';

/**
 * Returns the recognizers for the language of the recording, in the order in which they are tried.
 * `usedLanguage` is that of their request, `language` that of the result: without speech no
 * language can be identified.
 */
export async function chooseRecognizer(
  { models, options }: TranscriptionCall,
  context: RecognitionContext,
  audio: LookaheadAudio,
  signal: AbortSignal,
): Promise<{ language: Language; usedLanguage: Language; refs: ModelRef<'recognizer'>[] }> {
  const identified = await identifyLanguage(models, context, audio, signal);
  // A recognizer needs a language also where none could be identified.
  const usedLanguage = identified?.language ?? possibleLanguages(models)[0];
  const ref = usedLanguage === undefined ? undefined : models.recognizers[usedLanguage];
  if (usedLanguage === undefined || ref === undefined) throw new AppError('engine_unavailable');
  const language = identified?.language ?? LANGUAGES.find((name) => name === options.language) ?? 'cantonese';
  return { language, usedLanguage, refs: [ref, ...(models.otherRecognizers?.[usedLanguage] ?? [])] };
}

/**
 * Returns null when only one language is possible, and for a recording without speech.
 */
async function identifyLanguage(
  models: TranscriptionModels,
  { open }: RecognitionContext,
  audio: LookaheadAudio,
  signal: AbortSignal,
): Promise<IdentifiedLanguage | null> {
  if (models.languageIdentifier === null) return null;
  const identifier = await open(models.languageIdentifier);
  return identifier.identify(audio.peek(), possibleLanguages(models), signal);
}

function possibleLanguages({ recognizers }: TranscriptionModels): Language[] {
  return LANGUAGES.filter((language) => recognizers[language] !== undefined);
}
