import { beforeAll, describe, expect, it } from 'vitest';
import { mean, median } from '@jyutsing/numeric/statistics';
import { AppError } from '@jyutsing/contracts/errors';
import type { Synthesizer } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import { JYUTPING_RIMES } from '@jyutsing/text/syllables/jyutping';
import { formatPinyin, parsePinyin, PINYIN_ONSETS, PINYIN_RIMES } from '@jyutsing/text/syllables/pinyin';
import {
  intervalBetween,
  levelDb,
  openEngine,
  piece,
  pitchesOf,
  request,
  say,
  speakerProfile,
  words,
} from '#test/espeak-utterances.ts';

let engine: Synthesizer;
beforeAll(async () => {
  engine = await openEngine();
});

const weather = () => piece(words('cantonese', 'gam1 jat6', 'tin1 hei3', 'hou2', 'hou2'));
const sentences: Readonly<Record<Language, ReturnType<typeof piece>>> = {
  cantonese: weather(),
  mandarin: piece(words('mandarin', 'jin1 tian1', 'tian1 qi4', 'zhen1', 'hao3')),
  english: piece(words('english', 'The', 'weather', 'is', 'lovely', 'today')),
};

/**
 * Returns the pitches of a syllable between others, early, in the middle and late, in semitones.
 */
const toneOf = async (syllable: string, language: Language = 'cantonese') => {
  const carrier = words(
    language,
    language === 'cantonese' ? 'ni1 go3' : 'zhe4 ge5',
    syllable,
    language === 'cantonese' ? 'zi6' : 'zi4',
  );
  const { samples, words: timedWords } = await say(engine, request([piece(carrier)], { language }));
  const { startMs, endMs } = timedWords[1]!.word;
  const pitches = pitchesOf(samples, startMs, endMs);
  const part = (from: number, to: number) =>
    median(pitches.slice(Math.floor(from * pitches.length), Math.ceil(to * pitches.length)));
  return { start: part(0.1, 0.4), middle: part(0.4, 0.7), end: part(0.8, 1) };
};

/** Returns the pitch at the end of a sentence whose last word is `last`. */
const endOf = async (last: string, written: string, ending: 'question' | 'statement') => {
  const spoken = words('cantonese', 'nei5', 'heoi3', last);
  spoken[2]!.written = written;
  const { samples, words: timedWords } = await say(engine, request([piece(spoken, ending)]));
  return median(pitchesOf(samples, timedWords[2]!.word.endMs - 60, timedWords[2]!.word.endMs));
};

const englishWord = (spoken: string, reading: string[]) => ({
  written: spoken,
  spokenForm: spoken,
  language: 'english' as const,
  reading,
});
const sayEnglish = (spoken: string, reading: string[] = []) =>
  say(engine, request([piece([englishWord(spoken, reading)])], { language: 'english' }));

