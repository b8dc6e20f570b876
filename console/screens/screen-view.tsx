import type { ComponentType } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { notifyFailure } from '#console/core/notices.ts';
import { loadPart } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import { Progress } from '#console/ui/parts.tsx';
import type { Screen, ScreenName, ScreenProps } from './screens.ts';

type ScreenComponent = ComponentType<ScreenProps>;

/** The code of each screen, which a browser loads when the screen is first opened. */
const CODE: Readonly<Record<ScreenName, () => Promise<ScreenComponent>>> = {
  '': async () => (await import('./home/home.tsx')).Home,
  transcribe: async () => (await import('./transcribe/transcribe.tsx')).Transcribe,
  transcripts: async () => (await import('./transcripts/transcripts.tsx')).Transcripts,
  live: async () => (await import('./live/live.tsx')).Live,
  speak: async () => (await import('./speak/speak.tsx')).Speak,
  pronunciation: async () => (await import('./pronunciation/pronunciation.tsx')).Pronunciation,
  voices: async () => (await import('./voices/voices.tsx')).Voices,
  video: async () => (await import('./video/video.tsx')).Video,
  corpora: async () => (await import('./corpora/corpora.tsx')).Corpora,
  settings: async () => (await import('./settings/settings.tsx')).Settings,
};

const loaded = new Map<ScreenName, ScreenComponent>();

export function ScreenView({ screen, id, seconds }: ScreenProps & { screen: Screen }) {
  const shown = useSignal<ScreenComponent | null>(loaded.get(screen.name) ?? null);
  useEffect(() => {
    if (shown.value !== null) return;
    loadPart(CODE[screen.name]).then((component) => {
      loaded.set(screen.name, component);
      shown.value = component;
    }, notifyFailure);
  }, [screen, shown]);
  const Component = shown.value;
  return Component === null ? (
    <Progress label={text().common.loading} fraction={null} />
  ) : (
    <Component id={id} seconds={seconds} />
  );
}
