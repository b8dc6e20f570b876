import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import { VOICE_BANDS, VOICE_GENDERS, type Voice } from '@jyutsing/contracts/voice';

/** A public voice, the names that find it, and the file of its sample. */
export type ShippedVoice = { voice: Voice; names: readonly string[]; samplePath: string };

const bands = z.array(z.number()).length(VOICE_BANDS.count);

/** `voices/<id>/voice.json`, as training/voices/make-shipped-voices.ts writes it. */
const VoiceFile = z.object({
  /** Position in the list. */
  order: z.int(),
  names: z.object({ chinese: z.string().min(1), english: z.string().min(1) }),
  language: z.enum(LANGUAGES),
  gender: z.enum(VOICE_GENDERS),
  description: z.string().min(1),
  /** The words of the sample. */
  transcript: z.string().min(1),
  created: z.iso.date(),
  sampleDurationMs: z.number().positive(),
  /** Designed, not measured: the target of the sample's synthesis. */
  profile: z.object({
    version: z.int(),
    pitchMedianHz: z.number().positive(),
    pitchLowSemitones: z.number(),
    pitchHighSemitones: z.number(),
    formantsHz: z.tuple([z.number(), z.number(), z.number()]),
    voicedBandsDb: bands,
    unvoicedBandsDb: bands,
    noiseShares: bands,
    syllablesPerSecond: z.number().positive(),
    timbre: z.base64(),
  }),
});
export type VoiceFile = z.infer<typeof VoiceFile>;

/**
 * Reads the public voices: one folder each, named by the id, with `voice.json` and `sample.wav`.
 * Blocks for some milliseconds; call it at the start. Throws `internal_error` for a malformed
 * voice.
 */
export function loadShippedVoices(folder: string): ShippedVoice[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readVoice(name, join(folder, name)))
    .toSorted((a, b) => a.order - b.order)
    .map(({ shipped }) => shipped);
}

function readVoice(id: string, folder: string): { order: number; shipped: ShippedVoice } {
  try {
    const file = VoiceFile.parse(JSON.parse(readFileSync(join(folder, 'voice.json'), 'utf8')));
    const samplePath = join(folder, 'sample.wav');
    const { language, gender, description, transcript, profile } = file;
    const { chinese, english } = file.names;
    const voice: Voice = {
      id,
      accountId: null,
      name: `${chinese} ${english}`,
      language,
      gender,
      description,
      transcript,
      engine: null,
      profile,
      sample: { durationMs: file.sampleDurationMs, sizeBytes: statSync(samplePath).size },
      createdAtMs: Date.parse(file.created),
      consentedAtMs: null,
    };
    return { order: file.order, shipped: { voice, names: [voice.name, chinese, english, id], samplePath } };
  } catch (cause) {
    throw new AppError('internal_error', `The shipped voice "${id}" is malformed.`, { cause });
  }
}
