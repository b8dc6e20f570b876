import type { IncomingMessage } from 'node:http';

/** The header in which ElevenLabs' clients, and no others, send the key. */
export const FAMILY_HEADER = 'xi-api-key';

/**
 * Chooses between routes of one path by the client: one with `constraints: { family }` serves the
 * clients of that family alone, the other one the rest.
 */
export const routeFamily = {
  name: 'family',
  storage<Handler>() {
    const handlers = new Map<string, Handler>();
    return {
      get: (family: string): Handler | null => handlers.get(family) ?? null,
      set: (family: string, handler: Handler): void => void handlers.set(family, handler),
    };
  },
  deriveConstraint: ({ headers }: Pick<IncomingMessage, 'headers'>): string =>
    headers[FAMILY_HEADER] === undefined ? '' : 'elevenlabs',
  validate() {},
};
