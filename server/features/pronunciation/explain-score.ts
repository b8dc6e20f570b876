import type { InsertedSpeech, PronunciationAssessment } from '@jyutsing/contracts/pronunciation';

/** Why a score does not pass: the main cause, and a sentence for the learner. */
export type ScoreReason = { code: ReasonCode; message: string };

/**
 * Causes, the gravest first: little of the text was heard; parts were left out; sounds are wrong;
 * speech was added, or said again; it is slow or broken; several parts are only just good enough.
 */
export const REASON_CODES = [
  'other_text',
  'left_out',
  'wrong_sounds',
  'added',
  'repeated',
  'not_fluent',
  'several_weak',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** Share of the text that must be heard for single mistakes to be worth naming. */
const LEAST_HEARD = 0.4;
/** Fluency below which it lowers a score by itself. */
const FLUENT = 60;
/** Places named in a sentence. */
const MOST_NAMED = 4;

/** Explains why an assessment does not pass, also when every single part of it is right. */
export function explainScore(assessment: PronunciationAssessment): ScoreReason {
  const units = assessment.language === 'english' ? assessment.words : assessment.syllables;
  const noun = assessment.language === 'english' ? 'word' : 'syllable';
  const omitted = units.filter(({ verdict }) => verdict === 'omitted');
  const wrong = units.filter(({ verdict }) => verdict === 'wrong');
  if (units.length - omitted.length - wrong.length < LEAST_HEARD * units.length && units.length > 1) {
    const recognized = units.length - omitted.length - wrong.length;
    return {
      code: 'other_text',
      message: `Only ${recognized} of ${counted(units.length, noun)} could be recognized; check that this text was read, close to the microphone.`,
    };
  }
  const causes: ScoreReason[] = [];
  if (omitted.length > 0) {
    causes.push({
      code: 'left_out',
      message: `${counted(omitted.length, noun)} of the text ${wasOrWere(omitted.length)} not heard: ${named(omitted.map(({ text }) => text))}`,
    });
  }
  if (wrong.length > 0) {
    const places = assessment.language === 'english' ? wrong.map(({ text }) => text) : wrongSyllables(assessment);
    const sounds = wrong.length === 1 ? 'sounds' : 'sound';
    causes.push({
      code: 'wrong_sounds',
      message: `${counted(wrong.length, noun)} ${sounds} different: ${named(places)}`,
    });
  }
  causes.push(...insertionCauses(assessment.insertions));
  if (assessment.language !== 'cantonese' && assessment.fluencyScore < FLUENT) {
    causes.push({ code: 'not_fluent', message: 'The speech is slow or broken by pauses' });
  }
  const [main] = causes;
  if (main === undefined) {
    return {
      code: 'several_weak',
      message: `No ${noun} is clearly wrong, but several are only just recognizable.`,
    };
  }
  const isAllRight = omitted.length === 0 && wrong.length === 0;
  const before = isAllRight ? `Every ${noun} is right, but the score is lowered by the rest. ` : '';
  return { code: main.code, message: `${before}${causes.map(({ message }) => message).join('; ')}.` };
}

function wrongSyllables(assessment: Exclude<PronunciationAssessment, { language: 'english' }>): string[] {
  const wrong = assessment.syllables.filter(({ verdict }) => verdict === 'wrong');
  return wrong.map((syllable) => `${syllable.text} was ${syllable.heard} instead of ${syllable.expected}`);
}

function insertionCauses(insertions: readonly InsertedSpeech[]): ScoreReason[] {
  const added = insertions.filter(({ kind }) => kind !== 'repetition');
  const repeated = insertions.filter(({ kind }) => kind === 'repetition');
  return [
    ...(added.length > 0
      ? [{ code: 'added' as const, message: `Something was added that the text does not have: ${places(added)}` }]
      : []),
    ...(repeated.length > 0
      ? [{ code: 'repeated' as const, message: `A part was said more than once: ${places(repeated)}` }]
      : []),
  ];
}

const places = (list: readonly InsertedSpeech[]): string =>
  named(list.map((inserted) => `${inserted.heard} at ${(inserted.startMs / 1_000).toFixed(1)} s`));

function named(places: readonly string[]): string {
  const rest = places.length - MOST_NAMED;
  return `${places.slice(0, MOST_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const wasOrWere = (count: number): string => (count === 1 ? 'was' : 'were');
