import { judgeTones } from '#packages/engines/builtin/pronunciation/tones/judge-tones.ts';
import type { ToneModel } from '#packages/engines/builtin/pronunciation/tones/tone-model.ts';
import type { Example } from './examples.ts';

const NEUTRAL = 5;
const FOLDS = 5;
/** With fewer neutral tones than this, none can be left out of the fit. */
const LEAST_WORDS = 50;
/** A tone that is at least this likely is accepted in most texts. */
const ACCEPTED = 0.2;

export type NeutralFigures = Record<
  string,
  {
    syllables: number;
    /** Share in which a neutral tone is accepted where the text has one. */
    acceptedAsNeutral: number;
  }
>;

const endsNeutral = ({ questions }: Example) => questions.at(-1)?.expected[0] === NEUTRAL;

/**
 * Asks for a neutral tone in the second syllables of words of two, by the tones that were said:
 * `1 5` is a neutral tone after a first one, and should be accepted; `4` a full fourth tone, which
 * should not. Each fifth of the words is judged by a model that was fitted without it. Empty for
 * too few words.
 */
export function measureNeutral(examples: readonly Example[], fit: (examples: Example[]) => ToneModel): NeutralFigures {
  const counts: Record<string, { accepted: number; syllables: number }> = {};
  if (examples.filter(endsNeutral).length < LEAST_WORDS) return {};
  for (let fold = 0; fold < FOLDS; fold += 1) {
    // Words that were recorded one after another are alike.
    const isMeasured = (index: number) => index % FOLDS === fold;
    const model = fit(examples.filter((_, index) => !isMeasured(index)));
    for (const { questions, contours } of examples.filter((_, index) => isMeasured(index))) {
      const [first, second] = questions;
      if (first === undefined || second === undefined || questions.length > 2) continue;
      const [before, spokenTone] = [first.expected[0]!, second.expected[0]!];
      const { logp } = judgeTones(model, [first, { ...second, expected: [NEUTRAL] }], contours);
      const count = (counts[spokenTone === NEUTRAL ? `${before} ${spokenTone}` : String(spokenTone)] ??= {
        accepted: 0,
        syllables: 0,
      });
      count.syllables += 1;
      count.accepted += Number(logp[1]![NEUTRAL - 1]! >= Math.log(ACCEPTED));
    }
  }
  return Object.fromEntries(
    Object.entries(counts)
      .toSorted()
      .map(([spokenTone, { accepted, syllables }]) => [
        spokenTone,
        { syllables, acceptedAsNeutral: Math.round((1e3 * accepted) / syllables) / 1e3 },
      ]),
  );
}
