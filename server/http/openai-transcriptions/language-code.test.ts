import { expect, test } from 'vitest';
import { languageFromCode } from './language-code.ts';

test.each([
  [
    'cantonese',
    ['yue', 'YUE', 'yue-HK', 'yue-Hant-HK', 'zh-yue', 'zh_HK', 'zh-HK', 'zh-Hant-HK', 'zh-MO', 'cantonese'],
  ],
  ['mandarin', ['zh', 'cmn', 'zh-CN', 'zh-TW', 'zh-Hans', 'zh-Hant', 'zh-Hans-CN', 'cmn-Hans', 'Chinese', 'Mandarin']],
  ['english', ['en', 'EN', 'eng', 'en-GB', 'en_US', ' english ']],
  ['auto', ['auto', '', '  ']],
] as const)('%s by any of its names', (language, codes) => {
  for (const code of codes) expect([code, languageFromCode(code)]).toEqual([code, language]);
});

test('an unsupported language is null', () => {
  for (const code of ['fr', 'ja', 'z', 'zho-x', 'enough', '-', '--en', 'yuen', 'null', 'e'.repeat(10_000)]) {
    expect(languageFromCode(code)).toBeNull();
  }
});