describe('sound', () => {
  it.each(Object.entries(sentences))(
    'of %s comes in blocks of at most 200 ms, complete and without clipping',
    async (language, spoken) => {
      const { samples, blocks, durationMs } = await say(engine, request([spoken], { language: language as Language }));
      expect(Math.max(...blocks)).toBeLessThanOrEqual(4_800);
      expect(blocks[0]).toBeLessThanOrEqual(1_200);
      expect(samples.every((sample) => Math.abs(sample) < 1)).toBe(true);
      expect(levelDb(samples, 0, durationMs)).toBeGreaterThan(-32);
      expect(durationMs).toBeGreaterThan(1_200);
      expect(durationMs).toBeLessThan(3_000);
    },
  );

  it('of one syllable is whole: it begins and ends in silence, and has died away before its end', async () => {
    const broken: string[] = [];
    for (const syllable of ['aa3', 'sik6', 'm4', 'ng5', 'maa5', 'cin4']) {
      const {
        samples,
        durationMs,
        words: timedWords,
      } = await say(engine, request([piece(words('cantonese', syllable))]));
      const { startMs, endMs } = timedWords[0]!.word;
      const isQuietAround = levelDb(samples, 0, 10) < -50 && levelDb(samples, endMs + 150, durationMs) < -60;
      const isHeard = levelDb(samples, startMs, endMs) > -34 && endMs - startMs > 120;
      if (!isQuietAround || !isHeard || durationMs < endMs + 300) broken.push(syllable);
    }
    expect(broken).toEqual([]);
  });

  it('follows the speed within 3 %, from half to three times', async () => {
    for (const spoken of Object.values(sentences)) {
      const { durationMs } = await say(engine, request([spoken]));
      for (const speed of [0.5, 0.8, 1.5, 3]) {
        const faster = await say(engine, request([spoken], { speed }));
        expect(Math.abs((faster.durationMs * speed) / durationMs - 1)).toBeLessThan(0.03);
      }
    }
  });

  it('shifts by the requested semitones, at the same duration', async () => {
    const plain = await say(engine, request([weather()]));
    for (const pitchSemitones of [-7, -3, 4, 9]) {
      const moved = await say(engine, request([weather()], { pitchSemitones }));
      expect(Math.abs(intervalBetween(moved.samples, plain.samples) - pitchSemitones)).toBeLessThan(0.3);
      expect(moved.durationMs).toBe(plain.durationMs);
    }
  });

  it('has the register of the speaker, high or low', async () => {
    for (const pitchMedianHz of [85, 120, 210, 300]) {
      const voice = { id: 'test', profile: { ...speakerProfile, pitchMedianHz }, reference: null };
      const spoken = piece([...words('cantonese', 'ngo5 dei6', 'heoi3', 'gung1 jyun2', 'haang4 haa5', 'laa1')]);
      const { samples } = await say(engine, request([spoken], { voice }));
      expect(Math.abs(median(pitchesOf(samples)) - 12 * Math.log2(pitchMedianHz / 100))).toBeLessThan(2);
    }
  });
});

describe('tones', () => {
  it('of Cantonese have natural distances: levels 1, 3, 6, 4 from high to low, 2 and 5 rising', async () => {
    const [tone1, tone2, tone3, tone4, tone5, tone6] = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((tone) => toneOf(`maa${tone}`)),
    );
    expect(tone1!.middle - tone3!.middle).toBeGreaterThan(2.5);
    expect(tone3!.middle - tone6!.middle).toBeGreaterThan(1.2);
    expect(tone6!.middle - tone4!.middle).toBeGreaterThan(1.2);
    expect(tone2!.end - tone2!.start).toBeGreaterThan(3.5);
    expect(tone2!.end - tone5!.end).toBeGreaterThan(1.5);
    expect(tone5!.end - tone5!.start).toBeGreaterThan(1);
    expect(tone4!.end - tone4!.start).toBeLessThan(-0.8);
    expect(Math.abs(tone1!.end - tone1!.middle)).toBeLessThan(1);
  });

  it('of Mandarin are high, rising, low and falling', async () => {
    const [tone1, tone2, tone3, tone4] = await Promise.all([1, 2, 3, 4].map((tone) => toneOf(`ma${tone}`, 'mandarin')));
    expect(tone1!.middle - tone3!.middle).toBeGreaterThan(5);
    expect(tone2!.end - tone2!.start).toBeGreaterThan(2);
    expect(tone4!.start - tone4!.end).toBeGreaterThan(3);
    expect(tone3!.end).toBeLessThan(Math.min(tone1!.end, tone2!.end));
  });

  it('stay distinct for a speaker with a narrow pitch range', async () => {
    const profile = { ...speakerProfile, pitchLowSemitones: -1, pitchHighSemitones: 1 };
    const voice = { id: 'flat', profile, reference: null };
    const { samples, words: timedWords } = await say(
      engine,
      request([piece(words('cantonese', 'si1', 'si4'))], { voice }),
    );
    const [high, low] = timedWords.map(({ word }) => median(pitchesOf(samples, word.startMs + 80, word.endMs)));
    expect(high! - low!).toBeGreaterThan(4);
  });

  it('a question without a particle ends higher than the statement, one with a particle keeps its tone', async () => {
    expect((await endOf('gaai1', '街', 'question')) - (await endOf('gaai1', '街', 'statement'))).toBeGreaterThan(2);
    expect(Math.abs((await endOf('aa4', '呀', 'question')) - (await endOf('aa4', '呀', 'statement')))).toBeLessThan(1);
  });
});

