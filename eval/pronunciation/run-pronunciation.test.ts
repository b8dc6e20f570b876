import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '#testbed/service/browser.ts';
import { wavBytes } from '#testbed/sound/audio.ts';
import { speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import type { Scored } from './pictures.ts';

let folder = '';
const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pronunciation-'));
  await mkdir(inFolder('sound'));
  const rows: string[] = [];
  for (const syllable of ['gwong2', 'nei5', 'si1']) {
    const sound = await speak(syllable, { voice: 'yue-latn-jyutping', rate: 130, pitch: 50 });
    await writeFile(inFolder(`sound/${syllable}.wav`), wavBytes(sound));
    rows.push(`sound/${syllable}.wav\t${syllable}`);
  }
  await writeFile(inFolder('sound/broken.wav'), 'no sound at all');
  rows.push('sound/broken.wav\tsi3', 'sound/broken.wav\tnothing');
  await writeFile(inFolder('yue-syllables-other.tsv'), `file\tjyutping\n${rows.join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command as npm does, in a folder without sets. */
function evaluate(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const main = join(import.meta.dirname, '../main.ts');
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, EVAL_SETS: '' } };
    execFile(process.execPath, [main, 'pronunciation', ...args], options, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

describe('eval pronunciation', () => {
  it('compares syllables with themselves and their minimal pairs, prints tables and draws a picture', async () => {
    const where = ['--sets', '.', '--pictures', 'pictures', '--json', 'out.json', '--markdown'];
    const { status, stdout, stderr } = await evaluate(...where, '--part', 'syllables');
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toMatch(/^### Cantonese syllables, voices never trained on \(4 recordings;.*1 labels left out/);
    expect(stdout).toContain('1 recordings refused');
    expect(stdout).toMatch(/^\| own text rejected \| 4 \| /m);
    const { syllables } = JSON.parse(await readFile(inFolder('out.json'), 'utf8')) as Scored;
    const [gwong, nei, , broken] = syllables[0]!.trials;
    expect(broken).toMatchObject({ spoken: 'si3', own: 0, refused: expect.stringMatching('audio'), pairs: [] });
    expect(nei?.pairs.filter(({ isVariant }) => isVariant).map(({ syllable }) => syllable)).toEqual(['lei5']);
    const pairs = gwong!.pairs.map(({ score }) => score);
    expect(pairs.filter((score) => score > gwong!.own).length).toBeLessThan(pairs.length / 4);
    expect(await readdir(inFolder('pictures'))).toEqual(['pronunciation-cantonese.svg']);
  });

  it('joins Mandarin words to sentences, and scores them with small changes of their text', async () => {
    await mkdir(inFolder('words/sound'), { recursive: true });
    const rows: string[] = [];
    for (const [index, text] of ['中国', '学生', '你好'].entries()) {
      const sound = await speak(text, { voice: 'cmn', rate: 130, pitch: 50 });
      await writeFile(inFolder(`words/sound/${index}.wav`), wavBytes(sound));
      rows.push(`sound/${index}.wav\t${text}\t\tyt`);
    }
    await writeFile(inFolder('words/cmn-words.tsv'), `file\ttext\tpinyin\tspeaker\n${rows.join('\n')}\n`);
    const args = [
      '--sets',
      'words',
      '--part',
      'natives',
      '--language',
      'mandarin',
      '--limit',
      '2',
      '--json',
      'words.json',
    ];
    const { status, stdout, stderr } = await evaluate(...args);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toMatch(/^2 sentences joined of words by the Mandarin voice trained on/);
    const { natives } = JSON.parse(await readFile(inFolder('words.json'), 'utf8')) as Scored;
    const [{ trials }] = natives as [Scored['natives'][number]];
    expect(trials.map(({ text }) => text.split(' ').length)).toEqual([3, 3]);
    for (const { scores } of trials) {
      expect(scores.own[0]).toBeGreaterThan(70);
      expect(Math.min(...scores['one syllable exchanged'])).toBeLessThan(70);
    }
  });

  it.skipIf(CHROMIUM === null)('draws syllables of each tone, single ones and such from sentences', async () => {
    await mkdir(inFolder('tones'));
    const spoken = await speak(toJyutping('我住喺九龍'), { voice: 'yue-latn-jyutping', rate: 120 });
    await writeFile(inFolder('tones/yue_sent_cv_lazy-1.wav'), wavBytes(spoken));
    await writeFile(inFolder('tones/yue-sentences-dev.tsv'), 'file\ttext\nyue_sent_cv_lazy-1.wav\t我住喺九龍\n');
    await writeFile(inFolder('tones/yue-syllables-kt.tsv'), 'file\tjyutping\n../sound/si1.wav\tsi1\n');
    const where = ['--sets', 'tones', '--pictures', 'tones', '--language', 'cantonese'];
    const { stdout, stderr } = await evaluate(...where, '--part', 'tones');
    expect({ stdout, stderr }).toEqual({ stdout: 'drawn: tones/tones.jpg\n', stderr: '' });
    expect((await readFile(inFolder('tones/tones.jpg'))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  it('reports that there is nothing to measure', async () => {
    const { status, stderr } = await evaluate('--sets', 'sound', '--part', 'syllables', 'learners');
    expect(status).toBe(2);
    expect(stderr).toContain('No recordings to measure.');
  });
});
