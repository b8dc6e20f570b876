import type { Usage } from '@jyutsing/client';
import { useLoaded } from '#console/core/loaded.ts';
import { addressOf, open } from '#console/core/router.ts';
import { client } from '#console/core/session.ts';
import { formatDate, formatNumber, text } from '#console/core/text.ts';
import { addFiles } from '#console/screens/transcribe/submissions.ts';
import { RecentList } from '#console/screens/transcripts/recent-list.tsx';
import { Icon, type IconName } from '#console/ui/icon.tsx';
import { Card, PageHead, Progress, Shown } from '#console/ui/parts.tsx';
import { DropZone } from '#console/ui/drop-zone.tsx';
import { ModelBanner } from './model-banner.tsx';
import './home.css';

const SHORTCUTS: readonly {
  screen: string;
  icon: IconName;
  hint: 'speakText' | 'scoreText' | 'liveText' | 'videoText';
}[] = [
  { screen: 'speak', icon: 'speak', hint: 'speakText' },
  { screen: 'pronunciation', icon: 'pronunciation', hint: 'scoreText' },
  { screen: 'live', icon: 'live', hint: 'liveText' },
  { screen: 'video', icon: 'video', hint: 'videoText' },
];

export function Home() {
  const messages = text();
  const { home, nav } = messages;
  const usage = useLoaded((signal) => client().usage({ signal }));
  const titles: Readonly<Record<string, string>> = nav;
  return (
    <>
      <PageHead title={home.title} />
      <div class="stack">
        <ModelBanner />
        <div class="home-start">
          <DropZone
            title={home.dropTitle}
            hint={home.dropText}
            onFiles={(files) => {
              addFiles(files);
              open('transcribe');
            }}
          />
          <ul class="shortcuts">
            {SHORTCUTS.map(({ screen, icon, hint }) => (
              <li key={screen}>
                <a href={addressOf(screen)}>
                  <Icon name={icon} />
                  <strong>{titles[screen]}</strong>
                  <span>{home[hint]}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
        <div class="home-columns">
          <Card title={home.recent}>
            <RecentList limit={6} />
          </Card>
          <Card title={home.allowance}>
            <Shown of={usage}>{(value) => <Allowance usage={value} />}</Shown>
          </Card>
        </div>
      </div>
    </>
  );
}

function Allowance({ usage }: { usage: Usage }) {
  const { home, common } = text();
  return (
    <div class="stack">
      {Object.entries(usage.quotas).map(([unit, { used, limit }]) => (
        <div key={unit} class="quota">
          <span>{home.quotas[unit] ?? unit}</span>
          <span class="muted tabular">
            {home.used(formatNumber(used), limit === null ? common.unlimited : formatNumber(limit))}
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
        {home.plan(usage.plan)} · {home.renews(formatDate(usage.period_end))}
      </p>
    </div>
  );
}
