import type { Jyutsing } from '@jyutsing/client';
import { FALLBACK_NATURE, RECOMMENDED_RECOGNIZER } from '@jyutsing/contracts/model-catalog';
import { CANDIDATES, type Language } from '@jyutsing/contracts/transcript';
import { readLanguage } from '@jyutsing/text/language-names';

const NOTICE = `This is ${FALLBACK_NATURE}: run \`jyutsing models pull ${RECOMMENDED_RECOGNIZER}\` (163 MB) where the service runs, or set STT_BASE_URL there.`;

/** Says on standard error that the built-in recognizer was or will be used. */
export function noticeFallback(): void {
  process.stderr.write(`${NOTICE}\n`);
}

/**
 * Whether a service has only the built-in recognizer for a model (or the best) of a language; false
 * where it does not say: a notice depends on it, and no work. An aborted signal throws its reason.
 */
export async function hasOnlyFallback(
  client: Pick<Jyutsing, 'health'>,
  { model, language }: { model?: string | undefined; language: string },
  signal: AbortSignal,
): Promise<boolean> {
  const health = await client.health({ signal }).catch(() => null);
  signal.throwIfAborted();
  if (health === null) return false;
  const { engines } = health;
  const recognizers = engines.filter(({ ability }) => ability === 'recognizer');
  const named = recognizers.filter(({ name }) => name === model);
  // A setting of several languages is judged by the first of them.
  const [spokenLanguage = 'cantonese']: readonly Language[] = CANDIDATES[readLanguage(language) ?? 'cantonese'];
  const fitting = named.length > 0 ? named : recognizers.filter(({ languages }) => languages.includes(spokenLanguage));
  return fitting.length > 0 && fitting.every(({ quality }) => quality === 'fallback');
}
