import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@jyutsing/contracts/errors';
import type { Voice } from '@jyutsing/contracts/voice';
import type { VoiceEditor } from '#features/voices/library.ts';
import { bodyKey, headerKey, type Authenticator } from '#http/authentication.ts';
import { createFormAuthentication, type AnonymousUploads } from '#http/form-authentication.ts';
import type { HttpServices } from '#http/services.ts';
import { receiveUpload } from '#http/upload.ts';
import { FIELD_NAMES, parseVoiceForm } from './schema.ts';

/** Voices are made and used by those who speak. */
export const VOICE_ADMISSION = { scope: 'tts', counted: 'request' } as const;
/** Half a minute of sound without compression at studio rates. */
export const MAX_SAMPLE_BYTES = 20 * 1024 ** 2;

export type ReceiveVoice = (request: FastifyRequest, reply: FastifyReply) => Promise<Voice>;

/**
 * Reads the form and makes a voice of it. The key is checked before anything is said of the content. Throws AppError, and leaves
 * nothing behind then; the upload is deleted in any case.
 */
export function createVoiceReceiver(
  { config: { incomingDir }, voices }: Pick<HttpServices, 'config'> & { voices: VoiceEditor },
  authenticator: Authenticator,
): ReceiveVoice {
  const anonymous: AnonymousUploads = { held: 0, limit: 4 * MAX_SAMPLE_BYTES };

  return async (request, reply) => {
    if (!request.isMultipart()) {
      await authenticator.admit(bodyKey(request) ?? headerKey(request), VOICE_ADMISSION, request, reply);
      throw new AppError('unsupported_media_type', 'Send the voice as multipart/form-data.');
    }
    const authentication = createFormAuthentication(authenticator, VOICE_ADMISSION, anonymous, request, reply);
    try {
      await using upload = await receiveUpload(request, {
        incomingDir,
        maxFileBytes: MAX_SAMPLE_BYTES,
        fileField: 'sample',
        fieldNames: FIELD_NAMES,
        beforeFile: authentication.beforeFile,
      });
      const { account } = await authentication.caller(upload.fields);
      const draft = parseVoiceForm(upload.fields);
      if (upload.file === null) {
        throw new AppError('missing_file', 'Send the recording as a file in the form field "sample".');
      }
      return await voices.create(account.id, { ...draft, samplePath: upload.file.path });
    } finally {
      authentication.release();
    }
  };
}
