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

/** Log-odds by part: of what was said, and of every minimal pair in the part in which it differs. */
export type PartOdds = Record<Part, { said: number; rivals: number[] }>;

/** Tones that checked syllables of Cantonese have in the dictionary, and those that Mandarin syllables have on their own. */
const CHECKED_TONES = [1, 3, 6];
const FULL_TONES = [1, 2, 3, 4];

/** The odds of one recording of one syllable, as the scorer measures them. Null when nothing of it is heard. */
export function measureOdds(analysis: AcousticAnalysis, said: Reading, tools: SyllableTools): PartOdds | null {
  const { sounds } = tools;
  const attempts = align(analysis.posteriors, analysis.labels, [[said]]);
  const index = attempts.findLastIndex(({ unit }) => unit === 0);
  const attempt = attempts[index];
  if (attempt === undefined) return null;
  const window = evidenceWindow(attempts, index, analysis.posteriors.frameCount);
  const segments = tools.scoreSegments(analysis.posteriors, window.startFrame, window.endFrame);
  joinDoubles(segments, sounds.doubles);
  const read = (change: Partial<Pick<Reading, 'onset' | 'rime' | 'tone'>>): Reading[] => {
    const { onset, rime, tone } = said;
    const reading = sounds.read(sounds.write({ onset, rime, tone, ...change }));
    return reading === null ? [] : [reading];
  };
  const onsets = Array.from({ length: segments.rows }, (_, onset) => onset).filter(
    (onset) => onset !== said.onset && !said.onsetVariants.includes(onset) && sounds.exists(onset, said.rime),
  );
  const rimes = Array.from({ length: segments.columns }, (_, rime) => rime).filter(
    (rime) => rime !== said.rime && !said.rimeVariants.includes(rime) && sounds.exists(said.onset, rime),
  );
  const toneLogp = (tone: number): readonly number[] =>
    tools.judgeTones(
      [
        {
          expected: [tone],
          rime: sounds.rimeName(said.rime),
          ...soundingFrames(attempts, index, analysis),
          modelLogp: modelToneLogp(attempt, analysis),
        },
      ],
      analysis,
    )[0]!.logp;
  return {
    onset: {
      said: onsetEvidence(segments, said, sounds).oddsLogp,
      rivals: onsets
        .flatMap((onset) => read({ onset }))
        .map((rival) => onsetEvidence(segments, rival, sounds).oddsLogp),
    },
    rime: {
      said: rimeEvidence(segments, said, sounds).oddsLogp,
      rivals: rimes.flatMap((rime) => read({ rime })).map((rival) => rimeEvidence(segments, rival, sounds).oddsLogp),
    },
    tone: {
      said: toneEvidence(toneLogp(said.tone), said.tone).oddsLogp,
      rivals: tonesOf(said, tools)
        .filter((tone) => tone !== said.tone)
        .map((tone) => toneEvidence(toneLogp(tone), tone).oddsLogp),
    },
  };
}

function tonesOf({ rime }: Reading, { sounds }: SyllableTools): number[] {
  if (sounds.language === 'mandarin') return FULL_TONES;
  return /[ptk]$/.test(sounds.rimeName(rime)) ? CHECKED_TONES : [1, 2, 3, 4, 5, 6];
}
