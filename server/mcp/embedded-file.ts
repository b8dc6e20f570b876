import { InvalidRequestError } from '@jyutsing/client';

export const EMBEDDED_FILE_MEANING =
  'The recording in base64, or as a data: address; up to 12 MB. Larger ones by `url`.';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Decodes base64 in either alphabet, with or without `data:…;base64,` before it. */
export function openEmbeddedFile(file: string): Uint8Array {
  const text = file.replace(/^data:[^,]*,/i, '').replaceAll(/\s+/g, '');
  if (text === '' || !BASE64.test(text)) {
    throw new InvalidRequestError('The argument "file" is no base64; send the bytes of the recording as base64.', {
      code: 'invalid_source',
    });
  }
  return Buffer.from(text, 'base64');
}
