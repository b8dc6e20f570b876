import { align } from '#packages/engines/builtin/pronunciation/align.ts';
import {
  evidenceWindow,
  modelToneLogp,
  soundingFrames,
} from '#packages/engines/builtin/pronunciation/attempt-frames.ts';
import type { SyllableTools } from '#packages/engines/builtin/pronunciation/recognize-attempts.ts';
import { onsetEvidence, rimeEvidence, toneEvidence } from '#packages/engines/builtin/pronunciation/part-evidence.ts';
import { joinDoubles } from '#packages/engines/builtin/pronunciation/segment-evidence.ts';
import type { Reading } from '#packages/engines/builtin/pronunciation/syllable-sounds.ts';
import type { AcousticAnalysis } from '#packages/engines/builtin/pronunciation/types.ts';

export const PARTS = ['onset', 'rime', 'tone'] as const;
export type Part = (typeof PARTS)[number];

/** Log-odds by part: of the spoken one, and of every minimal pair that differs in this part. */
export type PartOdds = Record<Part, { spoken: number; rivals: number[] }>;

/** Tones of Cantonese checked syllables in dictionaries, and of isolated Mandarin syllables. */
const CHECKED_TONES = [1, 3, 6];
const FULL_TONES = [1, 2, 3, 4];

/** Odds of one recorded syllable, as measured by the scorer. Null if it cannot be aligned. */
export function measureOdds(analysis: AcousticAnalysis, spoken: Reading, tools: SyllableTools): PartOdds | null {
  const { sounds } = tools;
  const attempts = align(analysis.posteriors, analysis.labels, [[spoken]]);
  const index = attempts.findLastIndex(({ unit }) => unit === 0);
  const attempt = attempts[index];
  if (attempt === undefined) return null;
  const segments = tools.scoreSegments(analysis, evidenceWindow(attempts, index, analysis));
  joinDoubles(segments, sounds.doubles);
  const read = (change: Partial<Pick<Reading, 'onset' | 'rime' | 'tone'>>): Reading[] => {
    const { onset, rime, tone } = spoken;
    const reading = sounds.read(sounds.write({ onset, rime, tone, ...change }));
    return reading === null ? [] : [reading];
  };
  const onsets = Array.from({ length: segments.rows }, (_, onset) => onset).filter(
    (onset) => onset !== spoken.onset && !spoken.onsetVariants.includes(onset) && sounds.exists(onset, spoken.rime),
  );
  const rimes = Array.from({ length: segments.columns }, (_, rime) => rime).filter(
    (rime) => rime !== spoken.rime && !spoken.rimeVariants.includes(rime) && sounds.exists(spoken.onset, rime),
  );
  const toneLogp = (tone: number): readonly number[] =>
    tools.judgeTones(
      [
        {
          expected: [tone],
          rime: sounds.rimeName(spoken.rime),
          ...soundingFrames(attempts, index, analysis),
          modelLogp: modelToneLogp(attempt, analysis),
        },
      ],
      analysis,
    ).answers[0]!.logp;
  return {
    onset: {
      spoken: onsetEvidence(segments, spoken, sounds).oddsLogp,
      rivals: onsets
        .flatMap((onset) => read({ onset }))
        .map((rival) => onsetEvidence(segments, rival, sounds).oddsLogp),
    },
    rime: {
      spoken: rimeEvidence(segments, spoken, sounds).oddsLogp,
      rivals: rimes.flatMap((rime) => read({ rime })).map((rival) => rimeEvidence(segments, rival, sounds).oddsLogp),
    },
    tone: {
      spoken: toneEvidence(toneLogp(spoken.tone), spoken.tone).oddsLogp,
      rivals: tonesOf(spoken, tools)
        .filter((tone) => tone !== spoken.tone)
        .map((tone) => toneEvidence(toneLogp(tone), tone).oddsLogp),
    },
  };
}

function tonesOf({ rime }: Reading, { sounds }: SyllableTools): number[] {
  if (sounds.language === 'mandarin') return FULL_TONES;
  return /[ptk]$/.test(sounds.rimeName(rime)) ? CHECKED_TONES : [1, 2, 3, 4, 5, 6];
}
