import { describe, expect, it } from 'vitest';
import { AppError } from '@jyutsing/contracts/errors';
import { checkDraft as checkVoice, nameKey, type VoiceDraft } from '#features/voices/draft.ts';
import { checkChange, checkDraft, type CorpusDraft } from './draft.ts';

const CORPUS: CorpusDraft = { name: 'names', description: '', language: null, entries: [] };
const VOICE: VoiceDraft = {
  name: 'Ann',
  language: null,
  gender: null,
  description: null,
  transcript: null,
  engine: null,
  consent: true,
  samplePath: '/tmp/sample',
};

function refusal(check: () => unknown): string {
  try {
    check();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_parameter') return thrown.message;
    throw thrown;
  }
  throw new Error('it was accepted');
}

const corpus = (changes: Partial<CorpusDraft>) => checkDraft({ ...CORPUS, ...changes });
const voice = (changes: Partial<VoiceDraft>) => checkVoice({ ...VOICE, ...changes });

describe.each([
  ['a corpus', (name: string) => corpus({ name }), 200],
  ['a voice', (name: string) => voice({ name }), 100],
])('the name of %s', (_kind, check, most) => {
  it.each([
    [' Ann ', 'Ann'],
    ['a', 'a'],
    ['陳大文 𠮷', '陳大文 𠮷'],
    ['👩🏽‍🚀', '👩🏽‍🚀'],
    ['שלום مرحبا', 'שלום مرحبا'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['\u{E000}', '\u{E000}'],
  ])('%j is kept without the space around it', (name, expected) => {
    expect(check(name).name).toBe(expected);
  });

  it('has a length in characters', () => {
    expect(check('𠮷'.repeat(most)).name).toBe('𠮷'.repeat(most));
    expect(refusal(() => check('𠮷'.repeat(most + 1)))).toContain(`"name" needs 1 to ${most} characters`);
    expect(refusal(() => check('x'.repeat(most + 1)))).toContain('"name"');
  });

  it.each(['', ' ', '\u3000', 'a\nb', 'a\tb', 'a\0b', '\u001b[31mred', 'a\u0085b', '\ud842', 'x\udc00y'])(
    '%j is refused',
    (name) => {
      expect(refusal(() => check(name))).toContain('"name"');
    },
  );

  it.each(['\u200b', '\u00ad', '\ufeff', '\u3164', '\u2800', '\u0301', ' \u2060 \u{E0001}', '\u200e\u200f'])(
    'that shows nothing is refused: %j',
    (name) => {
      expect(refusal(() => check(name))).toContain('"name" needs');
      expect(check(`${name}a`).name).toContain('a');
    },
  );

  it.each(['\u202a', '\u202e', '\u2066', '\u2069', '\u2028', '\u2029'])(
    'that could reorder or break the text around it is refused: %j',
    (mark) => {
      expect(refusal(() => check(`a${mark}b`))).toContain('"name" needs');
    },
  );
});

describe.each([
  ['the description of a corpus', 'description', (text: string) => corpus({ description: text }).description],
  ['the description of a voice', 'description', (text: string) => voice({ description: text }).description],
  ['the transcript of a voice', 'transcript', (text: string) => voice({ transcript: text }).transcript],
])('%s', (_kind, field, check) => {
  it('may have lines and tabs', () => {
    expect(check(' 第一行\r\n\t第二行 ')).toBe('第一行\r\n\t第二行');
    expect(check('𠮷'.repeat(2_000))).toBe('𠮷'.repeat(2_000));
  });

  it.each(['a\0b', 'a\u0007', '\u009fx', 'x\ud800', '𠮷'.repeat(2_001)])('is refused: %j', (text) => {
    expect(refusal(() => check(text))).toBe(`The field "${field}" may have 2000 characters and no control characters.`);
  });
});

describe('the language', () => {
  it.each([
    [null, 'cantonese'],
    ['yue', 'cantonese'],
    // A corpus has no sound that could tell the language.
    ['zh', 'cantonese'],
    ['zh-CN', 'mandarin'],
    ['EN-us', 'english'],
  ])('%j is %s', (language, expected) => {
    expect(corpus({ language }).language).toBe(expected);
    expect(voice({ language }).language).toBe(expected);
  });

  it.each(['auto', 'klingon', 'x-zh'])('%j is refused', (language) => {
    expect(refusal(() => corpus({ language }))).toContain('"language" must be');
    expect(refusal(() => voice({ language }))).toContain('"language" must be');
  });

  it('that is blank is the default for a voice', () => {
    expect(voice({ language: ' ' }).language).toBe('cantonese');
  });
});

describe('a voice', () => {
  it('needs consent before anything else', () => {
    expect(refusal(() => voice({ consent: false, name: '' }))).toContain('"consent" with the value true');
  });

  it.each([
    [null, null],
    [' ', null],
    [' Female ', 'female'],
    ['MALE', 'male'],
  ])('of the gender %j has %j', (gender, expected) => {
    expect(voice({ gender }).gender).toBe(expected);
  });

  it.each(['woman', '__proto__', 'male,female'])('of the gender %j is refused with the possible ones', (gender) => {
    expect(refusal(() => voice({ gender }))).toMatch(/"gender" must be one of .*male/);
  });

  it.each(['default', ' Default ', 'ＤＥＦＡＵＬＴ'])(
    'is not named %j, which means the voice of the server',
    (name) => {
      expect(refusal(() => voice({ name }))).toBe(
        'The name "default" means the voice of the server; choose another one.',
      );
      expect(voice({ name: `${name} 2` }).name).toContain('2');
    },
  );

  it('has no empty texts', () => {
    expect(voice({ description: ' ', transcript: '' })).toMatchObject({ description: null, transcript: null });
  });

  it.each([
    ['Ann', 'ann'],
    [' ANN ', 'ａｎｎ'],
    ['Ann  Lee', 'ann\tlee'],
    ['Zoë', 'Zoe\u0308'],
  ])('named %j has the name %j, too', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it('named differently has another name', () => {
    expect(nameKey('Ann Lee')).not.toBe(nameKey('AnnLee'));
    expect(nameKey('Zoe')).not.toBe(nameKey('Zoë'));
  });
});

describe('a change of a corpus', () => {
  it('has the fields that were sent, checked', () => {
    expect(checkChange({ name: ' a ' })).toEqual({ name: 'a' });
    expect(checkChange({ description: '' })).toEqual({ description: '' });
    expect(checkChange({ entries: [], language: 'en' })).toEqual({ entries: [], language: 'english' });
    expect(refusal(() => checkChange({ description: 'x', name: '' }))).toContain('"name"');
  });

  it.each([{}, { language: null }])('of nothing is refused: %j', (change) => {
    expect(refusal(() => checkChange(change))).toMatch(/^Send at least one of "name", "description"/);
  });
});
