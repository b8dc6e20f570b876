import { z } from 'zod';
import { QUOTA_UNITS, type ApiKey, type ConcurrentUse } from '@jyutsing/contracts/accounts';
import type { Usage } from '#features/accounts/administration.ts';
import { KeyView, viewKey } from '#http/admin/schema.ts';

const Quota = z.object({
  used: z.number(),
  limit: z.number().nullable().describe('null: unlimited.'),
  remaining: z.number().nullable(),
});

const AtATime = z
  .object({ in_use: z.number(), limit: z.number().nullable().describe('null: unlimited.') })
  .meta({ id: 'ConcurrentRequests' });

const Storage = z.object({ used_mb: z.number(), limit_mb: z.number().nullable().describe('null: unlimited.') });

export const UsageAnswer = z
  .object({
    success: z.literal(true),
    account: z.object({ id: z.uuid(), name: z.string() }),
    plan: z.string(),
    period: z.iso.date().describe('The day (UTC) on which the current period began.'),
    period_start: z.iso.datetime(),
    period_end: z.iso
      .datetime()
      .describe(
        'When the quotas are reset: each month on the day of the account’s creation, or on the last day of a shorter month.',
      ),
    quotas: z.record(z.enum(QUOTA_UNITS), Quota),
    rate_limits: z.object({ requests_per_minute: z.number(), polls_per_minute: z.number() }),
    concurrent: z
      .object({ speech: AtATime, scores: AtATime, waits: AtATime, event_streams: AtATime, live: AtATime })
      .describe('Requests of the account that run now, and how many the plan allows.'),
    kept_audio: Storage.describe('By `keep_audio`, in 10^6 bytes.'),
    stored_text: Storage.describe('Of transcriptions and corpora. Running work counts what it is expected to store.'),
  })
  .meta({ id: 'Usage' });

export const OwnUsageAnswer = UsageAnswer.extend({ key: KeyView.describe('The key of this request.') }).meta({
  id: 'OwnUsage',
});

/** `inUse`: the requests of the account that run now. */
export function viewUsage(usage: Usage, inUse: Record<ConcurrentUse, number>): z.output<typeof UsageAnswer> {
  const atATime = (use: ConcurrentUse) => ({ in_use: inUse[use], limit: usage.concurrent[use] });
  return {
    success: true,
    account: { id: usage.account.id, name: usage.account.name },
    plan: usage.plan,
    period: usage.period,
    period_start: new Date(usage.periodStartMs).toISOString(),
    period_end: new Date(usage.periodEndMs).toISOString(),
    quotas: usage.quotas,
    rate_limits: { requests_per_minute: usage.requestsPerMinute, polls_per_minute: usage.pollsPerMinute },
    concurrent: {
      speech: atATime('speech'),
      scores: atATime('scores'),
      waits: atATime('waits'),
      event_streams: atATime('eventStreams'),
      live: atATime('live'),
    },
    kept_audio: { used_mb: toMb(usage.keptBytes), limit_mb: usage.keptAudioMb },
    stored_text: { used_mb: toMb(usage.storedTextBytes), limit_mb: usage.storedTextMb },
  };
}

/** `key`: that of the request. */
export function viewOwnUsage(
  usage: Usage,
  inUse: Record<ConcurrentUse, number>,
  key: ApiKey,
): z.output<typeof OwnUsageAnswer> {
  return { ...viewUsage(usage, inUse), key: viewKey(key) };
}

/** With one decimal, rounded up: 0 means none. */
function toMb(bytes: number): number {
  return Math.ceil(bytes / 1e5) / 10;
}
