/** A value that can be read only with the key with which it was sealed. */
export type Sealed = { salt: Uint8Array<ArrayBuffer>; vector: Uint8Array<ArrayBuffer>; data: ArrayBuffer };

/** Browsers encrypt only on pages of https and of this computer. */
export const canSeal = (): boolean => isSecureContext;

/** Encrypts a value that JSON can hold. */
export async function seal(value: unknown, key: string): Promise<Sealed> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const vector = crypto.getRandomValues(new Uint8Array(12));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: vector }, await cipherOf(key, salt), plain);
  return { salt, vector, data };
}

/** Throws when it was sealed with another key. */
export async function unseal<Value>({ salt, vector, data }: Sealed, key: string): Promise<Value> {
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: vector }, await cipherOf(key, salt), data);
  return JSON.parse(new TextDecoder().decode(plain)) as Value;
}

/** A key of the service is long and random, so that it needs no slow derivation. */
async function cipherOf(key: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const source = await crypto.subtle.importKey('raw', new TextEncoder().encode(key), 'HKDF', false, ['deriveKey']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode('jyutsing drafts') };
  return crypto.subtle.deriveKey(derivation, source, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