describe('words', () => {
  it('are in order, within the audio, with their syllables', async () => {
    const mixed = piece([
      ...words('cantonese', 'ngo5', 'soeng2', 'heoi3'),
      ...words('english', 'Facebook'),
      ...words('cantonese', 'hoi1', 'go3'),
      ...words('english', 'account'),
      ...words('mandarin', 'xie4 xie5'),
    ]);
    const { words: timedWords, durationMs } = await say(engine, request([mixed, weather()]));
    expect(timedWords.map(({ word }) => word.text)).toEqual(
      [...mixed.phrases[0]!.words, ...weather().phrases[0]!.words].map(({ written }) => written),
    );
    let reachedMs = 0;
    for (const { word, syllables } of timedWords) {
      expect(word.startMs).toBeGreaterThanOrEqual(reachedMs);
      expect(word.endMs).toBeGreaterThan(word.startMs);
      reachedMs = word.endMs;
      const syllableSpan = {
        startMs: syllables[0]?.startMs ?? word.startMs,
        endMs: syllables.at(-1)?.endMs ?? word.endMs,
      };
      expect(syllableSpan).toEqual({ startMs: word.startMs, endMs: word.endMs });
    }
    expect(reachedMs).toBeLessThan(durationMs);
    expect(timedWords[9]!.syllables.map(({ text }) => text)).toEqual(['tin1', 'hei3']);
  });

  it('of another language are as loud as those around them', async () => {
    const mixed = piece([
      ...words('cantonese', 'ngo5', 'jiu3', 'hoi1'),
      ...words('english', 'meeting'),
      ...words('cantonese', 'sin1', 'dak1'),
    ]);
    const { samples, words: timedWords } = await say(engine, request([mixed]));
    const level = (from: number, to: number) =>
      levelDb(samples, timedWords[from]!.word.startMs, timedWords[to]!.word.endMs);
    expect(Math.abs(level(3, 3) - level(0, 2))).toBeLessThan(5);
  });
});

describe('temperature', () => {
  it('of 0 gives the same audio every time, for any seed and history', async () => {
    const first = await say(engine, request([weather()]));
    await say(engine, request([sentences.english]));
    const second = await say(engine, request([weather()], { seed: 99 }));
    expect(second.samples).toEqual(first.samples);
  });

  it('above 0 varies the intonation by seed, deterministically', async () => {
    const [first, repeated, other] = [
      await say(engine, request([weather()], { temperature: 0.9, seed: 5 })),
      await say(engine, request([weather()], { temperature: 0.9, seed: 5 })),
      await say(engine, request([weather()], { temperature: 0.9, seed: 6 })),
    ];
    expect(repeated.samples).toEqual(first.samples);
    expect(other.samples.length === first.samples.length && other.samples.every((s, i) => s === first.samples[i])).toBe(
      false,
    );
  });

  it('of 2 stays near the plain contour, and nearer with a small top_p', async () => {
    const plain = await say(engine, request([weather()]));
    const spread = async (topP: number) => {
      const distances = [];
      for (let seed = 1; seed <= 6; seed += 1) {
        const { samples, durationMs } = await say(engine, request([weather()], { temperature: 2, topP, seed }));
        expect(Math.abs(durationMs / plain.durationMs - 1)).toBeLessThan(0.25);
        distances.push(Math.abs(mean(pitchesOf(samples)) - mean(pitchesOf(plain.samples))));
      }
      return Math.max(...distances);
    };
    expect(await spread(1)).toBeLessThan(4);
    expect(await spread(0.01)).toBeLessThan(0.5);
  });
});

describe('an abort', () => {
  it('before the start gives no audio, in the middle no more', async () => {
    const reason = new AppError('client_closed_request');
    const late = engine.synthesize(request([weather()]), AbortSignal.abort(reason));
    await expect(late[Symbol.asyncIterator]().next()).rejects.toBe(reason);
    const controller = new AbortController();
    const events = engine.synthesize(request([weather(), weather()]), controller.signal)[Symbol.asyncIterator]();
    await events.next();
    controller.abort(reason);
    await expect(events.next()).rejects.toBe(reason);
  });

  it('takes effect while the engine computes', async () => {
    const reason = new AppError('client_closed_request');
    const long = piece(Array.from({ length: 40 }, () => words('cantonese', 'hou2')).flat());
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 30);
    let sounded = 0;
    const listen = async () => {
      for await (const event of engine.synthesize(request([long]), abort.signal)) {
        if (event.type === 'audio') sounded += event.samples.length;
      }
    };
    await expect(listen()).rejects.toBe(reason);
    expect(sounded / 24_000).toBeLessThan(8);
  });
});

