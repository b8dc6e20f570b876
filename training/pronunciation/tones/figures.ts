import { judgeTones } from '#packages/engines/builtin/pronunciation/tones/judge-tones.ts';
import type { ToneModel } from '#packages/engines/builtin/pronunciation/tones/tone-model.ts';
import { prepareVerification, type Trial } from '../../../eval/pronunciation/statistics.ts';
import type { Example } from './examples.ts';

export type ToneFigures = {
  syllables: number;
  /** Share of syllables whose likeliest tone is the spoken one. */
  accuracy: number;
  /** Own tones against all others, by log-odds. */
  equalErrorRate: number;
  /** Mean −log p of the spoken tone. */
  logLoss: number;
  /** How often the second tone is likelier than the spoken first one: `3>6`. */
  confusions: Record<string, number>;
};

/** Measures tone judgements on examples. Ignores tones above `most`. */
export function measureTones(model: ToneModel, examples: readonly Example[], most = model.tones): ToneFigures {
  const trials: Trial[] = [];
  const counts = new Map<string, { wrong: number; all: number }>();
  let right = 0;
  let loss = 0;
  let syllables = 0;
  for (const { questions, contours } of examples) {
    const { logp } = judgeTones(model, questions, contours);
    questions.forEach(({ expected: [spoken = 0] }, at) => {
      if (spoken > most) return;
      const scores = logp[at]!;
      const ownLogp = scores[spoken - 1]!;
      if (ownLogp === Math.max(...scores)) right += 1;
      loss -= ownLogp;
      for (let tone = 1; tone <= most; tone++) {
        const odds = scores[tone - 1]! - Math.log(Math.max(1e-12, 1 - Math.exp(scores[tone - 1]!)));
        trials.push({ score: odds, isOwn: tone === spoken, group: 0, weight: 1 });
        if (tone === spoken) continue;
        const count = counts.get(`${spoken}>${tone}`) ?? { wrong: 0, all: 0 };
        counts.set(`${spoken}>${tone}`, {
          wrong: count.wrong + Number(scores[tone - 1]! > ownLogp),
          all: count.all + 1,
        });
      }
      syllables += 1;
    });
  }
  const verification = prepareVerification(trials)(Float64Array.of(1));
  const confusions = [...counts]
    .map(([pair, { wrong, all }]) => [pair, Math.round((1e3 * wrong) / all) / 1e3] as const)
    .filter(([, share]) => share >= 0.02)
    .toSorted((a, b) => b[1] - a[1]);
  return {
    syllables,
    accuracy: right / syllables,
    equalErrorRate: verification?.equalErrorRate ?? Number.NaN,
    logLoss: loss / syllables,
    confusions: Object.fromEntries(confusions),
  };
}
