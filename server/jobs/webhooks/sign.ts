import { Webhook } from 'standardwebhooks';

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com): `id` names the event and
 * stays the same when it is sent again; the time is that of this attempt; the signature is the
 * HMAC-SHA256 of `id.timestamp.body` with the secret (`whsec_` and base64).
 */
export function signatureHeaders(id: string, body: string, secret: string, atMs: number): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(atMs), body),
  };
}
