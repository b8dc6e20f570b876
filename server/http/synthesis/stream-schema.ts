import { z } from 'zod';
import { spokenCorporaField } from '#http/corpus-ids.ts';
import { anyField, apiKeyField, languageField, textField } from '#http/fields.ts';
import { SAMPLING_FIELDS } from './speak.ts';
import { speechTextField } from './speech-text-field.ts';

/** `Chinese` is the interface's name of Cantonese. */
const STREAMED = ['cantonese', 'english'] as const;
const NAMES = ['Chinese', 'English'];
const ACCEPTED = 'Chinese (Cantonese) or English, or a code of one (yue, zh-HK; en …)';

/** The body of POST /api/tts-stream. */
export const StreamBody = z.object({
  api_key: apiKeyField,
  text: speechTextField('The text to synthesize, or SSML, of which what is spoken counts.'),
  voice_id: textField('One of GET /api/voices.'),
  language: languageField(
    STREAMED,
    {
      enum: NAMES,
      default: 'Chinese',
      description: '`Chinese` is synthesized as Cantonese; `English`; or a code. Also accepted as `lang`.',
    },
    ACCEPTED,
  ),
  lang: languageField(STREAMED, { enum: NAMES, description: 'Alias of `language`, which wins.' }, ACCEPTED),
  ...SAMPLING_FIELDS,
  corpus_ids: spokenCorporaField,
  model_id: anyField('Deprecated and ignored; sent back in `X-Model-Id-Ignored`.'),
});
