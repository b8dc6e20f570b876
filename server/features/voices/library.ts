import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BlobStore } from '@jyutsing/contracts/blobs';
import { AppError, UncertainCommit } from '@jyutsing/contracts/errors';
import { UUID } from '@jyutsing/contracts/uuid';
import type { PrivateVoice, VoiceRepository } from '#store/repositories/voices.ts';
import type { SynthesisVoice, SynthesizerCapabilities } from '@jyutsing/contracts/synthesizer';
import type { Voice } from '@jyutsing/contracts/voice';
import { deleteWhenGone } from '#features/delete-when-gone.ts';
import { checkDraft, nameKey, type VoiceDraft } from './draft.ts';
import {
  asUnknownVoice,
  createProfiles,
  createTranscripts,
  sampleKey,
  type SampleServices,
} from './sample-contents.ts';
import type { ShippedVoice } from './shipped-voices.ts';

/** Shipped and private voices, as one account sees them. */
export type VoiceLibrary = {
  /** Shipped ones first, in their order; then the account's own, oldest first. */
  list(accountId: string): Promise<Voice[]>;
  find(accountId: string, id: string): Promise<Voice | null>;
  /** By name in any case: the oldest of the account's own, else the shipped one. */
  findByName(accountId: string, name: string): Promise<Voice | null>;
  /**
   * The voice for a synthesizer that uses this of it. Measures a private voice again when its
   * profile is of an older version; recognizes and keeps the words of its sample when they are
   * needed for the first time. Throws `voice_not_found` when the voice was deleted meanwhile,
   * `unsuitable_sample` for a sample without words, and what `recognizeSample` throws.
   */
  synthesisVoice(voice: Voice, uses: SynthesizerCapabilities['clones']): Promise<SynthesisVoice>;
  /** The reference recording (WAV, 24 kHz, mono, 16 bit). Throws `voice_not_found`. */
  openSample(accountId: string, id: string): Promise<{ stream: Readable; sizeBytes: number }>;
};

/** Changes of an account's own voices. */
export type VoiceEditor = {
  /**
   * Throws `invalid_parameter` for an invalid field, `model_not_found`, `conflict` at the limit of
   * voices, and for the recording `unsuitable_sample`, `unsupported_audio_format`, `corrupt_audio`
   * and what else `measureSample` throws; stores nothing then.
   */
  create(accountId: string, draft: VoiceDraft): Promise<Voice>;
  /** Checks a recording as `create` does, with its errors; stores nothing. */
  checkSample(accountId: string, samplePath: string): Promise<{ durationMs: number }>;
  /** Throws `voice_not_found`, and `insufficient_scope` for a shipped one. */
  delete(accountId: string, id: string): Promise<void>;
};

export type VoiceLibraryServices = SampleServices & {
  shipped: readonly ShippedVoice[];
  voices: VoiceRepository;
  samples: Pick<BlobStore, 'adopt' | 'delete' | 'localPath' | 'readStream'>;
  /** Throws `model_not_found` for a name that no synthesis model or engine has. */
  requireModel(name: string): void;
  /** Folder of temporary files, emptied when the process starts. */
  temporaryDir: string;
};

/** Limit of one account. */
export const MAX_PRIVATE_VOICES = 100;

