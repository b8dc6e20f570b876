import type { ComponentType } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Scope } from '@jyutsing/client';
import { notifyFailure } from '#console/core/notices.ts';
import type { Route } from '#console/core/router.ts';
import { isAllowed, loadPart } from '#console/core/session.ts';
import { text } from '#console/core/text.ts';
import type { IconName } from '#console/ui/icon.tsx';
import { Progress } from '#console/ui/parts.tsx';

/** What a screen is given: the part of the address behind its name, such as an id. */
export type ScreenProps = { id: string | null };

export type Screen = {
  /** In the address: `#/<name>`. */
  name: string;
  /** Null: not in the menu. */
  icon: IconName | null;
  /** What a key must be allowed to do to use it. */
  scope: Scope | null;
  title(messages: ReturnType<typeof text>): string;
  /** Its code, which a browser loads when the screen is first opened. */
  load(): Promise<ComponentType<ScreenProps>>;
};

/** Every screen in the order of the menu. A new one is a folder here and an entry in this list. */
export const SCREENS: readonly Screen[] = [
  {
    name: '',
    icon: 'home',
    scope: null,
    title: ({ nav }) => nav.home,
    load: async () => (await import('./home/home.tsx')).Home,
  },
  {
    name: 'transcribe',
    icon: 'transcribe',
    scope: 'stt',
    title: ({ nav }) => nav.transcribe,
    load: async () => (await import('./transcribe/transcribe.tsx')).Transcribe,
  },
  {
    name: 'transcripts',
    icon: 'transcripts',
    scope: 'stt',
    title: ({ nav }) => nav.transcripts,
    load: async () => (await import('./transcripts/transcripts.tsx')).Transcripts,
  },
  {
    name: 'live',
    icon: 'live',
    scope: 'stt',
    title: ({ nav }) => nav.live,
    load: async () => (await import('./live/live.tsx')).Live,
  },
  {
    name: 'speak',
    icon: 'speak',
    scope: 'tts',
    title: ({ nav }) => nav.speak,
    load: async () => (await import('./speak/speak.tsx')).Speak,
  },
  {
    name: 'pronunciation',
    icon: 'pronunciation',
    scope: 'pronunciation',
    title: ({ nav }) => nav.pronunciation,
    load: async () => (await import('./pronunciation/pronunciation.tsx')).Pronunciation,
  },
  {
    name: 'voices',
    icon: 'voices',
    scope: 'tts',
    title: ({ nav }) => nav.voices,
    load: async () => (await import('./voices/voices.tsx')).Voices,
  },
  {
    name: 'video',
    icon: 'video',
    scope: 'video',
    title: ({ nav }) => nav.video,
    load: async () => (await import('./video/video.tsx')).Video,
  },
  {
    name: 'corpora',
    icon: 'corpora',
    scope: 'stt',
    title: ({ nav }) => nav.corpora,
    load: async () => (await import('./corpora/corpora.tsx')).Corpora,
  },
  {
    name: 'settings',
    icon: 'settings',
    scope: null,
    title: ({ nav }) => nav.settings,
    load: async () => (await import('./settings/settings.tsx')).Settings,
  },
];

/** The screen of this name is of use to the key of this session. */
export function isOffered(name: string): boolean {
  return isAllowed(SCREENS.find((screen) => screen.name === name)?.scope ?? null);
}

/** Unknown addresses lead home. */
export function screenOf({ screen }: Route): Screen {
  return SCREENS.find(({ name }) => name === screen) ?? (SCREENS[0] as Screen);
}

const loaded = new Map<string, ComponentType<ScreenProps>>();

export function ScreenView({ screen, id }: ScreenProps & { screen: Screen }) {
  const shown = useSignal<ComponentType<ScreenProps> | null>(loaded.get(screen.name) ?? null);
  useEffect(() => {
    if (shown.value !== null) return;
    loadPart(screen.load).then((component) => {
      loaded.set(screen.name, component);
      shown.value = component;
    }, notifyFailure);
  }, [screen, shown]);
  const Component = shown.value;
  return Component === null ? <Progress label={text().common.loading} fraction={null} /> : <Component id={id} />;
}
