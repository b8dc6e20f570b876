import { FALLBACK_NATURE, FALLBACK_RECOGNIZER, RECOMMENDED_RECOGNIZER, type ModelPulls } from '@jyutsing/contracts/model-catalog';
import type { FirstPull, ModelPackage } from '@jyutsing/contracts/model-package';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import { modelState } from '@jyutsing/engines/runtime/model-files/install';
import { withRequired } from '@jyutsing/engines/runtime/model-files/with-required';
import type { Config } from '#config/config.ts';
import type { Logger } from '#telemetry/logger.ts';

/**
 * Pulls the models of MODELS_AUTO_PULL in the background where only the fallback recognizes a
 * language, and goes on with those that an earlier start began; when that is switched off, the log
 * says how to install the recommended recognizer.
 */
export async function pullAtStart(
  config: Config,
  engines: EngineRegistry,
  pulls: ModelPulls,
  logger: Logger,
): Promise<void> {
  const { autoPull } = config.models;
  const [first, ...rest] = await wantedPackages(config, engines, autoPull === 'off' ? 'recommended' : autoPull);
  if (first === undefined) return;
  if (autoPull === 'off') {
    logger.info(
      { model: RECOMMENDED_RECOGNIZER },
      `in use is ${FALLBACK_NATURE}; install the recommended recognizer with: npm run models -- pull ${RECOMMENDED_RECOGNIZER}`,
    );
    return;
  }
  const models = [first, ...rest].map(({ name }) => name);
  logger.info(
    { models },
    'models for Cantonese, Mandarin and English are being pulled in the background; MODELS_AUTO_PULL=off prevents it',
  );
  pulls.start(first.name, ...rest.map(({ name }) => name));
}

/** The missing packages of a first pull, recognizers first; none where it is not needed. */
async function wantedPackages(
  { stt, engines: { modelsDir } }: Config,
  engines: EngineRegistry,
  mode: FirstPull,
): Promise<ModelPackage[]> {
  if (stt.engine !== 'auto' || hasOutsideRecognizer(engines)) return [];
  const named = engines.packages.filter(({ firstPulls }) => firstPulls?.includes(mode) === true);
  const offered = withRequired(
    named.map(({ name }) => name),
    engines.packages,
  );
  const states = await Promise.all(offered.map(async (pack) => (await modelState(pack, modelsDir)).state));
  const isBegun = states.includes('unfinished');
  if (!isBegun && !LANGUAGES.some((language) => hasOnlyFallback(engines, language))) return [];
  const missing = offered.filter((_pack, index) => states[index] !== 'installed');
  return missing.toSorted((a, b) => Number(isRecognizer(b)) - Number(isRecognizer(a)));
}

const isRecognizer = ({ purpose }: ModelPackage): boolean => purpose === 'recognizer';

/** Whether a recognizer that is neither the fallback nor pulled is there, such as a server. */
function hasOutsideRecognizer({ packages, selectAll }: EngineRegistry): boolean {
  return selectAll('recognizer').some(
    ({ engine, model }) => engine !== FALLBACK_RECOGNIZER && packages.every(({ name }) => name !== model),
  );
}

function hasOnlyFallback({ selectAll }: EngineRegistry, language: (typeof LANGUAGES)[number]): boolean {
  const [best] = selectAll('recognizer', { language });
  return best === undefined || best.engine === FALLBACK_RECOGNIZER;
}
