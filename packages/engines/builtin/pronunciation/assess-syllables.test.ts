import { beforeAll, describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssessedSyllable, Strictness } from '@jyutsing/contracts/pronunciation';
import { createRandom } from '@jyutsing/numeric/random';
import { labelsFor, syntheticPosteriors } from '#engines/builtin/decoder/synthetic-posteriors.ts';
import { assessSyllables } from './assess-syllables.ts';
import { readCalibration } from './calibration.ts';
import type { SyllableTools } from './recognize-attempts.ts';
import { MAX_RELIEF } from './unfamiliar-voice.ts';
import { createEvidenceScorer } from './pooled-evidence.ts';
import { syllableSounds } from './syllable-sounds.ts';
import type { AcousticAnalysis } from './types.ts';

const MODELS = join(import.meta.dirname, '../../../../models');
const LABELS = { cantonese: labelsFor('cantonese'), mandarin: labelsFor('mandarin') };

let cantonese: SyllableTools;
let mandarin: SyllableTools;

async function openTools(language: 'cantonese' | 'mandarin', folder: string): Promise<SyllableTools> {
  const calibration = await readCalibration(join(MODELS, folder));
  return {
    sounds: syllableSounds(language, LABELS[language], calibration.syllables),
    calibration: { ...calibration, tone: { slope: 1, offset: 2 } },
    passMark: language === 'cantonese' ? 90 : 70,
    scoreSegments: createEvidenceScorer(null),
    mostRelief: MAX_RELIEF,
    fluent: null,
    // Simulated frames have tones, but no audio in which a pitch could be measured.
    judgeTones: (questions) => ({
      answers: questions.map(({ modelLogp }) => ({ logp: modelLogp, contourSemitones: [] })),
      register: null,
    }),
    decode: language === 'mandarin' ? () => [{ text: '錯', startMs: 330, endMs: 480 }] : null,
  };
}

beforeAll(async () => {
  cantonese = await openTools('cantonese', 'yue');
  mandarin = await openTools('mandarin', 'cmn');
});

function analysisOf(syllables: string, language: 'cantonese' | 'mandarin' = 'cantonese'): AcousticAnalysis {
  const labels = LABELS[language];
  const simulation = { toneAcuity: 5, segmentAcuity: 6, missedShare: 0, ghostShare: 0, random: createRandom(5) };
  const posteriors = syntheticPosteriors(syllables.split(' '), labels, simulation);
  return { samples: new Float32Array(0), labels, posteriors, pitch: new Float32Array(2 * posteriors.frameCount) };
}

/** Units of `text` are separated by spaces, readings by bars; `*` is a word of another language. */
function assess(
  spoken: string,
  text: string,
  language: 'cantonese' | 'mandarin' = 'cantonese',
  strictness: Strictness = 'everyday',
) {
  const units = text
    .split(' ')
    .map((unit, index) =>
      unit === '*'
        ? { kind: 'other' as const, text: 'OK', afterPause: false }
        : { kind: 'syllable' as const, text: `字${index}`, readings: unit.split('|'), afterPause: false },
    );
  const tools = language === 'cantonese' ? cantonese : mandarin;
  const { assessment } = assessSyllables(analysisOf(spoken, language), { language, units, strictness }, tools);
  if (assessment.language === 'english') throw new TypeError('an assessment of another language');
  return assessment;
}

const verdicts = (syllables: readonly AssessedSyllable[]): string => syllables.map(({ verdict }) => verdict).join(' ');
const SENTENCE = 'ngo5 dei6 ting1 jat6 heoi3 sik6 faan6';