export function createVoiceLibrary(services: VoiceLibraryServices): VoiceLibrary & VoiceEditor {
  const { shipped, voices, samples } = services;
  const shippedById = new Map(shipped.map((shippedVoice) => [shippedVoice.voice.id, shippedVoice]));
  const shippedByName = new Map(
    shipped.flatMap((shippedVoice) => shippedVoice.names.map((name) => [nameKey(name), shippedVoice.voice])),
  );
  const currentProfile = createProfiles(services);
  const transcriptOf = createTranscripts(services);

  const find = async (accountId: string, id: string): Promise<Voice | null> =>
    shippedById.get(id)?.voice ?? (UUID.test(id) ? await voices.find(id, accountId) : null);

  return {
    async list(accountId) {
      return [...shipped.map(({ voice }) => voice), ...(await voices.list(accountId))];
    },

    find,

    async findByName(accountId, name) {
      const key = nameKey(name);
      // PostgreSQL refuses to compare these, and no voice has such a name.
      if (key === '' || key.includes('\0') || !key.isWellFormed()) return null;
      return (await voices.findByName(key, accountId)) ?? shippedByName.get(key) ?? null;
    },

    async synthesisVoice(voice, uses) {
      const profile = await currentProfile(voice);
      if (uses === 'profile' || uses === 'none') return { id: voice.id, profile, reference: null };
      const transcript = uses === 'reference' ? voice.transcript : await transcriptOf(voice);
      const path = shippedById.get(voice.id)?.samplePath;
      const wav =
        path === undefined
          ? await samples.localPath(sampleKey(voice.id), readBytes).catch(asUnknownVoice)
          : await readBytes(path);
      return { id: voice.id, profile, reference: { wav, transcript } };
    },

    async openSample(accountId, id) {
      const voice = await find(accountId, id);
      if (voice === null) throw new AppError('voice_not_found');
      const path = shippedById.get(id)?.samplePath;
      const stream =
        path === undefined ? await samples.readStream(sampleKey(id)).catch(asUnknownVoice) : createReadStream(path);
      return { stream, sizeBytes: voice.sample.sizeBytes };
    },

    async checkSample(accountId, samplePath) {
      const { durationMs } = await services.measureSample(samplePath, accountId);
      return { durationMs };
    },

    async create(accountId, draft) {
      const content = checkDraft(draft);
      if (content.engine !== null) services.requireModel(content.engine);
      // Saves the measuring; `voices.create` enforces the limit.
      if ((await voices.count(accountId)) >= MAX_PRIVATE_VOICES) throw tooMany();
      const { profile, wav, durationMs } = await services.measureSample(draft.samplePath, accountId);
      const nowMs = Date.now();
      const voice: PrivateVoice = {
        id: randomUUID(),
        accountId,
        ...content,
        profile,
        sample: { durationMs: Math.round(durationMs), sizeBytes: wav.length },
        createdAtMs: nowMs,
        consentedAtMs: nowMs,
      };
      await keepSample(services, voice.id, wav);
      try {
        if (!(await voices.create(voice, nameKey(voice.name), MAX_PRIVATE_VOICES))) throw tooMany();
      } catch (refusal) {
        // Housekeeping deletes it when this fails, or if there is no voice after all.
        if (!(refusal instanceof UncertainCommit)) await samples.delete(sampleKey(voice.id)).catch(() => {});
        throw refusal;
      }
      return voice;
    },

    async delete(accountId, id) {
      if (shippedById.has(id)) {
        throw new AppError('insufficient_scope', 'This voice is public and cannot be deleted.');
      }
      // The row first: a voice without a sample would be listed, but could not be used.
      const deleteSample = () => samples.delete(sampleKey(id));
      const isGone = async () => !(await voices.exists(id));
      const isDeleted = UUID.test(id) && (await deleteWhenGone(voices.delete(id, accountId), isGone, deleteSample));
      if (!isDeleted) throw new AppError('voice_not_found');
      await deleteSample();
    },
  };
}

/** Stores the sample before its row, so that a crash leaves a file for housekeeping to delete. */
async function keepSample({ samples, temporaryDir }: VoiceLibraryServices, id: string, wav: Uint8Array): Promise<void> {
  const path = join(temporaryDir, `${id}.wav`);
  try {
    await writeFile(path, wav, { flag: 'wx', mode: 0o600 });
    await samples.adopt(path, sampleKey(id));
  } finally {
    await rm(path, { force: true });
  }
}

async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(path));
}

function tooMany(): AppError {
  return new AppError('conflict', `An account can have ${MAX_PRIVATE_VOICES} voices of its own; delete one first.`);
}
