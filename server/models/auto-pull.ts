import { FALLBACK_RECOGNIZER, type ModelPulls } from '@jyutsing/contracts/model-catalog';
import type { ModelPackage } from '@jyutsing/contracts/model-package';
import type { EngineRegistry } from '@jyutsing/engines/registry';
import type { Config } from '#config/config.ts';
import type { Logger } from '#telemetry/logger.ts';

/**
 * Pulls the recommended recognizer in the background when only the fallback recognizes Cantonese;
 * when that is switched off, the log says how to install it.
 */
export function pullRecommended(config: Config, engines: EngineRegistry, pulls: ModelPulls, logger: Logger): void {
  const pack = betterPackage(config, engines);
  if (pack === null) return;
  if (config.models.autoPull) {
    logger.info(
      { model: pack.name },
      'the recommended Cantonese recognizer is being pulled in the background; MODELS_AUTO_PULL=off prevents it',
    );
    pulls.start(pack.name);
  } else {
    logger.info(
      { model: pack.name },
      `the built-in fallback recognizer is in use, which is inaccurate for most speakers; install the recommended recognizer with: npm run models -- pull ${pack.name}`,
    );
  }
}

/** The recommended package; null when it is not needed, not chosen or not offered. */
function betterPackage({ stt }: Config, engines: EngineRegistry): ModelPackage | null {
  if (stt.engine !== 'auto') return null;
  const [best] = engines.selectAll('recognizer', { language: 'cantonese' });
  if (best !== undefined && best.engine !== FALLBACK_RECOGNIZER) return null;
  return engines.packages.find(({ isRecommended }) => isRecommended === true) ?? null;
}
