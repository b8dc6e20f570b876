import { platformFetch as chosen } from '#platform';
import type { Fetch } from './fetch.ts';

/** The `fetch` that a client uses without one of its own, for an own one that adds to it. */
export const platformFetch: Fetch = chosen;
