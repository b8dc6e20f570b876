import { createHash } from 'node:crypto';
import { z } from 'zod';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';

/**
 * The base URL of a server including its API version (`/v1` unless given), without a trailing
 * slash.
 */
export const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  // Credentials belong in the key variable: URLs appear in logs.
  .refine((url) => !/[@?#]/.test(url))
  // Some servers have a path after the version (…/v1beta/openai).
  .transform((url) => (/\/v\d+[a-z0-9]*(\/|$)/.test(new URL(url).pathname) ? url : `${url}/v1`));

/** A key; null when the variable is empty or unset. */
export const ApiKey = z
  .string()
  .optional()
  .transform((key) => (key === undefined || key === '' ? null : key));

/** Parses "cantonese=95,english=97". */
export const LanguageQualities = z.string().transform((text, context) => {
  const found: Partial<Record<Language, number>> = {};
  for (const entry of text.split(',')) {
    const [name = '', value = ''] = entry.split('=').map((part) => part.trim());
    const language = LANGUAGES.find((candidate) => candidate === name);
    const quality = Number(value);
    if (language === undefined || !(quality > 0 && quality <= 100)) {
      context.addIssue({ code: 'custom', message: 'not like cantonese=80,english=95' });
      return z.NEVER;
    }
    found[language] = quality;
  }
  return found;
});

/**
 * A version of these settings: the readable model name and a digest of everything, including the
 * URL.
 */
export function versionOf(model: string, settings: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(settings));
  return `${model.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60)}-${digest.digest('hex').slice(0, 8)}`;
}
