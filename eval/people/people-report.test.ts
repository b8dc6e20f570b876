import { expect, it } from 'vitest';
import { right } from './figures.ts';
import { peopleReport } from './people-report.ts';

const ERROR = { rate: 0.05, interval: { low: 0.02, high: 0.1 }, drawn: 'speakers', drawnFrom: 9 } as const;

it('figures are in the order of the references, beside those before and their goals', () => {
  const figures = [
    { id: 'words3', of: '4 clips', value: 0.5, interval: null },
    right('cantonese3', '20 clips', ERROR),
  ] as const;
  const report = peopleReport('language', { figures: [...figures], skipped: ['a'], failures: ['b'] }, 'markdown');
  expect(
    report
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2),
  ).toEqual([
    '| Cantonese sentences, up to 3 s | 20 clips, 9 speakers | 95.0 % | 90.0–98.0 | 0 % | ≥ 85 % | met |',
    '| Mandarin words joined, 3 s | 4 clips | 50.0 % | – | 2 of 10 sentences | ≥ 80 % | MISSED |',
  ]);
  expect(report).toContain('prior and its two bounds were chosen on it');
  expect(report).toMatch(/not measured: a\n\nfailed: b$/);
});

it('scores have no percent sign, and correlations two digits', () => {
  const figures = [
    { id: 'ownMedian', of: 'all', value: 91.6, interval: { low: 89.2, high: 93 } },
    { id: 'accuracy', of: 'all', value: 0.8126, interval: { low: 0.58, high: 0.893 } },
  ] as const;
  const report = peopleReport('scoring', { figures: [...figures], skipped: [], failures: [] }, 'markdown');
  expect(report).toContain('| all | 92 | 89–93 | 66 |');
  expect(report).toContain('| all | 0.81 | 0.58–0.89 | 0.80 |');
});
