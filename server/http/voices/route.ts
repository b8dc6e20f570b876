import { z } from 'zod';
import { AppError, type ErrorCode } from '@jyutsing/contracts/errors';
import type { ServerDeps } from '#http/deps.ts';
import { formBody, missingFile } from '#http/form-body.ts';
import type { LimitUploads } from '#http/upload-limits.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import {
  DeletedAnswer,
  FIELD_NAMES,
  IdParameter,
  parseVoiceForm,
  SampleAnswer,
  SampleForm,
  viewSummary,
  viewVoice,
  VoiceAnswer,
  VoiceForm,
  VoicesAnswer,
} from './schema.ts';

const TAGS = ['Voices'];
const AUTH = { scope: 'tts', rateLimit: 'request' } as const;
const SAMPLE_TYPE = 'audio/wav';
/** 30 seconds of uncompressed audio at studio sample rates. */
const MAX_SAMPLE_BYTES = 20 * 1024 ** 2;

type RouteDeps = Pick<ServerDeps, 'voices'> & { limitUploads: LimitUploads };

/** Shipped voices, and the voices of the caller's account. */
export function addVoiceRoutes(addRoute: AddRoute, deps: RouteDeps): void {
  addReadingRoutes(addRoute, deps);
  addSampleRoute(addRoute, deps);
  addDeletionRoute(addRoute, deps);
  addCheckRoute(addRoute, deps);
  addCreationRoute(addRoute, deps);
}

function addReadingRoutes(addRoute: AddRoute, { voices }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/api/voices', '/api/tts/voices'],
    docs: {
      tags: TAGS,
      operationId: 'listVoices',
      summary: 'The voices that the account can use',
      description: 'The public ones first, then those of the account, oldest first.',
      ok: VoicesAnswer,
    },
    auth: AUTH,
    body: noBody,
    run: ({ caller }) => voices.list(caller.account.id),
    answer: (found) => ({ success: true, voices: found.map(viewSummary) }),
  });
  addRoute({
    method: 'GET',
    paths: ['/api/voices/:id'],
    docs: {
      tags: TAGS,
      operationId: 'getVoice',
      summary: 'One voice',
      params: IdParameter,
      ok: VoiceAnswer,
      errors: ['voice_not_found'],
    },
    auth: AUTH,
    body: noBody,
    async run({ caller, id }) {
      const voice = await voices.find(caller.account.id, id);
      if (voice === null) throw new AppError('voice_not_found');
      return { success: true, voice: viewVoice(voice) };
    },
  });
}

function addSampleRoute(addRoute: AddRoute, { voices }: RouteDeps): void {
  addRoute({
    method: 'GET',
    paths: ['/api/voices/:id/sample'],
    docs: {
      tags: TAGS,
      operationId: 'getVoiceSample',
      summary: 'The sample of a voice',
      description: 'The recording that is imitated: WAV, 24 kHz, mono, 16 bit, without the pauses at its ends.',
      params: IdParameter,
      ok: {
        description: 'The recording.',
        content: { [SAMPLE_TYPE]: { schema: z.file().meta({ format: 'binary' }) } },
      },
      errors: ['voice_not_found'],
    },
    auth: AUTH,
    body: noBody,
    async run({ caller, id, reply }) {
      const { stream, sizeBytes } = await voices.openSample(caller.account.id, id);
      return (
        reply
          .type(SAMPLE_TYPE)
          .header('content-length', sizeBytes)
          // A recording of a person: shared caches must not keep it, nor serve it for another key.
          .header('cache-control', 'private, max-age=300')
          .header('vary', 'x-api-key, authorization')
          .header('x-content-type-options', 'nosniff')
          .header('content-disposition', `inline; filename="${id}.wav"`)
          .send(stream)
      );
    },
  });
}

function addDeletionRoute(addRoute: AddRoute, { voices }: RouteDeps): void {
  addRoute({
    method: 'DELETE',
    paths: ['/api/voices/:id'],
    docs: {
      tags: TAGS,
      operationId: 'deleteVoice',
      summary: 'Delete a voice of the account',
      description: 'Its sample is deleted with it.',
      params: IdParameter,
      ok: DeletedAnswer,
      errors: ['voice_not_found'],
    },
    auth: AUTH,
    body: noBody,
    run: ({ caller, id }) => voices.delete(caller.account.id, id),
    answer: () => ({ success: true }),
  });
}

const SAMPLE_ERRORS = [
  'missing_file',
  'invalid_parameter',
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_audio_format',
  'corrupt_audio',
  'empty_audio',
  'unsuitable_sample',
  'timed_out',
] as const satisfies ErrorCode[];

function refuseOtherTypes(): never {
  throw new AppError('unsupported_media_type', 'Send the recording as multipart/form-data.');
}

function addCheckRoute(addRoute: AddRoute, { limitUploads, voices }: RouteDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/api/voices/check'],
    docs: {
      tags: TAGS,
      operationId: 'checkVoiceSample',
      summary: 'Check a recording for a voice',
      description: 'Nothing is kept.',
      ok: SampleAnswer,
      errors: SAMPLE_ERRORS,
    },
    auth: AUTH,
    body: formBody({
      docs: { form: SampleForm },
      fileField: 'sample',
      fieldNames: new Set(Object.keys(SampleForm.shape)),
      limits: limitUploads(MAX_SAMPLE_BYTES),
      parse({ file }) {
        if (file === null) throw missingFile('recording', 'sample');
        return file.path;
      },
      parseOther: refuseOtherTypes,
    }),
    run: ({ caller, input }) => voices.checkSample(caller.account.id, input),
    answer: ({ durationMs }) => ({ success: true, sample_seconds: Math.round(durationMs) / 1_000 }),
  });
}

function addCreationRoute(addRoute: AddRoute, { limitUploads, voices }: RouteDeps): void {
  addRoute({
    method: 'POST',
    paths: ['/api/voices'],
    docs: {
      tags: TAGS,
      operationId: 'createVoice',
      summary: 'Create a voice from a recording',
      description:
        'The recording is trimmed and checked: it must contain 3 to 30 seconds of one speaker, without clipping or much noise. ' +
        'Only the account can use the voice.',
      ok: VoiceAnswer,
      errors: [...SAMPLE_ERRORS, 'conflict', 'model_not_found'],
    },
    auth: AUTH,
    body: formBody({
      docs: { form: VoiceForm },
      fileField: 'sample',
      fieldNames: FIELD_NAMES,
      limits: limitUploads(MAX_SAMPLE_BYTES),
      parse({ fields, file }) {
        const draft = parseVoiceForm(fields);
        if (file === null) throw missingFile('recording', 'sample');
        return { ...draft, samplePath: file.path };
      },
      parseOther: refuseOtherTypes,
    }),
    run: ({ caller, input }) => voices.create(caller.account.id, input),
    answer: (voice) => ({ success: true, voice: viewVoice(voice) }),
  });
}
