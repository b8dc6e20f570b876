import { expect, it } from 'vitest';
import { ERROR_CATALOGUE } from '@jyutsing/contracts/errors';
import { openMicrophone } from '#console/audio/recorder.ts';
import { en } from './en.ts';
import { zhHk } from './zh-hk.ts';

/** Codes that the console never causes, because it sends no such requests. */
const NEVER_MET = [
  'missing_file',
  'missing_api_key',
  'method_not_allowed',
  'unsupported_media_type',
  'request_in_progress',
  'range_not_satisfiable',
  'client_closed_request',
];
/** Codes that the client raises before it sends anything. */
const OF_THE_CLIENT = ['empty_file'];

const LANGUAGES = [
  ['English', en],
  ['Chinese', zhHk],
] as const;

it.each(LANGUAGES)('every error that people can meet has a sentence of its own in %s', (_name, { failures }) => {
  const codes = Object.keys(ERROR_CATALOGUE).filter((code) => !NEVER_MET.includes(code));
  expect(Object.keys(failures.byCode).toSorted()).toEqual([...codes, ...OF_THE_CLIENT].toSorted());
});

it.each(LANGUAGES)('a page that browsers give no microphone has a sentence for that in %s', async (_name, texts) => {
  // Node has no `navigator.mediaDevices`, like a page of http.
  const failure: unknown = await openMicrophone().catch((reason: unknown) => reason);
  const { name } = failure as DOMException;
  expect(name).toBe('SecurityError');
  expect(texts.failures.byBrowser).toHaveProperty(name);
});