describe('assessment of Cantonese', () => {
  it('the right text has only right syllables and is recognized exactly', () => {
    const { score, heard: recognizedText, syllables, accuracyScore, integrityScore } = assess(SENTENCE, SENTENCE);
    expect(verdicts(syllables)).toBe('right right right right right right right');
    expect(score).toBeGreaterThan(95);
    expect(accuracyScore).toBeGreaterThan(95);
    expect(integrityScore).toBe(100);
    expect(recognizedText).toBe(SENTENCE);
  });

  it('another text scores next to nothing, and the spoken syllables are reported', () => {
    const { score, heard: recognizedText } = assess(SENTENCE, 'gam1 maan5 mou5 je5 ho2 ji5 zou6');
    expect(score).toBeLessThan(25);
    expect(recognizedText).toBe(SENTENCE);
  });

  it.each([
    ['tone', 'si6 gaan3', 'si6 gaan1', 1],
    ['tone', 'si4 gaan3', 'si6 gaan3', 0],
    ['onset', 'si6 taan3', 'si6 gaan3', 1],
    ['rime', 'sei6 gaan3', 'si6 gaan3', 0],
  ] as const)('a wrong %s fails a word of two syllables: %s for %s', (part, spoken, text, index) => {
    const { score, syllables, heard: recognizedText } = assess(spoken, text);
    expect(score).toBeLessThan(85);
    const wrong = syllables[index]!;
    expect(wrong.verdict).toBe('wrong');
    expect(wrong.score).toBeLessThan(70);
    expect(wrong[part].verdict).toBe('wrong');
    const otherParts = (['onset', 'rime', 'tone'] as const).filter((other) => other !== part);
    for (const other of otherParts) expect(wrong[other].verdict).toBe('right');
    expect(wrong.heard).toBe(spoken.split(' ')[index]);
    expect(syllables[1 - index]!.verdict).toBe('right');
    expect(recognizedText).toBe(spoken);
  });

  it('sounds that many native speakers exchange cost little', () => {
    for (const [spoken, text] of [
      ['lei5 hou2', 'nei5 hou2'],
      ['o5 ge3', 'ngo5 ge3'],
      ['gok3 zeoi2', 'gwok3 zeoi2'],
      ['m5 go3', 'ng5 go3'],
    ] as const) {
      const { score, syllables, heard: recognizedText } = assess(spoken, text);
      expect(syllables[0]!.verdict).toBe('variant');
      expect(syllables[0]!.heard).toBe(spoken.split(' ')[0]);
      expect(recognizedText).toBe(spoken);
      expect(score).toBeGreaterThanOrEqual(90);
      expect(syllables[0]!.score).toBeLessThan(100);
    }
  });

  it('broadcast speech has none of these, and both name the rule', () => {
    const wrong: string[] = [];
    for (const [spoken, text, rule] of [
      ['lei5 hou2', 'nei5 hou2', 'n/l'],
      ['nou5 si1', 'lou5 si1', 'n/l'],
      ['o5 ge3', 'ngo5 ge3', 'ng/zero'],
      ['gok3 zeoi2', 'gwok3 zeoi2', 'gwo/go'],
      ['m5 go3', 'ng5 go3', 'ng/m syllabic'],
      ['saan1 jat6', 'saang1 jat6', 'ng/n'],
      ['gon2 waa2', 'gong2 waa2', 'ng/n'],
      ['baat3 go3', 'baak3 go3', 'k/t'],
      ['bat1 ging1', 'bak1 ging1', 'k/t'],
    ] as const) {
      const everyday = assess(spoken, text).syllables[0]!;
      const broadcast = assess(spoken, text, 'cantonese', 'broadcast').syllables[0]!;
      const found = [everyday.verdict, everyday.rule, broadcast.verdict, broadcast.rule].join(' ');
      if (found !== `variant ${rule} wrong ${rule}`) wrong.push(`${text} as ${spoken}: ${found}`);
      if (assess(text, text, 'cantonese', 'broadcast').syllables[0]!.rule !== null) wrong.push(`${text}: has a rule`);
    }
    expect(wrong).toEqual([]);
  });

  it('any accepted reading is right, and the spoken one is reported', () => {
    const { score, syllables } = assess('hong4 ngan4', 'hang4|hong4 ngan4');
    expect(score).toBeGreaterThanOrEqual(90);
    expect(syllables[0]).toMatchObject({ expected: 'hong4', heard: 'hong4', verdict: 'right' });
  });

  it('an omitted unit has no time, no syllable and no score', () => {
    const {
      syllables,
      integrityScore,
      score,
      heard: recognizedText,
    } = assess('ngo5 dei6 jat6 heoi3 sik6 faan6', SENTENCE);
    expect(verdicts(syllables)).toBe('right right omitted right right right right');
    expect(syllables[2]).toEqual({
      text: '字2',
      rule: null,
      expected: 'ting1',
      heard: null,
      score: 0,
      verdict: 'omitted',
      startMs: null,
      endMs: null,
      onset: { expected: 't', heard: null, verdict: 'omitted', score: 0 },
      rime: { expected: 'ing', heard: null, verdict: 'omitted', score: 0 },
      tone: { expected: 1, heard: null, verdict: 'omitted', score: 0, contourSemitones: [] },
    });
    expect(integrityScore).toBeCloseTo((100 * 6) / 7);
    expect(score).toBeLessThan(90);
    expect(recognizedText).toBe('ngo5 dei6 jat6 heoi3 sik6 faan6');
  });

  it('inserted and repeated syllables are reported and cost less than omissions', () => {
    const inserted = 'ngo5 dei6 ting1 jat6 hou2 heoi3 sik6 faan6';
    const repeated = 'ngo5 dei6 ngo5 dei6 ting1 jat6 heoi3 sik6 faan6';
    const right = assess(SENTENCE, SENTENCE).score;
    const omitted = assess('ngo5 dei6 ting1 heoi3 sik6 faan6', SENTENCE).score;
    for (const spoken of [inserted, repeated]) {
      const { score, heard: recognizedText, syllables } = assess(spoken, SENTENCE);
      expect(recognizedText).toBe(spoken);
      expect(verdicts(syllables)).toBe(verdicts(assess(SENTENCE, SENTENCE).syllables));
      expect(score).toBeLessThan(right - 3);
      expect(score).toBeGreaterThan(omitted);
    }
  });

  it('words of another language are neither judged nor missed', () => {
    for (const spoken of ['ngo5 hou2', 'ngo5 ou1 kei1 hou2']) {
      const { score, syllables } = assess(spoken, 'ngo5 * hou2');
      expect(syllables.map(({ text }) => text)).toEqual(['字0', '字2']);
      expect(score).toBeGreaterThan(90);
    }
  });

  it('times are in order, within the recording, and not empty', () => {
    const { syllables } = assess(SENTENCE, SENTENCE);
    let before = 0;
    for (const { startMs, endMs } of syllables) {
      expect(startMs).toBeGreaterThanOrEqual(before);
      expect(endMs).toBeGreaterThan(startMs!);
      before = startMs!;
    }
    expect(before).toBeLessThan(analysisOf(SENTENCE).posteriors.frameCount * 30);
  });

  it('frames without any sound are all omissions', () => {
    const { score, heard: recognizedText, syllables, fluencyScore } = assess('', 'si6 gaan3');
    expect(verdicts(syllables)).toBe('omitted omitted');
    expect([score, recognizedText, fluencyScore]).toEqual([0, '', 0]);
  });

  it('no frames at all are no reason to fail', () => {
    const analysis = {
      ...analysisOf(''),
      posteriors: { frameCount: 0, symbolLogp: new Float32Array(0), toneLogp: new Float32Array(0) },
    };
    const units = [{ kind: 'syllable' as const, text: '時', readings: ['si4'], afterPause: false }];
    expect(assessSyllables(analysis, { language: 'cantonese', units }, cantonese).assessment.score).toBe(0);
  });
});

