import { formatDate, formatNumber, text } from '#console/core/text.ts';
import { Card } from '#console/ui/parts.tsx';
import { daysOf, streakOf, type KeptDay } from './practice-days.ts';

const DAYS = 14;
const [WIDTH, HEIGHT] = [280, 60];

/** How often and how well was practised on each of the last days. */
export function PracticeProgress({ kept, passedCount }: { kept: readonly KeptDay[]; passedCount: number }) {
  const { progress } = text().pronunciation;
  if (kept.length === 0) return null;
  const now = new Date();
  const days = daysOf(kept, DAYS, now);
  const step = WIDTH / DAYS;
  const label = days
    .filter(({ times }) => times > 0)
    .map(({ date, times, score }) => progress.day(formatDate(date), times, formatNumber(Math.round(score))))
    .join('; ');
  return (
    <Card title={progress.title}>
      <p>{progress.summary(streakOf(kept, now), passedCount)}</p>
      <svg class="practice-days" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {days.map(({ date, times, score }, index) => {
          const height = times === 0 ? 2 : Math.max(4, (score / 100) * HEIGHT);
          return (
            <rect
              key={date}
              class={times === 0 ? 'idle' : ''}
              x={index * step + 2}
              y={HEIGHT - height}
              width={step - 4}
              height={height}
              rx="3"
            >
              <title>{progress.day(formatDate(date), times, formatNumber(Math.round(score)))}</title>
            </rect>
          );
        })}
      </svg>
      <p class="muted small-text">{progress.hint}</p>
    </Card>
  );
}
