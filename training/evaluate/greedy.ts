import { symbolCount } from '../../src/engines/builtin/decoder/labels.ts';
import type { AcousticLabels, Posteriors } from '../../src/engines/builtin/decoder/index.ts';

/**
 * What the acoustic model alone hears: the likeliest symbol of every frame, repetitions and blanks left out (greedy CTC, Graves et
 * al. 2006). A rime and its tone are one symbol, as in training; an onset without a rime after it is dropped. No lexicon, no
 * language model, no search. Units are spelt as in the labels (`zhir4`). The same as `greedy` of training/acoustic/score.py.
 */
export function greedyUnits(posteriors: Posteriors, labels: AcousticLabels): string[] {
  const units: string[] = [];
  let onset = '';
  let before = 0;
  for (let frame = 0; frame < posteriors.frameCount; frame += 1) {
    const symbol = likeliest(posteriors, frame, labels);
    const { column, tone } = symbol;
    const joint = column * (labels.tones + 1) + tone;
    if (joint === before) continue;
    before = joint;
    if (column === 0) continue;
    if (labels.phones.length > 0) units.push(labels.phones[column - 1] ?? '');
    else if (column <= labels.onsets.length) onset = labels.onsets[column - 1] ?? '';
    else {
      units.push(`${onset}${labels.rimes[column - 1 - labels.onsets.length] ?? ''}${tone}`);
      onset = '';
    }
  }
  return units;
}

/** The likeliest symbol of a frame; `tone` is 0 for a symbol that has none. */
function likeliest(
  { symbolLogp, toneLogp }: Posteriors,
  frame: number,
  labels: AcousticLabels,
): { column: number; tone: number } {
  let tone = 0;
  let toneBest = 0;
  for (let t = 1; t <= labels.tones; t += 1) {
    const logp = toneLogp[frame * labels.tones + t - 1] ?? -Infinity;
    if (tone === 0 || logp > toneBest) [tone, toneBest] = [t, logp];
  }
  const width = symbolCount(labels);
  const firstRime = 1 + labels.onsets.length;
  let best = { column: 0, tone: 0 };
  let bestLogp = -Infinity;
  for (let column = 0; column < width; column += 1) {
    const hasTone = labels.tones > 0 && column >= firstRime;
    const logp = (symbolLogp[frame * width + column] ?? -Infinity) + (hasTone ? toneBest : 0);
    if (logp > bestLogp) [best, bestLogp] = [{ column, tone: hasTone ? tone : 0 }, logp];
  }
  return best;
}
