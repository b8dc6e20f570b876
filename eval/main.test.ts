import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wavBytes, type Sound } from '#testbed/sound/audio.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';
import type { LanguageRow } from './evaluate-language.ts';
import type { SttRow } from './evaluate-stt.ts';
import type { TimestampRow } from './evaluate-timestamps.ts';
import { findSubjects } from './models.ts';

let folder = '';
const inFolder = (name: string) => join(folder, name);

/**
 * Test engines: recognizers that work, crash, throw or are unavailable, and an identifier by
 * loudness.
 */
const ENGINES = {
  'parrot/recognizer.ts': `
    const model = (name, languages, available) => ({ name, version: '1', availability: available,
      capabilities: { languages, timestamps: 'none', confidence: false, readings: false } });
    const yes = { available: true };
    export const engine = { ability: 'recognizer', name: 'parrot',
      models: () => [
        model('parrot-good', { cantonese: 90, english: 90 }, yes), model('parrot-dying', { cantonese: 80 }, yes),
        model('parrot-moody', { cantonese: 70 }, yes), model('parrot-sold', { cantonese: 60 }, { available: false, reason: 'it was sold' }),
      ],
      open: async (_env, name) => {
        let count = 0;
        return {
          async *recognize(audio, { language }) {
            for await (const _chunk of audio);
            count += 1;
            if (name === 'parrot-dying' && count === 3) process.abort();
            if (name === 'parrot-moody' && count === 3) throw new TypeError('not in the mood');
            const text = language === 'english' ? 'good MORNING' : '你好！';
            yield { type: 'segment-end', segment: { text, startMs: 0, endMs: 1, words: [], speaker: null, confidence: null } };
          },
          close: async () => {},
        };
      } };`,
  'loudness/language-identifier.ts': `
    export const engine = { ability: 'language-identifier', name: 'loudness',
      models: () => [{ name: 'loudness', version: '1', capabilities: { quality: 1 }, availability: { available: true } }],
      open: async () => ({
        async identify(audio) {
          let loudest = 0;
          let samples = 0;
          for await (const chunk of audio) {
            samples += chunk.samples.length;
            for (const sample of chunk.samples) loudest = Math.max(loudest, Math.abs(sample));
          }
          if (samples !== 16_000) throw new TypeError('not a second');
          return { language: loudest > 0.1 ? 'cantonese' : 'english', confidence: 1 };
        },
        close: async () => {},
      }) };`,
};

