import { AssertionError } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LiveRequest } from '@jyutsing/contracts/live-recognition';
import { LANGUAGES } from '@jyutsing/contracts/transcript';
import type { Recognizer } from '@jyutsing/contracts/recognizer';
import { engine as builtin } from '#packages/engines/builtin/recognizer.ts';
import { whistle, writeWhistledModels } from '#test/audio-whistled.ts';
import { COUNTING_RECOGNIZER } from '#test/http/live-here.ts';
import { recognizeLiveWith } from '#test/live-here.ts';
import { recognizerModels, recognizerRef } from '#test/transcription-models.ts';
import { LIVE_RULE_NAMES, LIVE_RULES, type LiveSubject } from './live-recognition-rules.ts';
import { lyingSubject } from './lying-engine/live-session.ts';

const modelsDir = resolve(import.meta.dirname, '../../models');
const folder = await mkdtemp(join(tmpdir(), 'live-contract-'));
await writeWhistledModels(folder, join(modelsDir, 'yue/language-model.bin'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const speech =
  whistle([null, 'hoeng1', 'gong2', 'jan4', null, 'nei5', 'hou2', null]).channels[0] ?? new Float32Array(0);
const options: LiveRequest = {
  accountId: 'a',
  models: recognizerModels(recognizerRef('any')),
  context: null,
  turnDetection: null,
};

function subjectOf(recognizer: Recognizer, mustRecognize = true): LiveSubject {
  const live = recognizeLiveWith(recognizer);
  const open: LiveSubject['open'] = (changes, signal) => live.open({ ...options, ...changes }, signal);
  return { open, language: LANGUAGES[0], speech, mustRecognize };
}

const openBuiltin = (builtinModelsDir: string) =>
  builtin.open({ builtinModelsDir, modelsDir: '/nowhere', settings: {} }, 'builtin');
const subjects = [
  { name: 'the built-in recognizer on whistled Cantonese', subject: subjectOf(await openBuiltin(folder)) },
  { name: 'the shipped built-in recognizer', subject: subjectOf(await openBuiltin(modelsDir), false) },
  { name: 'a recognizer of recordings', subject: subjectOf(COUNTING_RECOGNIZER) },
];

describe.each(subjects)('$name keeps the contract of live recognition', ({ subject }) => {
  it.each(LIVE_RULE_NAMES)('%s', async (rule) => {
    await expect(LIVE_RULES[rule](subject)).resolves.toBeUndefined();
  });
});

describe('every rule can fail', () => {
  it.each(LIVE_RULE_NAMES)('%s', async (rule) => {
    await expect(LIVE_RULES[rule](lyingSubject(subjectOf(COUNTING_RECOGNIZER), rule))).rejects.toThrow(AssertionError);
  });
});
