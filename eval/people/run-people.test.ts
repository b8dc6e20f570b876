import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import type { Figure, Measured } from './figures.ts';
import type { PeoplePart } from './parts.ts';

let folder = '';
const inFolder = (name: string) => join(folder, name);

async function writeTable(name: string, header: string, rows: readonly [sound: Sound, cells: string][]) {
  await mkdir(inFolder(name));
  const lines = [header];
  for (const [index, [sound, cells]] of rows.entries()) {
    await writeFile(inFolder(`${name}/${index}.wav`), wavBytes(sound));
    lines.push(`${name}/${index}.wav\t${cells}`);
  }
  await writeFile(inFolder(`${name}.tsv`), `${lines.join('\n')}\n`);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'people-'));
  const texts = ['今日天氣好好。', '你食咗飯未呀？', '佢每日朝早都去公園跑步，跟住先至返屋企食早餐。'];
  const sentences: [Sound, string][] = [];
  for (const text of texts) sentences.push([await speak(toJyutping(text)), text]);
  const withUnits = sentences.map(([sound, text]): [Sound, string] => {
    return [sound, `${text}\t${toJyutping(text).replaceAll(',', ' ').trim()}`];
  });
  await writeTable('yue-sentences-dev', 'file\ttext\tjyutping', withUnits);
  const syllables: [Sound, string][] = [];
  for (const syllable of ['gwong2', 'nei5', 'si1']) syllables.push([await speak(syllable, { rate: 130 }), syllable]);
  await writeTable('yue-syllables-other', 'file\tjyutping', syllables);
  const word = await speak('ni3 hao3', { voice: 'cmn-latn-pinyin' });
  const syllable = await speak('ma1', { voice: 'cmn-latn-pinyin' });
  await writeTable('cmn-words', 'file\ttext\tpinyin\tspeaker', [
    [word, '你好\t\tyt'],
    [syllable, '\tma1\tcw'],
  ]);

  const meeting = joinSounds(
    sentences.map(([sound]) => sound),
    500,
  );
  const seconds = meeting.channels[0]!.length / meeting.sampleRateHz;
  await mkdir(inFolder('meetings'));
  await writeFile(inFolder('meetings/one.wav'), wavBytes(meeting));
  await writeFile(inFolder('meetings/one.rttm'), `SPEAKER one 1 0 ${seconds} <NA> <NA> ann <NA> <NA>\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the command as npm does, in a folder without sets. */
function evaluate(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const main = join(import.meta.dirname, '../main.ts');
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, EVAL_SETS: '' } };
    execFile(process.execPath, [main, 'people', ...args], options, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

describe('eval people', () => {
  it('measures every part on a few recordings, and says which sets are missing', async () => {
    const { status, stdout } = await evaluate('--quick', '--sets', '.', '--json', 'out.json', '--markdown');
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringMatching(/^failed/m) });
    const { results } = JSON.parse(await readFile(inFolder('out.json'), 'utf8')) as {
      results: Record<PeoplePart, Measured>;
    };
    const figures = new Map<string, Figure>(
      Object.values(results).flatMap((part) => part.figures.map((figure) => [figure.id, figure] as const)),
    );
    const value = (id: string) => figures.get(id)?.value;
    // Recordings shorter than a clip are clips as they are. Two Mandarin files have seven seconds.
    expect(figures.get('cantonese3')).toMatchObject({ of: expect.stringMatching(/^[345] clips/), value: 1 });
    expect(figures.get('words3')?.of).toMatch(/^4 clips/);
    expect(value('words3')).toBeGreaterThanOrEqual(0.5);
    expect(value('characters')).toBeLessThan(0.5);
    expect(value('sentencesNoTone')).toBeLessThan(0.5);
    expect(value('othersNoTone')).toBeLessThanOrEqual(value('othersTone')!);
    expect(value('meetingsError')).toBeLessThan(0.5);
    expect(value('meetingsCount')).toBe(1);
    expect(value('ownPassed')).toBe(1);
    expect(value('otherPassed')).toBe(0);
    expect(value('ownMedian')).toBeGreaterThan(value('otherHighest')!);
    expect(value('onsetPairs')).toBeLessThan(0.5);
    expect(value('onsetPairsKnown')).toBeLessThan(0.5);

    expect(stdout).toContain('| Cantonese sentences, up to 3 s |');
    expect(stdout).toMatch(/^not measured: learners: no eng-learners-train\.tsv/m);
    expect(stdout).toMatch(/^not measured: all conversations: no recordings/m);
  });

  it('measures the part asked for only, and fails where a recording is missing', async () => {
    await mkdir(inFolder('broken'), { recursive: true });
    await writeFile(inFolder('broken/yue-syllables-other.tsv'), 'file\tjyutping\ngone.wav\tsi1\n');
    const { status, stdout } = await evaluate('--quick', '--sets', 'broken', '--only', 'recognition');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^failed: yue-syllables-other, builtin-acoustic/m);
    expect(stdout).not.toContain('lang=auto');
  });

  it('reports that there is nothing to measure', async () => {
    const { status, stderr } = await evaluate('--sets', 'meetings/none', '--only', 'recognition');
    expect(status).toBe(2);
    expect(stderr).toContain('No recordings of people');
  });
});
