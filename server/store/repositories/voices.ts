import type { Voice, VoiceProfile } from '@jyutsing/contracts/voice';

/** A voice of an account; shipped voices are not in the database. */
export type PrivateVoice = Voice & { accountId: string; consentedAtMs: number };

/** Voices of accounts. A voice of another account is treated as missing. */
export type VoiceRepository = {
  /**
   * False, and nothing is stored, when the account already has `limit` voices. The count is taken
   * in the same transaction, so simultaneous calls cannot exceed the limit together. `nameKey` is
   * the normalized name that `findByName` looks up.
   */
  create(voice: PrivateVoice, nameKey: string, limit: number): Promise<boolean>;
  count(accountId: string): Promise<number>;
  /** Whether any account has this voice; used to find samples without a voice. */
  exists(id: string): Promise<boolean>;
  find(id: string, accountId: string): Promise<PrivateVoice | null>;
  /** The oldest voice with that name. */
  findByName(nameKey: string, accountId: string): Promise<PrivateVoice | null>;
  /** Oldest first. */
  list(accountId: string): Promise<PrivateVoice[]>;
  /** Does nothing when the voice was deleted. */
  saveProfile(id: string, profile: VoiceProfile): Promise<void>;
  /** Does nothing when the voice was deleted. */
  saveTranscript(id: string, transcript: string): Promise<void>;
  /** False when there is no such voice. */
  delete(id: string, accountId: string): Promise<boolean>;
};