describe('assessment of Mandarin', () => {
  it('the right text is written in its own characters', () => {
    const { score, heard: recognizedText, syllables } = assess('wo3 ai4 xi3 zao3', 'wo3 ai4 xi3 zao3', 'mandarin');
    expect(verdicts(syllables)).toBe('right right right right');
    expect(recognizedText).toBe('字0字1字2字3');
    expect(score).toBeGreaterThan(85);
  });

  it('a different text is reported as the decoder writes it', () => {
    const { heard: recognizedText, syllables } = assess('wo3 bu4 xi3 zao3', 'wo3 gai4 xi3 zao3', 'mandarin');
    expect(verdicts(syllables)).toBe('right wrong right right');
    expect(syllables[1]).toMatchObject({ expected: 'gai4', heard: 'bu4' });

    expect(recognizedText).toBe('字0錯字2字3');
  });

  it.each([
    ['zao3', 'zhao3'],
    ['nan2', 'lan2'],
    ['xin1', 'xing1'],
    ['ma3', 'ma2'],
  ])('%s for %s fails', (spoken, text) => {
    expect(assess(spoken, text, 'mandarin').score).toBeLessThan(70);
  });
});

describe('calibration', () => {
  it('a missing file is reported to the operator', async () => {
    await expect(readCalibration(import.meta.dirname)).rejects.toMatchObject({ code: 'engine_unavailable' });
  });

  it('has the syllables of its language', async () => {
    const { syllables } = JSON.parse(await readFile(join(MODELS, 'yue', 'pronunciation.json'), 'utf8'));
    expect(syllables).toEqual(expect.arrayContaining(['gwong', 'm', 'ng', 'aa']));
    expect(cantonese.sounds.exists(0, LABELS.cantonese.rimes.indexOf('aa'))).toBe(true);
    expect(cantonese.sounds.exists(1, LABELS.cantonese.rimes.indexOf('m'))).toBe(false);
  });
});
