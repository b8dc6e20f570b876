import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Authenticator } from '#http/authentication.ts';
import { errorResponses, HEADER_OR_FIELD_KEY, KEY_ERRORS } from '#http/openapi.ts';
import type { HttpServices } from '#http/services.ts';
import { createRecordingReceiver } from './receive-recording.ts';
import { EXAMPLE } from './example.ts';
import { ScoreAnswer, ScoreForm } from './schema.ts';

const DESCRIPTION = `Compares the recording with the text and says of every syllable (Cantonese, Mandarin) or word (English) what was
expected, what was heard and how right it is. All accepted readings of a character count. The recording is deleted as soon as it is scored.`;

/** Both are the same; learners' apps in the field call the second. */
const PATHS = ['/api/score-pronunciation', '/api/learn-cantonese/score-pronunciation'];

/** Pronunciation scoring. To be registered where multipart forms are read and other bodies left unread. */
export function pronunciationRoutes(services: HttpServices, authenticator: Authenticator) {
  return async function routes(app: FastifyInstance): Promise<void> {
    const receive = createRecordingReceiver(services, authenticator);
    for (const url of PATHS) {
      app.withTypeProvider<ZodTypeProvider>().post(url, {
        schema: {
          tags: ['Pronunciation'],
          summary: 'Score the pronunciation of a text',
          description: DESCRIPTION,
          security: HEADER_OR_FIELD_KEY,
          response: {
            200: {
              description: 'The score.',
              content: { 'application/json': { schema: ScoreAnswer.meta({ examples: [EXAMPLE] }) } },
            },
            ...errorResponses(
              ...KEY_ERRORS,
              'missing_file',
              'text_not_readable',
              'payload_too_large',
              'unsupported_media_type',
              'corrupt_audio',
              'empty_audio',
              'no_speech',
              'audio_too_long',
              'engine_failed',
              'engine_unavailable',
              'timed_out',
            ),
          },
        },
        config: { form: ScoreForm },
        handler: (request, reply) => receive(request, reply),
      });
    }
  };
}
