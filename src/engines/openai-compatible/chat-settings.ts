import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The language model server that the operator set up. */
export type ChatSettings = {
  /** What `/chat/completions` is appended to; no slash behind. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
};

/** Either settings, or the reason why there are none: one sentence for the operator, without any value in it. */
export type ChatSettingsOrReason = { settings: ChatSettings } | { reason: string };

const Variables = z.object({
  LLM_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    // The key must come as a key: an address is shown in more places.
    .refine((url) => !/[@?#]/.test(url)),
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL: z.string().trim().min(1),
});

/** The settings of the variables LLM_…; both the address and the model must be set. */
export function readChatSettings(variables: Readonly<Record<string, string>>): ChatSettingsOrReason {
  for (const name of ['LLM_BASE_URL', 'LLM_MODEL'] as const) {
    if ((variables[name] ?? '') === '') return { reason: `${name} is not set` };
  }
  const parsed = Variables.safeParse(variables);
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map(({ path }) => String(path[0])));
    return { reason: `${[...names].join(' and ')} cannot be used as it is set` };
  }
  const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL } = parsed.data;
  return {
    settings: {
      // Some servers have more after the version (…/v1beta/openai).
      baseUrl: /\/v\d+[a-z0-9]*(\/|$)/.test(new URL(LLM_BASE_URL).pathname) ? LLM_BASE_URL : `${LLM_BASE_URL}/v1`,
      apiKey: LLM_API_KEY === undefined || LLM_API_KEY === '' ? null : LLM_API_KEY,
      model: LLM_MODEL,
    },
  };
}

/** Part of the cache key: another server or model gives another text. Of the address only a digest is told. */
export function chatSettingsVersion({ baseUrl, model }: ChatSettings): string {
  const digest = createHash('sha256').update(JSON.stringify([baseUrl, model]));
  return `${model.replaceAll(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60)}-${digest.digest('hex').slice(0, 8)}`;
}