it('concurrent requests give the same as separate ones', async () => {
  const requests = Object.entries(sentences).map(([language, spoken]) =>
    request([spoken], { language: language as Language }),
  );
  const alone = [];
  for (const request of requests) alone.push((await say(engine, request)).samples);
  const together = await Promise.all(requests.map((request) => say(engine, request)));
  expect(together.map(({ samples }) => samples)).toEqual(alone);
});

describe('readings', () => {
  it('of every rime of jyutping sound', async () => {
    const syllables = JYUTPING_RIMES.map((rime) => `${rime === 'm' || rime === 'ng' ? '' : 'b'}${rime}3`);
    const { words: timedWords, samples } = await say(engine, request([piece(words('cantonese', ...syllables))]));
    expect(timedWords.map(({ word }) => word.text)).toEqual(syllables);
    const faint = timedWords.filter(
      ({ word: { startMs, endMs } }) => endMs - startMs < 80 || levelDb(samples, startMs, endMs) < -38,
    );
    expect(faint).toEqual([]);
  });

  it('of every rime and onset of pinyin are one syllable each', async () => {
    const onsets = PINYIN_ONSETS.map((onset) =>
      formatPinyin({ onset, rime: 'jqx'.includes(onset) ? 'iong' : 'u', tone: 2 }),
    );
    const rimes = PINYIN_RIMES.map((rime) =>
      formatPinyin({ onset: rime === 'iz' ? 'z' : rime === 'ir' ? 'zh' : '', rime, tone: 4 }),
    );
    const syllables = [...onsets, ...rimes, 'lv3', 'ma5', 'r5'].filter(
      (reading) => reading === 'r5' || parsePinyin(reading) !== null,
    );
    const { words: timedWords } = await say(
      engine,
      request([piece(words('mandarin', ...syllables))], { language: 'mandarin' }),
    );
    expect(timedWords.map(({ word }) => word.text)).toEqual(syllables);
    expect(timedWords.filter(({ word }) => word.endMs - word.startMs > 450)).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['no syllable', ['xyz9']],
    ['an invalid tone', ['si7', 'si0', 'si']],
    ['a command for the synthesizer', ['[[s@]]', '<break time="9999s"/>']],
    ['control characters', ['\u0000', '\u202e', '\n']],
    ['a very long text', ['a'.repeat(50_000)]],
  ])('that are %s are skipped, and the rest is spoken', async (_, reading) => {
    const broken = { written: '?', spokenForm: '?', language: 'cantonese' as const, reading };
    const alone = await say(engine, request([piece([broken])]));
    expect(alone.words).toEqual([]);
    expect(alone.durationMs).toBeLessThan(1_000);
    const { words: timedWords } = await say(
      engine,
      request([piece([...words('cantonese', 'hou2'), broken, ...words('cantonese', 'aa3')])]),
    );
    expect(timedWords.map(({ word }) => word.text)).toEqual(['hou2', 'aa3']);
  });

  it('of English change the pronunciation; signs in a word are not read out', async () => {
    const lengthOf = async (spoken: string) => {
      const { words: timedWords } = await sayEnglish(spoken);
      return timedWords.length === 0 ? 0 : timedWords[0]!.word.endMs - timedWords[0]!.word.startMs;
    };
    const plain = (await sayEnglish('read')).samples;
    expect((await sayEnglish('read', ['R', 'EH1', 'D'])).samples).not.toEqual(plain);
    expect((await sayEnglish('read', ['QQ', '!!'])).samples).toEqual(plain);
    expect(await lengthOf('<b>&"hello"[[')).toBeLessThan(1_500);
    expect(await lengthOf('🎉🎉')).toBe(0);
    expect(await lengthOf('[[')).toBe(0);
  });
});

it('a model that it has not is refused', async () => {
  const { engine: folder } = await import('./synthesizer.ts');
  await expect(folder.open({ builtinModelsDir: '', modelsDir: '', settings: {} }, 'other')).rejects.toMatchObject({
    code: 'engine_unavailable',
  });
});
