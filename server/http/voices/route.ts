import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Account } from '@jyutsing/contracts/accounts';
import { AppError } from '@jyutsing/contracts/errors';
import type { VoiceEditor, VoiceLibrary } from '#features/voices/library.ts';
import { headerKey, type Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_KEY, HEADER_OR_FIELD_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { createVoiceReceiver, VOICE_ADMISSION } from './receive-voice.ts';
import { DeletedAnswer, IdParameter, viewSummary, viewVoice, VoiceAnswer, VoiceForm, VoicesAnswer } from './schema.ts';

const DOCUMENTED = { tags: ['Voices'] };
const SAMPLE_TYPE = 'audio/wav';

type Services = Pick<HttpServices, 'config'> & { voices: VoiceLibrary & VoiceEditor };
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<Account>;
type WithId = { Params: { id: string } };

/** Voices: those that ship, and those of the caller's account. */
export function voicesRoutes(services: Services, authenticator: Authenticator) {
  const admit: Admit = async (request, reply) =>
    (await authenticator.admit(headerKey(request), VOICE_ADMISSION, request, reply)).account;
  return async function routes(app: FastifyInstance): Promise<void> {
    readingRoutes(app, services.voices, admit);
    sampleRoute(app, services.voices, admit);
    deletionRoute(app, services.voices, admit);
    app.register(async (forms) => {
      forms.register(multipart, { throwFileSizeLimit: false });
      // Other bodies are left unread, so that a request without a key is told about the key first.
      forms.addContentTypeParser('*', (_request, _payload, done) => done(null));
      creationRoute(forms, services, authenticator);
    });
  };
}

function readingRoutes(app: FastifyInstance, voices: VoiceLibrary, admit: Admit): void {
  const typed = app.withTypeProvider<ZodTypeProvider>();
  typed.get('/api/voices', {
    schema: {
      ...DOCUMENTED,
      summary: 'The voices that the account can use',
      description: 'The public ones first, then those of the account, oldest first.',
      security: HEADER_KEY,
      response: { 200: VoicesAnswer, ...errorResponses(...KEY_ERRORS) },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      return { success: true as const, voices: (await voices.list(id)).map(viewSummary) };
    },
  });
  typed.get('/api/voices/:id', {
    schema: {
      ...DOCUMENTED,
      summary: 'One voice',
      security: HEADER_KEY,
      params: IdParameter,
      response: { 200: VoiceAnswer, ...errorResponses(...KEY_ERRORS, 'voice_not_found') },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      const voice = await voices.find(id, request.params.id);
      if (voice === null) throw new AppError('voice_not_found');
      return { success: true as const, voice: viewVoice(voice) };
    },
  });
}

function sampleRoute(app: FastifyInstance, voices: VoiceLibrary, admit: Admit): void {
  app.get<WithId>('/api/voices/:id/sample', {
    schema: {
      ...DOCUMENTED,
      summary: 'The sample of a voice',
      description: 'As it is imitated: WAV, 24 kHz, mono, 16 bit, without the pauses at its ends.',
      security: HEADER_KEY,
      params: IdParameter,
      response: {
        200: {
          description: 'The recording.',
          content: { [SAMPLE_TYPE]: { schema: z.file().meta({ format: 'binary' }) } },
        },
        ...errorResponses(...KEY_ERRORS, 'voice_not_found'),
      },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      const { stream, sizeBytes } = await voices.openSample(id, request.params.id);
      return (
        reply
          .type(SAMPLE_TYPE)
          .header('content-length', sizeBytes)
          // Somebody's voice: nothing between the caller and us keeps it, and not under another key.
          .header('cache-control', 'private, max-age=300')
          .header('vary', 'x-api-key, authorization')
          .header('x-content-type-options', 'nosniff')
          .header('content-disposition', `inline; filename="${request.params.id}.wav"`)
          .send(stream)
      );
    },
  });
}

function deletionRoute(app: FastifyInstance, voices: VoiceEditor, admit: Admit): void {
  app.withTypeProvider<ZodTypeProvider>().delete('/api/voices/:id', {
    schema: {
      ...DOCUMENTED,
      summary: 'Delete a voice of the account',
      description: 'Its sample is deleted with it.',
      security: HEADER_KEY,
      params: IdParameter,
      response: { 200: DeletedAnswer, ...errorResponses(...KEY_ERRORS, 'voice_not_found') },
    },
    handler: async (request, reply) => {
      const { id } = await admit(request, reply);
      await voices.delete(id, request.params.id);
      return { success: true as const };
    },
  });
}

function creationRoute(app: FastifyInstance, services: Services, authenticator: Authenticator): void {
  const receive = createVoiceReceiver(services, authenticator);
  app.post('/api/voices', {
    schema: {
      ...DOCUMENTED,
      summary: 'Make a voice of a recording',
      description:
        'The recording is trimmed and checked: it must hold 3 to 30 seconds of one person, without clipping and much noise. ' +
        'Only the account can use the voice.',
      security: HEADER_OR_FIELD_KEY,
      response: {
        200: VoiceAnswer,
        ...errorResponses(
          ...KEY_ERRORS,
          'missing_file',
          'invalid_parameter',
          'conflict',
          'payload_too_large',
          'unsupported_media_type',
          'unsupported_audio_format',
          'corrupt_audio',
          'empty_audio',
          'unsuitable_sample',
          'timed_out',
        ),
      },
    },
    config: { form: VoiceForm },
    handler: async (request, reply) => ({ success: true as const, voice: viewVoice(await receive(request, reply)) }),
  });
}
