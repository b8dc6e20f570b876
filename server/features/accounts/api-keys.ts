import { hash, randomBytes } from 'node:crypto';
import type { Scope } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { NewApiKey } from '@jyutsing/contracts/repositories';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 40;
const MARK = 'jyut_';

/** A new key, the only time that its secret is at hand: shown to its owner and forgotten. */
type IssuedKey = { secret: string; stored: NewApiKey };

/** Makes a key: `jyut_` and 40 random base-62 characters, 238 bits. */
export function issueKey(name: string, scopes: readonly Scope[]): IssuedKey {
  return keyWithSecret(name, scopes, MARK + randomBase62(RANDOM_CHARACTERS));
}

/**
 * A key whose secret somebody else chose (BOOTSTRAP_API_KEY).
 * Throws `invalid_parameter` for one that no header could carry: keys are 8 or more printable ASCII characters without spaces.
 */
export function keyWithSecret(name: string, scopes: readonly Scope[], secret: string): IssuedKey {
  if (!/^[\x21-\x7e]{8,256}$/.test(secret)) {
    throw new AppError('invalid_parameter', 'An API key needs 8 to 256 printable ASCII characters without spaces.');
  }
  return { secret, stored: { name, scopes: [...scopes], prefix: visiblePrefix(secret), sha256: hashKey(secret) } };
}

/**
 * How keys are looked up and kept. Plain SHA-256 without salt: a secret of 238 random bits cannot be guessed from its hash,
 * and one indexed read finds it.
 */
export function hashKey(secret: string): string {
  return hash('sha256', secret);
}

/** Enough to tell keys apart in a list, and never more than a third of a chosen secret. */
function visiblePrefix(secret: string): string {
  return secret.slice(0, Math.min(MARK.length + 6, Math.floor(secret.length / 3)));
}

/** Bytes that would favour some letters (248 and above) are thrown away. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
