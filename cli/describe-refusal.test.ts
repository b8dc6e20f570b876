import { Command } from 'commander';
import { expect, it } from 'vitest';
import { nameOptions } from './describe-refusal.ts';

const command = new Command()
  .argument('<recordings...>')
  .option('-l, --language <language>')
  .option('--subtitles <track>')
  .option('--diarization-threshold <distance>')
  .option('--consent');

it.each([
  ['The field "summaryLanguage" must be cantonese.', '--language must be cantonese.'],
  ['The field "subtitleLanguage" must be text.', '--subtitles must be text.'],
  ['The address in the field "data_url" cannot be reached.', 'The address in <recordings> cannot be reached.'],
  ['The field "diarization_threshold" must be more.', '--diarization-threshold must be more.'],
  ['send the field "consent" with the value true.', 'add --consent.'],
  ['send another text or set "language".', 'send another text or set --language.'],
  [
    'send language=cantonese or language=mandarin, or a text.',
    'use --language cantonese or --language mandarin, or a text.',
  ],
  ['There is none; GET /api/voices lists the voices.', 'There is none; `jyutsing voices list` lists the voices.'],
])('"%s" becomes "%s"', (sentence, expected) => {
  expect(nameOptions(sentence, command)).toBe(expected);
});

it.each([
  'The field "callback_url" must be an address.',
  'names a corpus that does not exist: "language".',
  'GET /api/other lists them.',
  'no fields at all: https://example.com/?language=x',
])('"%s" stays', (sentence) => {
  expect(nameOptions(sentence, command)).toBe(sentence);
});
