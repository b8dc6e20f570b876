import { createHash } from 'node:crypto';
import type { ModelRef } from '@jyutsing/contracts/abilities';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { TranscriptionModels, TranscriptionPlan } from '@jyutsing/contracts/transcription-plan';
import { CANDIDATES, type Language } from '@jyutsing/contracts/transcript';
import type { EngineRegistry } from './registry.ts';

/**
 * Chooses all models of a transcription when it is accepted; `defaultModel` is the server's choice
 * where the request names none. Fusion runs for Cantonese on the default model only, and only where
 * its engines are available. Throws the errors of `select`: for the recognizer, for the language
 * identifier where several languages are possible, and for the diarizer where speakers are
 * requested. Recognizers that are set aside, because they failed, are chosen only where there is no
 * other.
 */
export function planTranscription(
  registry: Pick<EngineRegistry, 'select' | 'selectAll' | 'languages'>,
  options: TranscriptionOptions,
  defaultModel: string,
  isSetAside: (model: string) => boolean = () => false,
): TranscriptionPlan {
  const { language, model: requested } = options;
  const model = requested ?? defaultModel;
  const best = registry.select('recognizer', { language, model });
  const isIdentified = CANDIDATES[language].length > 1;
  const candidates = (isIdentified ? options.languages : null) ?? CANDIDATES[language];
  const recognizable = registry.languages('recognizer', model).filter((supported) => candidates.includes(supported));
  // When no model recognizes any of them, the selection below states the reason.
  const languages = isIdentified && recognizable.length > 0 ? recognizable : candidates;
  const recognizers: Partial<Record<Language, ModelRef<'recognizer'>>> = {};
  const otherRecognizers: Partial<Record<Language, readonly ModelRef<'recognizer'>[]>> = {};
  for (const spokenLanguage of languages) {
    const query = { language: spokenLanguage, model };
    const ranked = registry.selectAll('recognizer', query);
    const usable = ranked.filter((ref) => !isSetAside(ref.model));
    const [first, ...rest] = usable.length > 0 ? usable : ranked;
    recognizers[spokenLanguage] = first ?? registry.select('recognizer', query);
    if (rest.length > 0) otherRecognizers[spokenLanguage] = rest;
  }
  const mayBeCantonese = candidates.includes('cantonese');
  const wantsFusion = !options.skipFusion && options.corpusIds?.length !== 0 && requested === null && mayBeCantonese;
  const [romanizer] = wantsFusion ? registry.selectAll('romanizer') : [];
  const correctors = wantsFusion ? registry.selectAll('corrector') : [];
  const willFuse = romanizer !== undefined && correctors.length > 0;
  const models: TranscriptionModels = {
    recognizers,
    ...(Object.keys(otherRecognizers).length > 0 ? { otherRecognizers } : {}),
    languageIdentifier: languages.length > 1 ? registry.select('language-identifier') : null,
    diarizer: options.withDiarization ? registry.select('diarizer') : null,
    romanizer: willFuse ? romanizer : null,
    correctors: willFuse ? correctors : [],
  };
  const namesCorpora = (options.corpusIds?.length ?? 0) > 0;
  const takesWords = Object.values(recognizers).some(({ capabilities }) => capabilities.hotWords === true);
  return {
    ...(namesCorpora && takesWords ? { hearsCorpora: true as const } : {}),
    backend: isIdentified ? (requested ?? 'auto') : (Object.values(recognizers)[0] ?? best).model,
    version: versionOf(models, isIdentified),
    willFuse,
    models,
  };
}

/** Checks whether every model of a plan is still available in the same version. */
export function isPlanAvailable(registry: Pick<EngineRegistry, 'selectAll'>, { models }: TranscriptionPlan): boolean {
  return allModels(models).every(({ ability, engine, model, version }) =>
    registry
      .selectAll(ability)
      .some((available) => available.engine === engine && available.model === model && available.version === version),
  );
}

function allModels(models: TranscriptionModels): ModelRef[] {
  return [...Object.values(models.recognizers), ...otherModels(models)];
}

function otherModels({ languageIdentifier, diarizer, romanizer, correctors }: TranscriptionModels): ModelRef[] {
  return [languageIdentifier, diarizer, romanizer, ...correctors].filter((ref) => ref !== null);
}

/** Computes a digest of every model that can change the text. */
function versionOf(models: TranscriptionModels, isIdentified: boolean): string {
  const lines = [
    ...Object.entries(models.recognizers).map(([language, { model, version }]) =>
      isIdentified ? `${language} ${model} ${version}` : `${model} ${version}`,
    ),
    ...otherModels(models).map(({ ability, model, version }) => `${ability} ${model} ${version}`),
  ];
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
