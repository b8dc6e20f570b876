import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { Jyutsing } from '@jyutsing/client';
import { OWNER_KEY } from './service.ts';

export type Appearance = { language: 'en' | 'zh-HK'; theme: 'light' | 'dark' };

/** Signs a page of the console in with the owner's key, in this language and theme. */
export async function signIn(page: Page, baseUrl: string, { language, theme }: Appearance): Promise<void> {
  await page.evaluate(
    ([chosen, shown]) => {
      localStorage.setItem('jyutsing.language', chosen);
      localStorage.setItem('jyutsing.theme', shown);
    },
    [language, theme] as const,
  );
  await page.goto(`${baseUrl}/console/#key=${OWNER_KEY}`);
  await page.reload();
  await page.locator('nav').waitFor({ state: 'attached' });
}

/** An example of everything that the console shows: a transcript, a word list, an account. */
export async function fillConsole(
  baseUrl: string,
  recordingPath: string,
): Promise<{ transcriptId: string; corpusId: string }> {
  const client = new Jyutsing({ baseUrl, apiKey: OWNER_KEY });
  const { id: corpusId } = await client.corpora.create({
    name: '公司用語',
    description: '會議常用的人名和地名',
    entries: [
      { text: '陳大文', jyutping: 'can4 daai6 man4', weight: 2 },
      { text: '深水埗', jyutping: 'sam1 seoi2 bou2' },
      { text: '財政預算案', jyutping: 'coi4 zing3 jyu6 syun3 on3' },
      { text: 'T恤', jyutping: 'seot1' },
    ],
  });
  const { id } = await client.accounts.create({ name: '市場部', plan: 'starter' });
  await client.keys.create(id, { name: '字幕程式', scopes: ['stt'] });
  const recording = new File([await openAsBlob(recordingPath)], basename(recordingPath));
  const job = await client.transcribe(recording, { diarization: true, keepAudio: true, title: '星期一例會' });
  await job.wait();
  await job.save({ speakers: { SPEAKER_00: '陳小姐', SPEAKER_01: '李先生' } });
  return { transcriptId: job.id, corpusId };
}
