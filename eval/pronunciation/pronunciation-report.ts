import { asTable, interval as ratioInterval, percent, type TableFormat } from '../report.ts';
import type { ErrorRate } from '../score.ts';
import { grouped } from './chart.ts';
import { OTHER_TEXT_MARK } from './analyze-recording.ts';
import { LANDMARKS, type Agreement, type LearnerFigures, type Spread } from './learner-figures.ts';
import type { NativeFigures } from './native-trials.ts';
import type { SentenceFigures } from './sentence-trials.ts';
import type { Interval } from './statistics.ts';
import type { AtMark, Pool, SyllableFigures } from './syllable-figures.ts';

const EQUAL_ERROR_GOALS: Partial<Record<Pool, number>> = { all: 0.08, tone: 0.12 };
const AT_MARK_GOALS: Partial<Record<AtMark['of'], number>> = { own: 0.1, all: 0.1 };

const POOL_NAMES: Readonly<Record<Pool, string>> = {
  all: 'every minimal pair',
  balanced: 'the three kinds alike',
  tone: 'another tone',
  onset: 'another onset',
  rime: 'another rime',
};

/** Tables of one set of syllables, under its name. */
export function syllableReport(figures: SyllableFigures, existing: string, format: TableFormat): string {
  const { set, recordings, left, refused, mark, caveat } = figures;
  const facts = [
    `${grouped(recordings)} recordings`,
    existing,
    ...(caveat === null ? [] : [caveat]),
    ...(left > 0 ? [`${left} labels left out (no syllables, or in the neutral tone)`] : []),
    ...(refused > 0 ? [`${refused} recordings refused: they count as rejected`] : []),
  ];
  const parts = [
    heading(`${set} (${facts.join('; ')})`, format),
    equalErrorTable(figures, format),
    atMarkTable(figures, format),
    `Of recordings in a tone (rows), the share that passes at ${mark} when a text in another one (columns) is expected:`,
    toneTable(figures, format),
  ];
  const confusions = figures.confusions.map(
    ({ spoken, expected, kind, compared, passed }) =>
      `${kind} ${spoken} passes for ${expected} (${percent(passed / compared)} of ${compared})`,
  );
  if (confusions.length > 0) parts.push(`Most often accepted: ${confusions.join(', ')}.`);
  return parts.join('\n\n');
}

function equalErrorTable({ equalErrors }: SyllableFigures, format: TableFormat): string {
  const header = [
    'own text against',
    'pairs',
    'equal error rate',
    '95 % interval',
    'equal at',
    'area under curve',
    'goal',
    '',
  ];
  const lines = equalErrors.map(({ pool, pairs, equalErrorRate, equalAt, areaUnderCurve, interval }) => [
    POOL_NAMES[pool],
    grouped(pairs),
    percent(equalErrorRate),
    percentInterval(interval),
    equalAt.toFixed(1),
    areaUnderCurve.toFixed(3),
    ...goal(equalErrorRate, EQUAL_ERROR_GOALS[pool]),
  ]);
  return asTable(header, lines, format);
}

function atMarkTable({ atMark, mark }: SyllableFigures, format: TableFormat): string {
  const names: Readonly<Record<AtMark['of'], string>> = {
    own: 'own text rejected',
    all: 'every minimal pair accepted',
    tone: 'another tone accepted',
    onset: 'another onset accepted',
    rime: 'another rime accepted',
    variants: 'accepted variant (n/l, ng/zero, gwo/go, m/ng) accepted',
  };
  const lines = atMark.map(({ of, compared, meanScore, rate }) => [
    names[of],
    grouped(compared),
    percent(rate.rate),
    ratioInterval(rate),
    meanScore.toFixed(1),
    ...goal(rate.rate, AT_MARK_GOALS[of]),
  ]);
  return asTable([`at the mark of ${mark}`, 'of', 'share', '95 % interval', 'mean score', 'goal', ''], lines, format);
}

function toneTable({ tonePairs }: SyllableFigures, format: TableFormat): string {
  const tones = [...new Set(tonePairs.map(({ spoken }) => spoken))].sort();
  const expected = [...new Set(tonePairs.map((pair) => pair.expected))].sort();
  const lines = tones.map((spoken) => [
    String(spoken),
    ...expected.map((tone) => {
      const cell = tonePairs.find((pair) => pair.spoken === spoken && pair.expected === tone);
      return cell === undefined ? '–' : `${percent(cell.passed / cell.compared)} of ${cell.compared}`;
    }),
  ]);
  return asTable(['spoken ↓ expected →', ...expected.map(String)], lines, format);
}

