import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '#features/webhooks/secret.ts';
import { signatureHeaders } from './sign.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const AT_MS = 1_700_000_000_999;

/** The signature as the specification of Standard Webhooks, version 1.0.0, describes it. */
function expectedSignature(id: string, body: string, secret: string, seconds: number): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

describe('the headers of a delivery', () => {
  it.each(['{"a":1}', '', '{"text":"粵語"}', 'a.b.c', '\n'])('sign id, time and body: %j', (body) => {
    expect(signatureHeaders('msg_1', body, SECRET, AT_MS)).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': expectedSignature('msg_1', body, SECRET, 1_700_000_000),
    });
  });

  it('differ for another id, time, body or secret', () => {
    const other = newWebhookSecret();
    const signatures = [
      signatureHeaders('msg_1', '{}', SECRET, AT_MS),
      signatureHeaders('msg_2', '{}', SECRET, AT_MS),
      signatureHeaders('msg_1', '{ }', SECRET, AT_MS),
      signatureHeaders('msg_1', '{}', SECRET, AT_MS + 1),
      signatureHeaders('msg_1', '{}', other, AT_MS),
    ].map((headers) => headers['webhook-signature']);
    expect(new Set(signatures).size).toBe(5);
  });

  it('are accepted by the library of the specification, until something is changed', () => {
    const secret = newWebhookSecret();
    const headers = signatureHeaders('msg_1', '{"a":1}', secret, Date.now());
    const webhook = new Webhook(secret);
    expect(webhook.verify('{"a":1}', headers)).toEqual({ a: 1 });
    expect(() => webhook.verify('{"a":2}', headers)).toThrow(/signature/i);
  });
});

describe('a new secret', () => {
  it('has 24 to 64 random bytes in base64', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
