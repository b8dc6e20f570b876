import { randomBytes } from 'node:crypto';

/** As Standard Webhooks has it: 24 to 64 random bytes. */
const SECRET_BYTES = 32;

/** A new secret to sign deliveries with: `whsec_` and base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
