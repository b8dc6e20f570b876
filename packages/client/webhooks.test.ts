import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret } from '#server/features/webhooks/secret.ts';
import { unwrapWebhook } from './index.ts';

const secret = newWebhookSecret();
const body = JSON.stringify({
  type: 'transcription.completed',
  timestamp: '2026-01-02',
  data: { status: 'completed' },
});
const headersOf = (text: string, sentAt = new Date(), by = secret) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
  'webhook-signature': new Webhook(by).sign('msg_1', sentAt, text),
});

describe('unwrapWebhook', () => {
  it('reads the event of a delivery with a right signature, from text and from bytes', async () => {
    const event = await unwrapWebhook(body, headersOf(body), secret);
    expect(event).toMatchObject({ type: 'transcription.completed', data: { status: 'completed' } });
    const bytes = new TextEncoder().encode(body);
    expect(await unwrapWebhook(bytes, new Headers(headersOf(body)), secret)).toEqual(event);
  });

  it('accepts either secret while one replaces the other, and any of several signatures', async () => {
    const headers = headersOf(body);
    const several = { ...headers, 'webhook-signature': `v1,AAAA v2,xyz ${headers['webhook-signature']}` };
    await expect(unwrapWebhook(body, several, [newWebhookSecret(), secret])).resolves.toBeDefined();
  });

  const old = new Date(Date.now() - 301_000);
  it.each([
    ['another body', `${body} `, headersOf(body), /signature/],
    ['another secret', body, headersOf(body, new Date(), newWebhookSecret()), /signature/],
    ['an old delivery', body, headersOf(body, old), /clock by more than 300 s/],
    ['a missing header', body, { ...headersOf(body), 'webhook-id': undefined }, /"webhook-id"/],
    ['no time', body, { ...headersOf(body), 'webhook-timestamp': 'now' }, /clock/],
    ['a signature that is not base64', body, { ...headersOf(body), 'webhook-signature': 'v1,*' }, /signature/],
  ])('refuses %s', async (_, text, headers, message) => {
    const refusal = unwrapWebhook(text, headers, secret);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toMatchObject({ name: 'InvalidRequestError', code: 'invalid_webhook' });
  });

  it('accepts an older delivery where it is told to', async () => {
    await expect(unwrapWebhook(body, headersOf(body, old), secret, { toleranceSeconds: 400 })).resolves.toBeDefined();
  });
});
