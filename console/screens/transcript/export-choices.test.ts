import { expect, it } from 'vitest';
import { exportName } from './export-choices.ts';

it.each([
  ['meeting.MP3', null, 'meeting.srt'],
  ['例會', 'en', '例會.en.srt'],
  ['Budget v2.10', null, 'Budget v2.10.srt'],
  ['2026.11.28', 'yue-ja', '2026.11.28.yue-ja.srt'],
  ['會'.repeat(200), null, `${'會'.repeat(75)}.srt`],
  ['𠝹'.repeat(80), null, `${'𠝹'.repeat(75)}.srt`],
])('names the file of %s for its title', (title, tag, name) => {
  expect(exportName(title, tag, 'srt')).toBe(name);
});
