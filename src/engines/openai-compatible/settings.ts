import { createHash } from 'node:crypto';
import { z } from 'zod';
import { LANGUAGES, type Language } from '#contracts/transcript.ts';

/** How the outside server is asked. */
export type ServerSettings = {
  /** Ends in /v1, or in what stands for it; no slash behind. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  timeoutMs: number;
  concurrency: number;
  /** Best first: a server that does not know the first code of a language is asked with the second. */
  languageCodes: Readonly<Record<Language, readonly string[]>>;
  /** 100 less the error rate in percent; a language that is not named is not sent there. */
  languages: Readonly<Partial<Record<Language, number>>>;
  timestamps: 'word' | 'segment';
};

/** Either settings, or the reason why there are none: one sentence for the operator, without any value in it. */
export type SettingsOrReason = { settings: ServerSettings } | { reason: string };

/**
 * Whisper-large-v3 as published: Cantonese 12.95 % mixed errors on WSYue's short test set and 26.86 % on the long one (20 % between
 * them), Mandarin 7.7 % (Common Voice 15), English 4.2 % (FLEURS). Servers with better models say so in STT_LANGUAGES.
 */
export const WHISPER_QUALITY = { cantonese: 80, mandarin: 92, english: 95 } as const;

const Variables = z.object({
  STT_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    // The key must come as a key: an address is shown in more places.
    .refine((url) => !/[@?#]/.test(url)),
  STT_API_KEY: z.string().optional(),
  STT_MODEL: z.string().default('whisper-1'),
  STT_TIMEOUT_SECONDS: z.coerce.number().positive().max(290).default(60),
  STT_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(4),
  STT_CANTONESE_CODE: z
    .string()
    .regex(/^[a-zA-Z-]{2,12}$/)
    .default('yue'),
  STT_LANGUAGES: z.string().transform(qualities).default(WHISPER_QUALITY),
  STT_TIMESTAMPS: z.enum(['word', 'segment']).optional(),
});

let last: { of: Readonly<Record<string, string>>; settings: SettingsOrReason } | null = null;

/** The settings of the variables STT_…; the registry asks at every request, so the last answer is kept. */
export function readSettings(variables: Readonly<Record<string, string>>): SettingsOrReason {
  if (last?.of !== variables) last = { of: variables, settings: parseSettings(variables) };
  return last.settings;
}

function parseSettings(variables: Readonly<Record<string, string>>): SettingsOrReason {
  const { STT_BASE_URL } = variables;
  if (STT_BASE_URL === undefined || STT_BASE_URL === '') return { reason: 'STT_BASE_URL names no server' };
  const parsed = Variables.safeParse(variables);
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
    return { reason: `${[...names].join(' and ')} cannot be used as it is set` };
  }
  const env = parsed.data;
  return {
    settings: {
      baseUrl: /\/v\d+[a-z0-9]*$/.test(env.STT_BASE_URL) ? env.STT_BASE_URL : `${env.STT_BASE_URL}/v1`,
      apiKey: env.STT_API_KEY ?? null,
      model: env.STT_MODEL,
      timeoutMs: env.STT_TIMEOUT_SECONDS * 1_000,
      concurrency: env.STT_CONCURRENCY,
      languageCodes: {
        cantonese: env.STT_CANTONESE_CODE === 'zh' ? ['zh'] : [env.STT_CANTONESE_CODE, 'zh'],
        mandarin: ['zh'],
        english: ['en'],
      },
      languages: env.STT_LANGUAGES,
      // Whisper's servers time words; what is called otherwise often answers text only.
      timestamps: env.STT_TIMESTAMPS ?? (/whisper/i.test(env.STT_MODEL) ? 'word' : 'segment'),
    },
  };
}

/**
 * Part of the cache key: another server or model gives another text, and so does another way to ask. Of the address only a digest
 * is told.
 */
export function settingsVersion({ baseUrl, model, languageCodes, timestamps }: ServerSettings): string {
  const digest = createHash('sha256').update(JSON.stringify([baseUrl, model, languageCodes, timestamps]));
  return `${model.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60)}-${digest.digest('hex').slice(0, 8)}`;
}

/** "cantonese=95,english=97" as data. */
function qualities(text: string, context: z.RefinementCtx): Partial<Record<Language, number>> {
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
}
