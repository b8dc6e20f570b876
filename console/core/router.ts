import { signal } from '@preact/signals';
import { decodeText } from './decode-text.ts';

export type Route = { screen: string; id: string | null; seconds: number | null };

/**
 * Reads an address such as `#/transcripts/<id>/<seconds>`: the screen, what it shows, and the time
 * from which.
 */
function readAddress(): Route {
  const [, screen = '', id, place = ''] = location.hash.split('/');
  const seconds = place === '' ? Number.NaN : Number(place);
  return {
    screen,
    id: id === undefined || id === '' ? null : decodeText(id),
    seconds: Number.isFinite(seconds) ? seconds : null,
  };
}

export const route = signal<Route>(readAddress());

/** This is asked before another screen opens; with false the present screen stays. */
let mayLeave: () => boolean = () => true;

addEventListener('hashchange', () => {
  // A sign-in link names no screen.
  if (location.hash.startsWith('#key=')) return;
  const next = readAddress();
  if (next.screen === route.value.screen && next.id === route.value.id) {
    route.value = next;
    return;
  }
  if (!mayLeave()) {
    history.replaceState(null, '', addressOf(route.value.screen, route.value.id));
    return;
  }
  mayLeave = () => true;
  route.value = next;
  scrollTo(0, 0);
});

export function addressOf(screen: string, id: string | null = null, seconds: number | null = null): string {
  return `#/${screen}${id === null ? '' : `/${encodeURIComponent(id)}`}${seconds === null ? '' : `/${seconds}`}`;
}

export function open(screen: string, id: string | null = null): void {
  location.hash = addressOf(screen, id);
}

/** Has `ask` asked before the present screen is left. Returns a function that ends this. */
export function guardLeaving(ask: () => boolean): () => void {
  mayLeave = ask;
  return () => {
    if (mayLeave === ask) mayLeave = () => true;
  };
}
