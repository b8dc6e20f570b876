import { expect, test } from 'vitest';
import { leastCpuTimeMs } from '#test/cpu-time.ts';
import { readLanguage } from './language-names.ts';

test.each([
  [
    'cantonese',
    ['yue', 'YUE', 'yue-HK', 'yue-Hant-HK', 'zh-yue', 'zh_HK', 'zh-HK', 'zh-Hant-HK', 'zh-MO', 'cantonese'],
  ],
  ['mandarin', ['cmn', 'zh-CN', 'zh-TW', 'zh-Hans', 'zh-Hans-CN', 'zh-Hant-TW', 'cmn-Hans', 'Putonghua', 'Mandarin']],
  ['chinese', ['zh', 'ZH', 'zho', 'zh-Hant', 'Chinese']],
  ['english', ['en', 'EN', 'eng', 'en-GB', 'en_US', ' english ']],
  ['auto', ['auto', ' Auto']],
] as const)('%s by any of its names', (language, codes) => {
  for (const code of codes) expect([code, readLanguage(code)]).toEqual([code, language]);
});

test('an unsupported language is null', () => {
  for (const code of ['', ' ', 'fr', 'ja', 'z', 'zhox', 'enough', '-', '--en', 'yuen', 'null', 'e'.repeat(10_000)]) {
    expect(readLanguage(code)).toBeNull();
  }
});

test('a text of a million parts is compared with no more of them than a tag has', async () => {
  const tag = '-'.repeat(1_000_000);
  expect(await leastCpuTimeMs(() => readLanguage(tag), 50)).toBeLessThan(50);
  expect(readLanguage('zh-Hant-HK-x-private-use')).toBe('cantonese');
});
