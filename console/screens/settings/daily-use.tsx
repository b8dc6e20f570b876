import type { ListedTranscription } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { client } from '#console/core/session.ts';
import { formatAmount, formatDate, text } from '#console/core/text.ts';
import { Shown } from '#console/ui/parts.tsx';

const DAYS = 30;
/** Older transcripts are not drawn, because the list is read page by page. */
const MAX_TRANSCRIPTS = 1_000;
const DAY_MS = 86_400_000;
const [WIDTH, HEIGHT] = [600, 90];

/** Credits of transcriptions for each of the last 30 days. */
export function DailyUse() {
  const days = useLoaded((signal) => creditsByDay(signal));
  const { settings } = text();
  return <Shown of={days}>{(values) => <Chart values={values} label={settings.lastDays} />}</Shown>;
}

type Day = { date: string; credits: number };

function Chart({ values, label }: { values: readonly Day[]; label: string }) {
  const most = Math.max(1, ...values.map(({ credits }) => credits));
  const total = values.reduce((sum, { credits }) => sum + credits, 0);
  const step = WIDTH / values.length;
  return (
    <figure class="daily-use">
      <figcaption class="row small-text">
        <span>{label}</span>
        <span class="muted tabular push">{formatAmount(total)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${formatAmount(total)}`}
      >
        {values.map(({ date, credits }, index) => {
          const height = credits === 0 ? 1 : Math.max(3, (credits / most) * HEIGHT);
          return (
            <rect key={date} x={index * step + 1} y={HEIGHT - height} width={step - 3} height={height} rx="2">
              <title>{`${formatDate(date)}: ${formatAmount(credits)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div class="row muted small-text">
        <span>{formatDate(values[0]?.date ?? '')}</span>
        <span class="push">{formatDate(values.at(-1)?.date ?? '')}</span>
      </div>
    </figure>
  );
}

async function creditsByDay(signal: AbortSignal): Promise<Day[]> {
  const today = Date.now();
  const days = Array.from({ length: DAYS }, (_, index) => dayOf(new Date(today - (DAYS - 1 - index) * DAY_MS)));
  const credits = new Map(days.map((date) => [date, 0]));
  let count = 0;
  for await (const transcription of client().transcriptions.list({ pageSize: 100, signal })) {
    count += 1;
    const day = dayOf(new Date(transcription.created_at));
    if (day < (days[0] ?? '') || count > MAX_TRANSCRIPTS) break;
    credits.set(day, (credits.get(day) ?? 0) + creditsOf(transcription));
  }
  return [...credits].map(([date, sum]) => ({ date, credits: sum }));
}

const creditsOf = ({ credits_used: credits = 0 }: ListedTranscription) => credits;

/** The date in the time zone of the browser. */
function dayOf(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}
