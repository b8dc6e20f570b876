import { createHash } from 'node:crypto';
import type { EngineEnv } from '@jyutsing/contracts/recognizer';
import type { TranscriptionOptions, TranscriptionPlan } from '@jyutsing/contracts/transcription';
import type { EngineRegistry, RankedAbility } from './registry.ts';

/**
 * Who takes part in the work of a request, decided before it is accepted; `defaultPreference` is what this server does where the
 * request names no model. Fusion runs for Cantonese on the default model only, and only where there are engines for it.
 * Throws `model_not_found`, `invalid_parameter` or `engine_unavailable` as `chooseRecognizer` does, and `engine_unavailable` when
 * speakers are wanted and nobody can tell them apart.
 */
export function planTranscription(
  registry: EngineRegistry,
  env: EngineEnv,
  options: TranscriptionOptions,
  defaultPreference: string,
): TranscriptionPlan {
  const { language, model } = options;
  const preference = model ?? defaultPreference;
  const choice = registry.chooseRecognizer(language, preference).model;
  const versions: string[] = [];
  if (language === 'auto') {
    // Which of them it will be is known only once the language is.
    for (const each of registry.recognizableLanguages(preference)) {
      versions.push(`${each} ${nameOf(registry.chooseRecognizer(each, preference).model)}`);
    }
  } else versions.push(nameOf(choice));

  const add = (ability: RankedAbility, engines: readonly { name: string; version(from: EngineEnv): string }[]) => {
    for (const engine of engines) versions.push(`${ability} ${engine.name} ${engine.version(env)}`);
  };
  if (language === 'auto' && versions.length > 1) {
    add('language-identifier', registry.available('language-identifier').slice(0, 1));
  }
  if (options.withDiarization) add('diarizer', [registry.choose('diarizer')]);

  const mayBeCantonese = language === 'cantonese' || language === 'auto';
  const isWanted = !options.skipFusion && options.corpusIds?.length !== 0 && model === null && mayBeCantonese;
  const romanizers = registry.available('romanizer');
  const correctors = registry.available('corrector');
  const willFuse = isWanted && romanizers.length > 0 && correctors.length > 0;
  if (willFuse) {
    add('romanizer', romanizers.slice(0, 1));
    // All of them: where the first fails, the next takes its place.
    add('corrector', correctors);
  }
  return {
    backend: language === 'auto' ? (model ?? 'auto') : choice.name,
    version: createHash('sha256').update(versions.join('\n')).digest('hex'),
    willFuse,
  };
}

function nameOf({ name, version }: { name: string; version: string }): string {
  return `${name} ${version}`;
}
