import { ARPABET_PHONES } from '#engines/builtin/decoder/arpabet.ts';
import { symbolCount } from '#engines/builtin/decoder/labels.ts';
import type { Hearing } from '#engines/builtin/pronunciation/types.ts';

/** The phones of the likeliest path, without a text: the best symbol of every frame. */
export function heardPhones({ posteriors: { frameCount, symbolLogp }, labels }: Hearing): string[] {
  const width = symbolCount(labels);
  const phones: string[] = [];
  let last = 0;
  for (let frame = 0; frame < frameCount; frame += 1) {
    let best = 0;
    for (let column = 1; column < width; column += 1) {
      if (symbolLogp[frame * width + column]! > symbolLogp[frame * width + best]!) best = column;
    }
    if (best !== last && best > 0) phones.push(ARPABET_PHONES[best - 1] ?? '');
    last = best;
  }
  return phones;
}
