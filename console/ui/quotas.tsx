import type { Usage } from '@jyutsing/client';
import { formatAmount, formatDate, formatNumber, text } from '#console/core/text.ts';
import { Progress } from './parts.tsx';
import './quotas.css';

/** Seconds of recordings are told in minutes and hours. */
const shownAs = (unit: string, count: number) => (unit === 'stt_seconds' ? formatAmount(count) : formatNumber(count));

/** Shows what the plan allows in this period, and how much of it is used. */
export function Quotas({ of: usage }: { of: Usage }) {
  const { home } = text();
  const { quotas, kept_audio: kept, stored_text: stored, plan, period_end: end } = usage;
  const limits = {
    ...quotas,
    kept_audio: { used: kept.used_mb, limit: kept.limit_mb },
    stored_text: { used: stored.used_mb, limit: stored.limit_mb },
  };
  return (
    <div class="stack">
      {Object.entries(limits).map(([unit, { used, limit }]) => (
        <div key={unit} class="quota">
          <span>{home.quotas[unit] ?? unit}</span>
          <span class="muted tabular">
            {limit === null
              ? home.usedOfAny(shownAs(unit, used))
              : home.used(shownAs(unit, used), shownAs(unit, limit))}
          </span>
          {limit === null ? null : (
            <Progress
              label={home.quotas[unit] ?? unit}
              fraction={limit === 0 ? 1 : used / limit}
              isFull={used >= limit}
            />
          )}
        </div>
      ))}
      <p class="muted small-text">
        {home.plan(plan)} · {home.renews(formatDate(end))}
      </p>
    </div>
  );
}
