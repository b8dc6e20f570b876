import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError } from '@jyutsing/contracts/errors';
import type { VoiceRepository } from '#store/repositories/voices.ts';
import type { Language } from '@jyutsing/contracts/transcript';
import type { Voice, VoiceProfile } from '@jyutsing/contracts/voice';

export type SampleServices = {
  voices: Pick<VoiceRepository, 'saveProfile' | 'saveTranscript'>;
  samples: Pick<BlobStore, 'localPath'>;
  /** Throws `unsuitable_sample`, `unsupported_audio_format`, `corrupt_audio`, `empty_audio`. */
  measureSample(path: string, accountId: string): Promise<MeasuredSample>;
  /** The words of a stored sample; empty when none are recognized. Throws `engine_unavailable`. */
  recognizeSample(path: string, language: Language, accountId: string): Promise<string>;
  /** Version of `measureSample`. */
  profileVersion: number;
};

/** Computes a value from the sample of a voice, once for all requests at the same time. */
type FromSample<Value> = (voice: Voice) => Promise<Value>;

export function sampleKey(id: string): string {
  return `voices/${id}.wav`;
}

/** Returns current profiles; measures outdated ones again. */
export function createProfiles({
  voices,
  samples,
  measureSample,
  profileVersion,
}: SampleServices): FromSample<VoiceProfile> {
  const measureAgain = shared(async ({ id, profile: old }, accountId) => {
    const profile = await samples
      .localPath(sampleKey(id), async (kept) => (await measureSample(kept, accountId)).profile)
      .catch((refusal: unknown) => {
        if (!(refusal instanceof AppError) || refusal.code !== 'unsuitable_sample') return asUnknownVoice(refusal);
        // An accepted sample stays accepted under stricter rules, with its old measurement.
        return { ...old, version: profileVersion };
      });
    await voices.saveProfile(id, profile);
    return profile;
  });
  return (voice) =>
    voice.accountId === null || voice.profile.version === profileVersion
      ? Promise.resolve(voice.profile)
      : measureAgain(voice, voice.accountId);
}

/** Returns the words of samples; recognizes and keeps those that were not given. */
export function createTranscripts({ voices, samples, recognizeSample }: SampleServices): FromSample<string> {
  const recognize = shared(async ({ id, language }, accountId) => {
    const words = await samples
      .localPath(sampleKey(id), (kept) => recognizeSample(kept, language, accountId))
      .catch(asUnknownVoice);
    if (words === '') {
      throw new AppError(
        'unsuitable_sample',
        'The words of the sample of this voice could not be recognized: create the voice again with "transcript".',
      );
    }
    await voices.saveTranscript(id, words);
    return words;
  });
  return async (voice) => voice.transcript ?? (voice.accountId === null ? '' : recognize(voice, voice.accountId));
}

/** Runs work once for all requests of a voice at the same time. */
function shared<Value>(
  work: (voice: Voice, accountId: string) => Promise<Value>,
): (voice: Voice, accountId: string) => Promise<Value> {
  const running = new Map<string, Promise<Value>>();
  return (voice, accountId) => {
    const begun = running.get(voice.id) ?? work(voice, accountId).finally(() => running.delete(voice.id));
    running.set(voice.id, begun);
    return begun;
  };
}

/** A sample is missing only when its voice was deleted meanwhile. */
export function asUnknownVoice(error: unknown): never {
  if (error instanceof AppError && error.code === 'not_found') {
    throw new AppError('voice_not_found', undefined, { cause: error });
  }
  throw error;
}
