import { randomBytes } from 'node:crypto';

/** Standard Webhooks requires 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret that signs deliveries: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
