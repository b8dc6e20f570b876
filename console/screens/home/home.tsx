import { useLoaded } from '#console/core/loaded.ts';
import { addressOf, open } from '#console/core/router.ts';
import { client } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { isOffered } from '#console/screens/screens.ts';
import { addFiles } from '#console/screens/transcribe/submissions.ts';
import { RecentList } from '#console/screens/transcripts/recent-list.tsx';
import { Icon, type IconName } from '#console/ui/icon.tsx';
import { Card, PageHead, Shown } from '#console/ui/parts.tsx';
import { Quotas } from '#console/ui/quotas.tsx';
import { DropZone } from '#console/ui/drop-zone.tsx';
import { ModelBanner } from '#console/ui/model-banner.tsx';
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
        {isOffered('transcribe') ? <ModelBanner /> : null}
        <div class="home-start">
          {isOffered('transcribe') ? (
            <DropZone
              title={home.dropTitle}
              hint={home.dropText}
              onFiles={(files) => {
                addFiles(files);
                open('transcribe');
              }}
            />
          ) : null}
          <ul class="shortcuts">
            {SHORTCUTS.filter(({ screen }) => isOffered(screen)).map(({ screen, icon, hint }) => (
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
          {isOffered('transcripts') ? (
            <Card title={home.recent}>
              <RecentList limit={6} />
            </Card>
          ) : null}
          <Card title={home.allowance}>
            <Shown of={usage}>{(value) => <Quotas of={value} />}</Shown>
          </Card>
        </div>
      </div>
    </>
  );
}