/** Tables of the learners. */
export function learnerReport(figures: LearnerFigures, format: TableFormat): string {
  const { recordings, speakers, refused, agreements, byAge, own: ownFigures, shuffled } = figures;
  const facts = [`${recordings} recordings of ${speakers} people`, ...(refused > 0 ? [`${refused} refused`] : [])];
  const header = [
    'score',
    'compared',
    'Pearson',
    '95 % interval',
    'Spearman',
    '95 % interval',
    'mean error (0–10)',
    'kinder by',
    'published',
    'raters among themselves',
  ];
  const lines = [
    ...agreements.map((agreement) => agreementLine(agreement.what, agreement)),
    ...byAge.map(({ group, speakers, agreement }) => agreementLine(`total, ${speakers} ${group}`, agreement)),
  ];
  const texts = asTable(
    ['against', 'recordings', 'quartiles', `below ${OTHER_TEXT_MARK}`, '95 % interval'],
    [
      ['its own sentence', String(ownFigures.compared), quartiles(ownFigures), '', ''],
      [
        'another sentence, as long',
        String(shuffled.compared),
        quartiles(shuffled),
        percent(shuffled.below.rate),
        ratioInterval(shuffled.below),
      ],
    ],
    format,
  );
  const { numbers } = figures;
  const numberTable =
    numbers &&
    asTable(
      [`${numbers.compared} sentences with a number`, 'passed', '95 % interval'],
      [numberLine('as read', numbers.passed), numberLine('with another number', numbers.misreadPassed)],
      format,
    );
  return [
    heading(`English learners never trained on (${facts.join('; ')})`, format),
    asTable(header, lines, format),
    texts,
    ...(numberTable === null ? [] : [numberTable]),
  ].join('\n\n');
}

const numberLine = (name: string, rate: ErrorRate) => [name, percent(rate.rate), ratioInterval(rate)];

function agreementLine(name: string, { what, compared, pearson, spearman, meanAbsoluteError, bias }: Agreement) {
  const landmark = what === 'words' ? null : LANDMARKS[what];
  return [
    name,
    grouped(compared),
    correlation(pearson.value),
    plainInterval(pearson.interval),
    correlation(spearman.value),
    plainInterval(spearman.interval),
    meanAbsoluteError.toFixed(2),
    bias.toFixed(2),
    landmark === null ? '–' : landmark.published.toFixed(3),
    landmark === null ? '–' : landmark.raters.toFixed(2),
  ];
}

/** Table of sentences by native speakers: one line per kind of text. */
export function nativeReport(
  name: string,
  figures: readonly NativeFigures[],
  recordings: number,
  format: TableFormat,
): string {
  const header = ['text', 'scores', 'passes', '95 % interval', 'quartiles', 'highest'];
  const lines = figures.map(({ text, passed, highest, ...spread }) => [
    text,
    String(spread.compared),
    percent(passed.rate),
    ratioInterval(passed),
    quartiles(spread),
    highest.toFixed(0),
  ]);
  return [heading(`${recordings} ${name}`, format), asTable(header, lines, format)].join('\n\n');
}

/** Table of synthetic sentences: one line per language and condition. */
export function sentenceReport(figures: readonly SentenceFigures[], format: TableFormat): string {
  const header = [
    'language',
    'condition',
    'own text ≥ 90 (Cantonese) or 85',
    '95 % interval',
    'passes',
    'quartiles',
    `another text < ${OTHER_TEXT_MARK}`,
    '95 % interval',
    'quartiles',
    'highest',
  ];
  const lines = figures.map(({ language, condition, own: ownFigures, other, refused }, index) => [
    index > 0 && figures[index - 1]!.language === language ? '' : language,
    refused > 0 ? `${condition} (${refused} refused)` : condition,
    share(ownFigures.atGoal, ownFigures.compared),
    ratioInterval(ownFigures.atGoal),
    percent(ownFigures.passed.rate),
    quartiles(ownFigures),
    share(other.below, other.compared),
    ratioInterval(other.below),
    quartiles(other),
    other.compared === 0 ? '–' : other.highest.toFixed(0),
  ]);
  return [
    heading('Sentences by our own voices, held against their own text and against others', format),
    asTable(header, lines, format),
    ...figures.filter(({ condition }) => condition === 'clean').map(lowestLine),
  ].join('\n\n');
}

function lowestLine({ language, lowest }: SentenceFigures): string {
  const texts = lowest.map(({ text, voice, score }) => `${score.toFixed(0)} ${text} (${voice})`);
  return `Lowest own texts in ${language}: ${texts.join(' · ')}`;
}

function heading(text: string, format: TableFormat): string {
  return format === 'markdown' ? `### ${text}` : `${text}\n${'─'.repeat(20)}`;
}

function share(rate: ErrorRate, of: number): string {
  return `${percent(rate.rate)} of ${of}`;
}

function goal(value: number | null, limit: number | undefined): string[] {
  if (limit === undefined || value === null) return ['', ''];
  return [`≤ ${(limit * 100).toFixed(0)} %`, value <= limit ? 'met' : 'MISSED'];
}

function quartiles({ compared, quartiles: [low, middle, high] }: Spread): string {
  return compared === 0 ? '–' : `${low.toFixed(0)} – ${middle.toFixed(0)} – ${high.toFixed(0)}`;
}

function correlation(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

function plainInterval(interval: Interval | null): string {
  return interval === null ? '–' : `${interval.low.toFixed(2)}–${interval.high.toFixed(2)}`;
}

function percentInterval(interval: Interval | null): string {
  return interval === null ? '–' : `${(interval.low * 100).toFixed(1)}–${(interval.high * 100).toFixed(1)}`;
}
