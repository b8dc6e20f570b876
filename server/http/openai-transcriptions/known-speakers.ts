import { readFile, rm, writeFile } from 'node:fs/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { TranscriptionOptions } from '@jyutsing/contracts/transcription';
import type { Caller } from '#http/authentication.ts';
import type { AcceptDeps } from '#http/transcription/accept.ts';
import type { UploadedFile } from '#http/save-upload.ts';
import { describeVoice } from '#workers/tasks/describe-voice.ts';

const FIELD = 'known_speaker_references[]';
/** As OpenAI. */
const MAX_SPEAKERS = 4;
/** Ten seconds of uncompressed stereo in base64 have 2.6 MB. */
const MAX_REFERENCE_BYTES = 4 * 1024 ** 2;
const DATA_URL = /^\s*data:[^,]{0,200};base64,/;

/** Names of people and recordings of their voices, in the same order. */
type SentSpeakers = { names: readonly string[]; references: readonly UploadedFile[] };

/**
 * Throws `invalid_request` unless there is a name for each reference. Names alone have no effect.
 */
export function checkSpeakers({ names, references }: SentSpeakers): void {
  if (references.length === 0) return;
  if (references.length > MAX_SPEAKERS) throw refuse(`may be sent at most ${MAX_SPEAKERS} times`);
  if (names.length !== references.length) throw refuse('needs one entry for each of "known_speaker_names[]"');
  if (new Set(names).size !== names.length) {
    throw new AppError('invalid_request', 'The field "known_speaker_names[]" must not name a speaker twice.');
  }
}

/**
 * The voices of the known speakers for the diarizer of these options; undefined when it knows none.
 * Throws `invalid_request` for a reference that is no sound or has no speech.
 */
export async function readSpeakers(
  { names, references }: SentSpeakers,
  options: TranscriptionOptions,
  caller: Caller,
  deps: Pick<AcceptDeps, 'planTranscription' | 'workers'>,
): Promise<TranscriptionOptions['knownSpeakers']> {
  if (references.length === 0 || !options.withDiarization) return undefined;
  const { diarizer } = deps.planTranscription(options).models;
  if (diarizer === null) return undefined;
  const speakers: { name: string; voice: readonly number[] }[] = [];
  for (const [index, reference] of references.entries()) {
    await decodeDataUrl(reference);
    const call = { path: reference.path, diarizer };
    const { voice, isSupported } = await deps.workers.run(describeVoice, call, caller.account.id).catch(asReference);
    if (!isSupported) return undefined;
    if (voice === null) throw refuse('needs 2 to 10 seconds of speech of one person in each entry');
    speakers.push({ name: names[index] ?? '', voice });
  }
  return speakers;
}

/** Replaces the text of a data URL by what it contains; a file may also be sent as it is. */
async function decodeDataUrl({ path, sizeBytes }: UploadedFile): Promise<void> {
  if (sizeBytes > MAX_REFERENCE_BYTES) throw refuse('may have at most 4 MiB in each entry');
  const reference = await readFile(path);
  const start = DATA_URL.exec(reference.toString('latin1', 0, 300))?.[0];
  if (start === undefined) return;
  // A new file: a link to the old one must not change.
  await rm(path, { force: true });
  await writeFile(path, Buffer.from(reference.toString('latin1', start.length), 'base64'), { mode: 0o600 });
}

const REFERENCE_FAULTS: ReadonlySet<string> = new Set([
  'unsupported_audio_format',
  'corrupt_audio',
  'empty_audio',
  'audio_too_long',
]);

function asReference(thrown: unknown): never {
  if (!(thrown instanceof AppError) || !REFERENCE_FAULTS.has(thrown.code)) throw thrown;
  throw refuse('must be data URLs of recordings of 2 to 10 seconds', thrown);
}

function refuse(why: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `The field "${FIELD}" ${why}.`, { cause });
}
