import { platformFetch as chosen } from '#platform';
import type { Fetch } from './fetch.ts';

/** The `fetch` that a client uses by default; an application can wrap it to add to it. */
export const platformFetch: Fetch = chosen;
