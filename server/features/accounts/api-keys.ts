import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { NewApiKey } from '#store/repositories/keys.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 40;
const PREFIX = 'jyut_';

/** A new key. Its secret is shown once and not stored. */
type IssuedKey = { secret: string; stored: NewApiKey };

/** Generates a key: `jyut_` and 40 random base-62 characters, 238 bits. */
export function issueKey(name: string, scopes: readonly Scope[]): IssuedKey {
  return keyWithSecret(name, scopes, PREFIX + randomBase62(RANDOM_CHARACTERS));
}

/**
 * Makes a key of a chosen secret (BOOTSTRAP_API_KEY). Throws `invalid_parameter` for a secret that
 * no header can carry.
 */
export function keyWithSecret(name: string, scopes: readonly Scope[], secret: string): IssuedKey {
  if (!/^[\x21-\x7e]{8,256}$/.test(secret)) {
    throw new AppError('invalid_parameter', 'An API key needs 8 to 256 printable ASCII characters without spaces.');
  }
  return { secret, stored: { name, scopes: [...scopes], prefix: visiblePrefix(secret), sha256: hashKey(secret) } };
}

/**
 * The stored form of a key. SHA-256 without salt is enough: a secret of 238 random bits cannot be
 * guessed from its hash, and one indexed read finds it.
 */
export function hashKey(secret: string): string {
  return hash('sha256', secret);
}

/** Identifies a key in a list; at most a third of a chosen secret. */
function visiblePrefix(secret: string): string {
  return secret.slice(0, Math.min(PREFIX.length + 6, Math.floor(secret.length / 3)));
}

/** Discards bytes from 248, which would make some letters more likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
