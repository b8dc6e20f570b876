import type { PronunciationTarget, TargetWord } from '@jyutsing/contracts/pronunciation';
import { frameTimes } from '#engines/builtin/decoder/timing.ts';
import type { AcousticLabels } from '#engines/builtin/decoder/types.ts';
import type { AcousticAnalysis } from '#engines/builtin/pronunciation/types.ts';
import { rivalNumbers } from '#engines/builtin/pronunciation/wording-costs.ts';
import { alignWords, type Frames, type SpokenWord } from './align-words.ts';
import { type Emissions, readEmissions } from './emissions.ts';
import { leadOfRival } from './number-lead.ts';
import { type PhoneEvidence, phoneEvidence } from './phone-evidence.ts';
import { buildWordGraph } from './word-graph.ts';

export type EnglishTarget = Extract<PronunciationTarget, { language: 'english' }>;

/** Evidence for a phone of the text, with its time in the recording. */
export type ComparedPhone = PhoneEvidence & { startMs: number; endMs: number };

/** A word of the text, compared with the recording. */
export type ComparedWord = {
  text: string;
  afterPause: boolean;
  /** The pronunciation by which it was judged, as columns of the acoustic model. */
  columns: readonly number[];
  /** The word as it was spoken; null when it was omitted. */
  spoken: SpokenAs | null;
};

type SpokenAs = Frames & {
  startMs: number;
  endMs: number;
  phones: ComparedPhone[];
  /** As of `leadOfRival`; −Infinity for a word that is no number. */
  rivalLead: number;
};

/** A recording aligned with a text, before scoring. */
export type Comparison = {
  words: ComparedWord[];
  repetitions: number;
  /** Earlier instances of words that were said again. */
  repeated: { word: number; startMs: number; endMs: number }[];
  inserted: Frames[];
  emissions: Emissions;
  /**
   * Natural logarithms of the weights of the path through the text and of the most probable free
   * path.
   */
  pathLogp: number;
  freeLogp: number;
};

/**
 * Aligns the words of a text with a recording; words of another language may occur between them.
 */
export function compareWords(analysis: AcousticAnalysis, target: EnglishTarget): Comparison {
  const { labels } = analysis;
  const emissions = readEmissions(analysis.posteriors, labels);
  const { words, foreignGaps } = expectedWords(target, labels);
  const graph = buildWordGraph(words, foreignGaps);
  const columnsOf = (word: number, variant: number): readonly number[] => words[word]?.pronunciations[variant] ?? [];
  const { spoken, inserted, score } = alignWords(emissions, graph, (word, variant) => columnsOf(word, variant).length);
  const evidence = phoneEvidence(emissions, spoken, ({ word, variant }) => columnsOf(word, variant));
  const times = phoneTimes(spoken, labels.frameMs, emissions.frameCount);
  // A repetition is a correction: the last instance counts.
  const lastTime = new Map(spoken.map(({ word }, index) => [word, index]));
  return {
    words: words.map(({ text, afterPause, pronunciations, rivals }, index) => {
      const at = lastTime.get(index);
      const instance = at === undefined ? undefined : spoken[at];
      if (at === undefined || instance === undefined) {
        return { text, afterPause, columns: pronunciations[0] ?? [], spoken: null };
      }
      const phones = (evidence[at] ?? []).map((evidenceOfPhone, phone) => ({
        ...evidenceOfPhone,
        ...(times[at]?.[phone] ?? NO_TIME),
      }));
      const startMs = phones[0]?.startMs ?? 0;
      const endMs = Math.max(startMs + labels.frameMs, phones.at(-1)?.endMs ?? 0);
      const frames = { startFrame: instance.startFrame, endFrame: instance.endFrame };
      const room = {
        startFrame: spoken[at - 1]?.endFrame ?? 0,
        endFrame: spoken[at + 1]?.startFrame ?? emissions.frameCount,
      };
      const rivalLead = leadOfRival(emissions, { pronunciations, rivals, frames, room });
      return {
        text,
        afterPause,
        columns: columnsOf(index, instance.variant),
        spoken: { ...frames, startMs, endMs, phones, rivalLead },
      };
    }),
    repetitions: spoken.length - lastTime.size,
    repeated: spoken.flatMap(({ word, startFrame, endFrame }, index) =>
      lastTime.get(word) === index
        ? []
        : [{ word, startMs: startFrame * labels.frameMs, endMs: endFrame * labels.frameMs }],
    ),
    inserted,
    emissions,
    pathLogp: score,
    freeLogp: freePath(emissions),
  };
}

const NO_TIME = { startMs: 0, endMs: 0 };

function expectedWords(target: EnglishTarget, labels: AcousticLabels) {
  const words: { text: string; afterPause: boolean; pronunciations: number[][]; rivals: number[][] }[] = [];
  const columnsOf = ({ pronunciations }: TargetWord): number[][] =>
    pronunciations
      .map((phones) => phones.map((phone) => labels.phones.indexOf(phone) + 1).filter((column) => column > 0))
      .filter((columns) => columns.length > 0);
  const foreignGaps = new Set<number>();
  for (const unit of target.units) {
    if (unit.kind === 'other') {
      foreignGaps.add(words.length);
      continue;
    }
    const pronunciations = columnsOf(unit);
    // A word with unknown phones cannot be judged, so any sound is allowed in its place.
    if (pronunciations.length === 0) foreignGaps.add(words.length);
    else {
      const rivals = rivalNumbers(unit.text, target.numbers ?? []).flatMap(columnsOf);
      words.push({ text: unit.text, afterPause: unit.afterPause, pronunciations, rivals });
    }
  }
  return { words, foreignGaps };
}

/**
 * Computes times by word and phone. An omitted phone has no length and the start of the next one.
 */
function phoneTimes(spoken: readonly SpokenWord[], frameMs: number, frameCount: number) {
  const spokenPhones = spoken.flatMap(({ phones }) => phones.filter((phone) => phone !== null));
  const times = frameTimes(spokenPhones, frameMs, frameCount, 1);
  let next = 0;
  return spoken.map(({ phones }) =>
    phones.map((phone) => {
      if (phone !== null) return times[next++] ?? NO_TIME;
      const atMs = times[next]?.startMs ?? times[next - 1]?.endMs ?? 0;
      const previousMs = times[next - 1]?.endMs ?? atMs;
      return { startMs: Math.min(atMs, previousMs), endMs: Math.min(atMs, previousMs) };
    }),
  );
}

function freePath({ frameCount, width, logp, bestPhone }: Emissions): number {
  let sum = 0;
  for (let frame = 0; frame < frameCount; frame++) {
    sum += Math.max(logp[frame * width] ?? 0, logp[frame * width + (bestPhone[frame] ?? 0)] ?? 0);
  }
  return sum;
}
