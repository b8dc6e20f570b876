import type { MeasuredSample } from '@jyutsing/audio/voice/measure-voice-sample';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderSpeechFile } from '@jyutsing/audio/encoding/render-speech-file';
import { AppError } from '@jyutsing/contracts/errors';
import { VOICE_BANDS, type Voice, type VoiceGender } from '@jyutsing/contracts/voice';
import { createSpeechService, type SpeechService } from '#server/features/synthesis/speech-service.ts';
import { createVoiceLibrary, type VoiceEditor, type VoiceLibrary } from '#server/features/voices/library.ts';
import type { ShippedVoice } from '#server/features/voices/shipped-voices.ts';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import type { Store } from '#server/store/store.ts';
import { wav } from '#testbed/clients/requests.ts';
import { speakTones } from './speak.ts';
import type { SpeakingState } from './speaking-state.ts';

export type MeasureSample = (path: string) => Promise<MeasuredSample>;

type SpeakingDeps = {
  store: Store;
  blobs: BlobStore;
  dataDir: string;
  incomingDir: string;
  /** Every WAV file is accepted when this is absent. */
  measureSample?: MeasureSample | undefined;
};

/**
 * The real voice library with two public voices, and the real speech service with tones for speech.
 */
export async function openTestSpeaking(
  state: SpeakingState,
  { store, blobs, dataDir, incomingDir, measureSample = acceptAnyWav }: SpeakingDeps,
): Promise<{ voices: VoiceLibrary & VoiceEditor; speech: SpeechService; samplePath: string }> {
  const samplePath = join(dataDir, 'sample.wav');
  await writeFile(samplePath, wav(3));
  const voices = createVoiceLibrary({
    shipped: [testVoice('jasmine', 'female', samplePath), testVoice('kelvin', 'male', samplePath)],
    voices: store.voices,
    samples: blobs,
    measureSample,
    recognizeSample: async () => '早晨',
    requireModel: () => {},
    profileVersion: PROFILE_VERSION,
    temporaryDir: incomingDir,
  });

  return {
    voices,
    samplePath,
    speech: createSpeechService({ ...speakTones(state), renderSpeechFile, concurrency: 8, incomingDir }),
  };
}

/** Accepts every WAV file with the same profile. */
async function acceptAnyWav(path: string): Promise<MeasuredSample> {
  const wav = new Uint8Array(await readFile(path));
  if (Buffer.from(wav.subarray(0, 4)).toString('latin1') !== 'RIFF') throw new AppError('unsuitable_sample');
  return { profile: testVoice('sample', 'neutral', path).voice.profile, wav, durationMs: 3_000 };
}

const bands = Array.from({ length: VOICE_BANDS.count }, () => 0);

/** A public voice with that sample. */
function testVoice(id: string, gender: VoiceGender, samplePath: string): ShippedVoice {
  const voice: Voice = {
    id,
    accountId: null,
    name: id.toUpperCase(),
    language: 'cantonese',
    gender,
    description: null,
    transcript: '早晨',
    engine: null,
    profile: {
      version: PROFILE_VERSION,
      pitchMedianHz: 180,
      pitchLowSemitones: -3,
      pitchHighSemitones: 4,
      formantsHz: [500, 1_500, 2_500],
      voicedBandsDb: bands,
      unvoicedBandsDb: bands,
      noiseShares: bands,
      syllablesPerSecond: 4,
      timbre: '',
    },
    sample: { durationMs: 3_000, sizeBytes: statSync(samplePath).size },
    createdAtMs: 0,
    consentedAtMs: null,
  };
  return { voice, names: [voice.name, id], samplePath };
}

/** Version of the measurements in these tests. */
const PROFILE_VERSION = 1;
