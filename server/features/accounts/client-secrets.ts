import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import type { ApiKeyRepository } from '#store/repositories/keys.ts';

/** A secret for a browser, made with an API key: opens live sessions of the account for a time. */
export type ClientSecret = {
  keyId: string;
  expiresAtSeconds: number;
  /** Settings of its sessions, as the holder of the key sent them. */
  session: Record<string, unknown>;
};

/** The longest signed secret: it is sent in a header, and headers are limited to 16 KiB. */
export const MAX_CLIENT_SECRET_CHARACTERS = 8_192;

const SHAPE = /^ek_([\w-]+)\.([\w-]+)$/;
const Content = z.tuple([z.uuid(), z.int(), z.record(z.string(), z.unknown())]);

/**
 * Signs a secret with the stored hash of its key. Nothing is stored: a secret ends with its key.
 * Who reads the hashes in the database can sign, which allows live sessions and nothing else.
 */
export function signClientSecret({ keyId, expiresAtSeconds, session }: ClientSecret, keySha256: string): string {
  const content = Buffer.from(JSON.stringify([keyId, expiresAtSeconds, session])).toString('base64url');
  return `ek_${content}.${signatureOf(content, keySha256)}`;
}

/**
 * Makes a secret of a key that is valid for so many seconds. Throws `invalid_api_key` when the key
 * is gone.
 */
export async function makeClientSecret(
  keys: Pick<ApiKeyRepository, 'find'>,
  { keyId, seconds, session }: Pick<ClientSecret, 'keyId' | 'session'> & { seconds: number },
): Promise<{ value: string; expiresAtSeconds: number }> {
  const parent = await keys.find(keyId);
  if (parent === null) throw new AppError('invalid_api_key');
  const expiresAtSeconds = Math.floor(Date.now() / 1_000) + seconds;
  return { value: signClientSecret({ keyId, expiresAtSeconds, session }, parent.sha256), expiresAtSeconds };
}

/** Reads a text that looks like a client secret; null for any other key. */
export function readClientSecret(text: string): (ClientSecret & { isSignedWith(keySha256: string): boolean }) | null {
  const [, content, signature] = SHAPE.exec(text) ?? [];
  if (content === undefined || signature === undefined || text.length > MAX_CLIENT_SECRET_CHARACTERS) return null;
  const parsed = Content.safeParse(parseJson(Buffer.from(content, 'base64url').toString('utf8')));
  if (!parsed.success) return null;
  const [keyId, expiresAtSeconds, session] = parsed.data;
  return {
    keyId,
    expiresAtSeconds,
    session,
    isSignedWith(keySha256) {
      const expectedSignature = Buffer.from(signatureOf(content, keySha256));
      const actualSignature = Buffer.from(signature);
      return expectedSignature.length === actualSignature.length && timingSafeEqual(expectedSignature, actualSignature);
    },
  };
}

function signatureOf(content: string, keySha256: string): string {
  return createHmac('sha256', keySha256).update(`client secret ${content}`).digest('base64url');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
