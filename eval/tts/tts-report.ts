import { asTable, interval, percent, type TableFormat } from '../report.ts';
import { mean, median, quantile } from '@jyutsing/numeric/statistics';
import type { CloneRow } from './cloning.ts';
import type { IntelligibilityRow, Misrecognized } from './intelligibility.ts';
import type { LikenessRow } from './judge-speech.ts';
import type { ProsodyGroups } from './measure-prosody-groups.ts';
import { contourError, durationDivergence, type Prosody } from './prosody.ts';

/** First table of `eval tts`: intelligibility of synthetic speech to our own recognizer. */
export function intelligibilityReport(rows: readonly IntelligibilityRow[], format: TableFormat): string {
  const header = ['spoken', 'recognized by', 'wrong', 'share', '95 % interval', 'goal', ''];
  const lines = rows.map((row) => {
    const { language, by, what, rate, goal } = row;
    const isMet = goal === null || rate === null ? '' : rate <= goal ? 'met' : 'MISSED';
    return [language, by, what, percent(rate), interval(row), goal === null ? '–' : `≤ ${percent(goal)}`, isMet];
  });
  return asTable(header, lines, format);
}

const SHOWN_CONFUSIONS = 20;

/** Lists the sounds that the acoustic model misrecognizes, by voice and by part of the syllable. */
export function misrecognizedReport({ confusions, voices }: Misrecognized, format: TableFormat): string {
  const byVoice = voices.map((voice) => [
    voice.voice,
    String(voice.syllables),
    percent(voice.wrong),
    percent(voice.wrongWithoutTone),
  ]);
  const pairs = confusions
    .slice(0, SHOWN_CONFUSIONS)
    .map(({ part, spoken, recognized, count }) => [part, spoken || '–', recognized || '–', String(count)]);
  return [
    asTable(['voice', 'syllables', 'wrong with tone', 'without'], byVoice, format),
    '',
    asTable(['part', 'spoken', 'recognized', 'times'], pairs, format),
  ].join('\n');
}

/** A table for each judge: mean likeness to people under each control, with 95 % intervals. */
export function likenessReport(rows: readonly LikenessRow[], format: TableFormat): string {
  const judges = [...new Set(rows.map(({ judge }) => judge))];
  return judges
    .map((judge) => {
      const ofJudge = rows.filter((row) => row.judge === judge);
      const lines = [...new Set(ofJudge.map(({ what }) => what))].map((what) => {
        const group = ofJudge.filter((row) => row.what === what);
        return [what, String(group[0]!.clips), ...group.map(meanLikeness), percent(group[0]!.accepted)];
      });
      const conditions = [...new Set(ofJudge.map(({ condition }) => condition))];
      const header = [`judge: ${judge}`, 'clips', ...conditions, 'clean, taken for a person'];
      return asTable(header, lines, format);
    })
    .join('\n\n');
}

function meanLikeness({ likeness: { rate, interval: between } }: LikenessRow): string {
  if (rate === null) return '–';
  const range = between === null ? '' : ` (${between.low.toFixed(2)}–${between.high.toFixed(2)})`;
  return `${rate.toFixed(2)}${range}`;
}

/** Second table: similarity of clones to their references. */
export function cloningReport(rows: readonly CloneRow[], format: TableFormat): string {
  const share = (holds: (row: CloneRow) => boolean) => rows.filter(holds).length / rows.length;
  const ranked = rows.filter(({ ownRank }) => ownRank !== null);
  const pitch = mean(rows.map((row) => row.pitchSemitones));
  const formants = mean(rows.map((row) => row.formantShare));
  const first = share(({ rank }) => rank === 1);
  const likeness = mean(rows.map((row) => row.likeness));
  const lines = [
    line('median pitch off, mean (semitones)', pitch.toFixed(2), '≤ 1', pitch <= 1),
    line('voices within 1 semitone', percent(share((row) => row.pitchSemitones <= 1)), '', true),
    line('first three formants off, mean', percent(formants), '≤ 8 %', formants <= 0.08),
    line('voices within 8 %', percent(share((row) => row.formantShare <= 0.08)), '', true),
    line('right reference ranked first', percent(first), '≥ 80 %', first >= 0.8),
    line('right reference among the first three', percent(share(({ rank }) => rank <= 3)), '', true),
    line(
      'for comparison: another recording of the speaker ranked first',
      percent(ranked.length === 0 ? null : ranked.filter(({ ownRank }) => ownRank === 1).length / ranked.length),
      '',
      true,
    ),
    line('likeness to people by the network, 0 to 1', likeness.toFixed(2), '≥ 0.85', likeness >= 0.85),
    line('for comparison: the references', mean(rows.map((row) => row.ownLikeness)).toFixed(2), '', true),
  ];
  return asTable([`${rows.length} cloned voices`, 'value', 'goal', ''], lines, format);
}

function line(what: string, value: string, goal: string, isMet: boolean): string[] {
  return [what, value, goal, goal === '' ? '' : isMet ? 'met' : 'MISSED'];
}

/** Prosody of people and of engines; one half of the people is the control. */
export function prosodyReport({ people, halves, engines, inBackground }: ProsodyGroups, format: TableFormat): string {
  const [first, second] = halves;
  const row = (what: string, digits: number, of: (group: Prosody, reference: Prosody) => number) => [
    what,
    of(people, people).toFixed(digits),
    of(second, first).toFixed(digits),
    ...engines.map(([, group]) => of(group, people).toFixed(digits)),
  ];
  const lines = [
    row('syllables', 0, ({ durations }) => durations.length),
    row('change of the spectrum over joins, mean (dB)', 1, ({ joins }) => mean(joins)),
    [
      'the same, engines with the background of the recordings (dB)',
      mean(people.joins).toFixed(1),
      mean(second.joins).toFixed(1),
      ...inBackground.map(([, { joins }]) => mean(joins).toFixed(1)),
    ],
    row('change of the spectrum over joins, 90 % (dB)', 1, ({ joins }) => quantile(joins, 0.9, 0)),
    row('syllables a second without pauses, median', 1, ({ rates }) => median(rates, 0)),
    row('duration of syllables, median (ms)', 0, ({ durations }) => 1_000 * median(durations, 0)),
    row('duration of syllables, 90 % (ms)', 0, ({ durations }) => 1_000 * quantile(durations, 0.9, 0)),
    row('durations, KL divergence from people (nats)', 2, ({ durations }, reference) =>
      durationDivergence(durations, reference.durations),
    ),
    row('range of the pitch, median (semitones)', 1, ({ ranges }) => median(ranges, 0)),
    row('fall of the pitch, median (semitones/s)', 1, ({ falls }) => median(falls, 0)),
    row('contours of tones, distance from people (semitones)', 1, ({ contours }, reference) =>
      contourError(contours, reference.contours),
    ),
    row('change of the spectrum in 10 ms, mean (dB)', 2, ({ steps }) => mean(steps)),
    row('level: share of 4–8 Hz in its movements, mean (%)', 0, ({ regularity }) => 100 * mean(regularity)),
    row('deviation of the level, median (dB)', 1, ({ levels }) => median(levels, 0)),
  ];
  return asTable(['', 'people', 'one half of them', ...engines.map(([name]) => name)], lines, format);
}
