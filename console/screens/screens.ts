import type { Scope } from '@jyutsing/client';
import type { Route } from '#console/core/router.ts';
import { isAllowed } from '#console/core/session.ts';
import type { text } from '#console/core/text.ts';
import type { IconName } from '#console/ui/icon.tsx';

/** A screen gets the parts of the address behind its name: an id, and a time within it. */
export type ScreenProps = { id: string | null; seconds: number | null };

export type ScreenName =
  | ''
  | 'transcribe'
  | 'transcripts'
  | 'live'
  | 'speak'
  | 'pronunciation'
  | 'voices'
  | 'video'
  | 'corpora'
  | 'settings';

export type Screen = {
  /** In the address: `#/<name>`. */
  name: ScreenName;
  icon: IconName;
  /** The scope that a key needs for the screen. */
  scope: Scope | null;
  title(messages: ReturnType<typeof text>): string;
};

const HOME: Screen = { name: '', icon: 'home', scope: null, title: ({ nav }) => nav.home };

/**
 * Every screen in the order of the menu. A new one is a folder here, an entry in this list and its
 * code in `screen-view.tsx`.
 */
export const SCREENS: readonly Screen[] = [
  HOME,
  { name: 'transcribe', icon: 'transcribe', scope: 'stt', title: ({ nav }) => nav.transcribe },
  { name: 'transcripts', icon: 'transcripts', scope: 'stt', title: ({ nav }) => nav.transcripts },
  { name: 'live', icon: 'live', scope: 'stt', title: ({ nav }) => nav.live },
  { name: 'speak', icon: 'speak', scope: 'tts', title: ({ nav }) => nav.speak },
  { name: 'pronunciation', icon: 'pronunciation', scope: 'pronunciation', title: ({ nav }) => nav.pronunciation },
  { name: 'voices', icon: 'voices', scope: 'tts', title: ({ nav }) => nav.voices },
  { name: 'video', icon: 'video', scope: 'video', title: ({ nav }) => nav.video },
  { name: 'corpora', icon: 'corpora', scope: 'stt', title: ({ nav }) => nav.corpora },
  { name: 'settings', icon: 'settings', scope: null, title: ({ nav }) => nav.settings },
];

/** Tells whether the key of this session may use the screen of this name. */
export function isOffered(name: string): boolean {
  return isAllowed(SCREENS.find((screen) => screen.name === name)?.scope ?? null);
}

/** Unknown addresses lead home. */
export function screenOf({ screen }: Route): Screen {
  return SCREENS.find(({ name }) => name === screen) ?? HOME;
}