function quiet({ sampleRateHz, channels }: Sound): Sound {
  return { sampleRateHz, channels: channels.map((samples) => samples.map((sample) => sample / 30)) };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eval-test-'));
  for (const [file, source] of Object.entries(ENGINES)) {
    await mkdir(inFolder(join('engines', file, '..')), { recursive: true });
    await writeFile(inFolder(join('engines', file)), source);
  }
  await writeFile(inFolder('engines/package.json'), '{"type":"module"}');
  const texts = ['今日天氣好好。', '你食咗飯未呀？', '佢每日朝早都去跑步。'];
  const sounds: Sound[] = [];
  const rows = ['file\ttext\tjyutping\tlanguage\tspeaker'];
  for (const [index, text] of texts.entries()) {
    const jyutping = toJyutping(text);
    const sound = await speak(jyutping);
    sounds.push(sound);
    await writeFile(inFolder(`${index}.wav`), wavBytes(sound));
    const syllables = jyutping.replaceAll(',', ' ').trim();
    rows.push(`${index}.wav\t${text}\t${syllables}\tcantonese\tspeaker ${index % 2}`);
  }
  await writeFile(inFolder('yue.tsv'), `${rows.join('\n')}\n`);

  const word = await speak('zou2');
  await writeFile(inFolder('long.wav'), wavBytes(joinSounds([...sounds, ...sounds], 100)));
  await writeFile(inFolder('quiet.wav'), wavBytes(quiet(joinSounds(sounds, 100))));
  await writeFile(inFolder('word.wav'), wavBytes(word));
  const mixed = [
    ['long.wav', 'cantonese', 'ann'],
    ['quiet.wav', 'english', 'bob'],
    ['long.wav', 'mandarin', ''],
    ...Array.from({ length: 6 }, () => ['word.wav', 'cantonese', 'cat']),
    ['word.wav', 'cantonese', ''],
    ['broken.wav', 'english', 'bob'],
  ];
  await writeFile(inFolder('broken.wav'), 'no sound');
  await writeFile(inFolder('mixed.tsv'), `file\tlanguage\tspeaker\n${mixed.map((row) => row.join('\t')).join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Output = { status: number; stdout: string; stderr: string };

/** Runs the command as npm does, in an empty folder without sets. */
function evaluate(commandLine: string, env: Record<string, string> = {}): Promise<Output> {
  const main = join(import.meta.dirname, 'main.ts');
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, EVAL_SETS: '', ...env } };
    execFile(
      process.execPath,
      [
        main,
        ...commandLine.split(' '),
        ...(/^(?:timestamps|chinese|media)/.test(commandLine) ? [] : ['--no-own-sentences']),
      ],
      options,
      (error, stdout, stderr) => {
        resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });
}

async function readRows<Row>(file: string): Promise<Row[]> {
  return (JSON.parse(await readFile(inFolder(file), 'utf8')) as { rows: Row[] }).rows;
}

it.each(['stt --nonsense', 'nonsense', 'stt --limit many', 'stt --set nowhere.tsv'])(
  'wrong use exits with 2: %s',
  async (commandLine) => {
    const { status, stdout, stderr } = await evaluate(commandLine);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toMatch(/^ +at .*:\d+/m);
  },
);

describe('eval stt', () => {
  it('measures error rate, speed and memory of the shipped models', async () => {
    const { status, stdout } = await evaluate('stt --set yue.tsv --json out.json');
    expect({ status, stdout }).toMatchObject({ status: 0 });
    const [acoustic, builtin] = await readRows<SttRow>('out.json');
    expect(acoustic).toMatchObject({ model: 'builtin-acoustic', set: 'yue', language: 'cantonese', recordings: 3 });
    expect(acoustic?.errors.map(({ what }) => what)).toEqual(['syllables with tone', 'syllables without tone']);
    expect(builtin).toMatchObject({ model: 'builtin', recordings: 3, failure: null });
    expect(builtin?.errors).toMatchObject([{ what: 'characters', drawn: 'recordings', drawnFrom: 3 }]);
    for (const row of [acoustic, builtin]) {
      expect(row?.errors[0]?.rate).toBeLessThan(0.5);
      expect(row?.speed).toBeGreaterThan(1);
      expect(row?.memoryBytes).toBeGreaterThan(4 * 2 ** 20);
      expect(row?.memoryBytes).toBeLessThan(1_000 * 2 ** 20);
    }
    expect(stdout).toMatch(/characters +\d+\.\d %/);
  });

  it('a crashing model fails only its row, and a failed recording counts as entirely wrong', async () => {
    const { status, stdout, stderr } = await evaluate(
      'stt --set yue.tsv --engines engines --models . --markdown --json out.json',
    );
    expect(status).toBe(1);
    expect(stderr).toContain('not available: parrot-sold');
    const [good, dying, moody] = await readRows<SttRow>('out.json');
    // The first recognition in a process is the warm-up, so the third is that of the second
    // recording.
    expect(good).toMatchObject({ model: 'parrot-good', failure: null, failedRecordings: 0 });
    expect(good?.errors[0]?.rate).toBeGreaterThan(0.8);
    expect(dying).toMatchObject({ model: 'parrot-dying', errors: [], speed: null });
    expect(dying?.failure).toMatch(/^after 1 recordings: .*SIGABRT/);
    expect(moody).toMatchObject({ failure: null, failedRecordings: 1, recordings: 3 });
    expect(moody?.details.map(({ recognized, failure }) => [recognized, failure === null])).toEqual([
      ['你好！', true],
      ['', false],
      ['你好！', true],
    ]);
    expect(stdout).toContain('| yue | parrot-good | 3 | characters |');
    expect(stdout).toContain('| yue | parrot-dying | 3 |  | failed |');
  });

  it('measures only the selected models and recordings', async () => {
    const { stdout } = await evaluate(
      'stt --set yue.tsv --engines engines --models . --model parrot-good --limit 1 --language cantonese',
    );
    expect(stdout.split('\n').filter((line) => line.includes('parrot'))).toEqual([
      expect.stringMatching(/^yue +parrot-good +1 +characters/),
    ]);
  });

  it.each([
    ['No model is named "nightingale". Models: parrot-good,', '--model nightingale'],
    ['line 2: no such file: "gone.wav"', '--set bad.tsv'],
    ['Must be a whole number of at least 1.', '--limit few'],
  ])('prints "%s" before measuring anything', async (message, option) => {
    await writeFile(inFolder('bad.tsv'), 'file\ngone.wav\n');
    const { status, stdout, stderr } = await evaluate(`stt --engines engines ${option}`);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^    at /m);
    expect(status).toBeGreaterThan(0);
    expect(stdout).toBe('');
  });
});

function find(...names: string[]) {
  const env = { builtinModelsDir: folder, modelsDir: folder, settings: {} };
  return findSubjects({ enginesDir: inFolder('engines'), env }, names);
}

describe('findSubjects', () => {
  it('finds available models by model or engine name', async () => {
    const { subjects, unavailable } = await find();
    expect(subjects.map(({ name }) => name)).toEqual(['parrot-good', 'parrot-dying', 'parrot-moody']);
    expect(unavailable).toEqual(['parrot-sold']);
    expect((await find('parrot-moody')).subjects).toMatchObject([{ name: 'parrot-moody', languages: ['cantonese'] }]);
    expect((await find('parrot')).subjects).toHaveLength(3);
  });

  it('refuses an unavailable model with the reason', async () => {
    await expect(find('parrot-sold')).rejects.toThrow('The model "parrot-sold" is not available: it was sold.');
  });
});

describe('eval language', () => {
  it('cuts clips from recordings, joins short ones of a speaker, and reports confusions', async () => {
    const { status, stdout } = await evaluate('language --seconds 1 --set mixed.tsv --engines engines --json out.json');
    expect({ status, stdout }).toMatchObject({ status: 0 });
    const [row] = await readRows<LanguageRow>('out.json');
    expect(row).toMatchObject({ identifier: 'loudness', recordings: 11, failed: 1, failure: null });
    // Three clips of each long recording, and at least one of the single words of one speaker.
    const { cantonese, mandarin, english } = row!.confusions;
    expect(mandarin).toEqual({ cantonese: 3, mandarin: 0, english: 0, none: 0 });
    expect(english).toEqual({ cantonese: 0, mandarin: 0, english: 3, none: 0 });
    expect(cantonese.cantonese).toBeGreaterThan(3);
    const right = cantonese.cantonese + 3;
    expect(row?.clips).toBe(right + 3);
    expect(row?.errors[0]).toMatchObject({ what: 'all languages', rate: 3 / (right + 3) });
    expect(stdout).toMatch(/^mandarin +3 +0 +0 +0$/m);
  });

  it('a set without a clip of the requested length fails its row', async () => {
    const { status, stdout } = await evaluate('language --seconds 60 --set yue.tsv --engines engines');
    expect(status).toBe(1);
    expect(stdout).toContain('yue: failed: no recording has 60 seconds of speech by one speaker');
  });
});

describe('eval chinese', () => {
  it('speaks sentences and reports in which language they come back', async () => {
    const { status, stdout } = await evaluate('chinese --limit 1 --json out.json');
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^cantonese +1 +1 +100\.0 % +≥ 95\.0 %\nmandarin +1 +1 +100\.0 % +≥ 90\.0 %$/m),
    });
    const sentences = JSON.parse(await readFile(inFolder('out.json'), 'utf8'));
    expect(sentences).toHaveLength(2);
    expect(sentences[0]).toEqual({
      spoken: 'cantonese',
      voice: expect.any(String),
      sent: '今日天氣好好，我哋去公園行下啦。',
      heard: 'cantonese',
      text: expect.stringMatching(/\p{Script=Han}/u),
    });
  });
});

describe('eval timestamps', () => {
  it('compares recognized word times with those of the synthesizer', async () => {
    const { status, stdout } = await evaluate('timestamps --language cantonese --limit 3 --json out.json');
    expect({ status, stdout }).toMatchObject({ status: 0 });
    const [row] = await readRows<TimestampRow>('out.json');
    expect(row?.compared).toBeGreaterThan((row?.spoken ?? Infinity) / 2);
    expect(row?.start.within80Ms).toBeGreaterThan(0.9);
    expect(stdout).toMatch(/^cantonese +builtin/m);
  });
});

describe('eval media', () => {
  it('says which Debian packages are missing', async () => {
    const { status, stderr } = await evaluate('media --filter refused', { PATH: folder });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr:
        'ffmpeg, sox, lame, opusenc, python3 not found; install them with: ' +
        'apt-get install ffmpeg sox libsox-fmt-all lame opus-tools python3 libvo-amrwbenc0\n',
    });
  });
});
