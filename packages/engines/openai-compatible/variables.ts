import { createHash } from 'node:crypto';
import { z } from 'zod';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';

/** The address of a server, up to and with its version (`/v1` where none is written); no slash behind. */
export const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/\/+$/, ''))
  // The key must come as a key: an address is shown in more places.
  .refine((url) => !/[@?#]/.test(url))
  // Some servers have more after the version (…/v1beta/openai).
  .transform((url) => (/\/v\d+[a-z0-9]*(\/|$)/.test(new URL(url).pathname) ? url : `${url}/v1`));

/** A key, or null where the variable is empty or not set. */
export const ApiKey = z
  .string()
  .optional()
  .transform((key) => (key === undefined || key === '' ? null : key));

/** "cantonese=95,english=97" as data. */
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

/** A version for what depends on these settings: the model's name for people, and of everything, the address included, a digest. */
export function versionOf(model: string, everything: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(everything));
  return `${model.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60)}-${digest.digest('hex').slice(0, 8)}`;
}
