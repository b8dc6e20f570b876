import { createHash } from 'node:crypto';
import type { PronunciationAssessment, SpeakerRegister } from '@jyutsing/contracts/pronunciation';
import type { SpeakerRegisterRepository } from '#store/repositories/speaker-registers.ts';
import type { Language } from '@jyutsing/contracts/transcript';

type Speaker = { accountId: string; speaker: string | null; language: Language };

/** The register of a speaker before a recording, and the function that stores it afterwards. */
type OpenedRegister = {
  known: SpeakerRegister | null;
  save(assessment: PronunciationAssessment): Promise<void>;
};

const UNKNOWN: OpenedRegister = { known: null, save: async () => {} };

/**
 * The register of a speaker, or nothing for a request without one. The id is stored as a hash: it
 * may be a name.
 */
export async function openRegister(
  registers: SpeakerRegisterRepository,
  { accountId, speaker, language }: Speaker,
): Promise<OpenedRegister> {
  if (speaker === null) return UNKNOWN;
  const key = { accountId, speaker: createHash('sha256').update(speaker).digest('hex'), language };
  return {
    known: await registers.find(key),
    async save(assessment) {
      const { register } = assessment;
      if (register !== undefined && wasRead(assessment)) await registers.save(key, register);
    },
  };
}

/** Whether the text was read at all: the pitch of other words tells little about the tones. */
function wasRead(assessment: PronunciationAssessment): boolean {
  if (assessment.language === 'english') return false;
  const { syllables } = assessment;
  const read = syllables.filter(({ onset, rime }) => isRight(onset.verdict) && isRight(rime.verdict));
  return read.length * 2 >= syllables.length;
}

const isRight = (verdict: string): boolean => verdict !== 'wrong' && verdict !== 'omitted';
