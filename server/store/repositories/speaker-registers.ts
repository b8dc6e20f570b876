import type { SpeakerRegister } from '@jyutsing/contracts/pronunciation';

/** A speaker of an account; `speaker` is the SHA-256 (hex) of the id that the client chose. */
type RegisterKey = { accountId: string; speaker: string; language: string };

/** Pitch registers of people whose pronunciation is scored. */
export type SpeakerRegisterRepository = {
  find(key: RegisterKey): Promise<SpeakerRegister | null>;
  /**
   * Saves a register: of two at the same time the later one stays; of an account, the 1,000 used
   * last.
   */
  save(key: RegisterKey, register: SpeakerRegister): Promise<void>;
  /** Deletes those that no recording has used for half a year. */
  deleteUnused(nowMs: number): Promise<void>;
};
