import { InvalidRequestError } from './errors.ts';
import type { TranscriptionRecord } from './types.ts';

/** The final record of a transcription, in the form that is sent to a `callbackUrl`. */
export type WebhookEvent =
  | { type: 'transcription.completed'; timestamp: string; data: TranscriptionRecord }
  | { type: 'transcription.failed'; timestamp: string; data: TranscriptionRecord };

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookOptions = {
  /** Seconds that the time of the delivery may differ from now. Defaults to 300. */
  toleranceSeconds?: number;
};

/**
 * Verifies a delivery (https://www.standardwebhooks.com) and reads its event. `body` has the
 * received bytes, or their text. Pass both secrets while one replaces the other. Throws
 * InvalidRequestError for a delivery that is forged, too old or too far ahead, or malformed. All
 * attempts have the same `webhook-id`.
 */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!(ageSeconds <= toleranceSeconds)) {
    throw refuse(
      `The webhook-timestamp is no number, or differs from this computer's clock by more than ${toleranceSeconds} s.`,
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((signature) => (signature.startsWith('v1,') ? [signature.slice(3)] : []));
  for (const candidateSecret of [secret].flat()) {
    if (await isSignedWith(candidateSecret, signed, signatures)) return JSON.parse(text) as WebhookEvent;
  }
  throw refuse('The signature of the delivery is wrong.');
}

async function isSignedWith(secret: string, signed: Uint8Array<ArrayBuffer>, signatures: readonly string[]) {
  const raw = fromBase64(secret.replace(/^whsec_/, ''));
  if (raw === null) throw new InvalidRequestError('The secret is not base64.', { code: 'invalid_argument' });
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  for (const signature of signatures) {
    const bytes = fromBase64(signature);
    // The comparison takes constant time.
    if (bytes !== null && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

/** Returns a header. Throws when it is absent. */
function headerOf(headers: HeaderSource, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string') return value;
  throw refuse(`The delivery has no header "${name}".`);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function refuse(message: string): InvalidRequestError {
  return new InvalidRequestError(message, { code: 'invalid_webhook' });
}
