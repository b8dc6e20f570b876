import { z } from 'zod';
import { QUOTA_UNITS, type ConcurrentUse, type Plan, type QuotaUnit } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';

/** Plans by name. */
export type Plans = Readonly<Record<string, Plan>>;

const Quota = z.number().int().min(0).nullable();

/** At least one: a plan without any would look like a broken service. */
const AtATime = z.number().int().min(1).nullable();
const UNLIMITED: Record<ConcurrentUse, null> = {
  speech: null,
  scores: null,
  waits: null,
  eventStreams: null,
  live: null,
};

const PlanFile = z.record(
  z.string().min(1).max(64),
  z.strictObject({
    quotas: z.strictObject({ stt_seconds: Quota, tts_characters: Quota, video_summaries: Quota }),
    requestsPerMinute: z.number().int().min(1),
    pollsPerMinute: z.number().int().min(1),
    streamingTts: z.boolean(),
    // Optional, as `live` is, because files of earlier versions do not have them.
    keptAudioMb: z.number().min(0).nullable().default(null),
    storedTextMb: z.number().min(0).nullable().default(null),
    concurrent: z
      .strictObject({
        speech: AtATime,
        scores: AtATime,
        waits: AtATime,
        eventStreams: AtATime,
        live: AtATime.default(null),
      })
      .default(UNLIMITED),
  }),
);

/**
 * The shipped plans. `free` is enough to try every feature for a month; `pro` is for the owner of a
 * server, so speech is unlimited and a load test stays below the rate limit.
 */
export const SHIPPED_PLANS: Plans = plansByName({
  free: {
    quotas: { stt_seconds: 3_600, tts_characters: 10_000, video_summaries: 5 },
    requestsPerMinute: 60,
    pollsPerMinute: 240,
    streamingTts: false,
    keptAudioMb: 500,
    storedTextMb: 200,
    concurrent: { speech: 4, scores: 16, waits: 16, eventStreams: 16, live: 4 },
  },
  starter: {
    quotas: { stt_seconds: 36_000, tts_characters: 200_000, video_summaries: 50 },
    requestsPerMinute: 300,
    pollsPerMinute: 2_400,
    streamingTts: true,
    keptAudioMb: 10_000,
    storedTextMb: 4_000,
    concurrent: { speech: 16, scores: 64, waits: 64, eventStreams: 64, live: 16 },
  },
  pro: {
    quotas: { stt_seconds: null, tts_characters: null, video_summaries: 400 },
    requestsPerMinute: 6_000,
    pollsPerMinute: 120_000,
    streamingTts: true,
    keptAudioMb: null,
    storedTextMb: null,
    concurrent: { speech: 256, scores: 256, waits: 1_024, eventStreams: 1_024, live: 256 },
  },
});

/**
 * The shipped plans, replaced and extended by those of a JSON text:
 * `{"team": {"quotas": {…}, "requestsPerMinute": …, …}}`. Throws `invalid_parameter` that names the
 * first error.
 */
export function plansWith(json: string): Plans {
  const parsed = PlanFile.safeParse(parseJson(json));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AppError('invalid_parameter', `Plans: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}.`);
  }
  return { ...SHIPPED_PLANS, ...plansByName(parsed.data) };
}

/** The plan of a new server's owner: the one with the highest rate limit. */
export function topPlan(plans: Plans): Plan {
  const [top] = Object.values(plans).sort((a, b) => b.requestsPerMinute - a.requestsPerMinute);
  if (top === undefined) throw new AppError('invalid_parameter', 'Plans: there is no plan.');
  return top;
}

/** The plan of an account. Throws `plan_required` when it is no longer configured. */
export function planOf(plans: Plans, name: string): Plan {
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (plan === undefined) {
    throw new AppError(
      'plan_required',
      'The plan of this account is no longer offered; ask the operator of the service.',
    );
  }
  return plan;
}

/** Bytes of text that an account may store; null: unlimited. */
export function textLimitBytes({ storedTextMb }: Pick<Plan, 'storedTextMb'>): number | null {
  return storedTextMb === null ? null : storedTextMb * 1e6;
}

/** Usage of one quota unit in a period; null: unlimited. */
export type QuotaUse = { used: number; limit: number | null; remaining: number | null };

/** Usage and limit of every unit. */
export function quotaUses(plan: Plan, used: Record<QuotaUnit, number>): Record<QuotaUnit, QuotaUse> {
  const entries = QUOTA_UNITS.map((unit): [QuotaUnit, QuotaUse] => {
    const limit = plan.quotas[unit];
    return [unit, { used: used[unit], limit, remaining: limit === null ? null : Math.max(0, limit - used[unit]) }];
  });
  return Object.fromEntries(entries) as Record<QuotaUnit, QuotaUse>;
}

function plansByName(plans: Record<string, Omit<Plan, 'name'>>): Plans {
  return Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, { name, ...plan }]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_parameter', 'Plans: the file is not valid JSON.', { cause });
  }
}
