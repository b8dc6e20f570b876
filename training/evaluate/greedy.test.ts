import { describe, expect, it } from 'vitest';
import type { AcousticLabels, Posteriors } from '../../src/engines/builtin/decoder/index.ts';
import { greedyUnits } from './greedy.ts';

const SYLLABLES: AcousticLabels = { frameMs: 30, onsets: ['n', 'h'], rimes: ['ei', 'ou'], tones: 6, phones: [] };
const PHONES: AcousticLabels = { frameMs: 30, onsets: [], rimes: [], tones: 0, phones: ['HH', 'AY'] };

/** Posteriors in which one symbol and one tone are likely in every frame. */
function posteriors(labels: AcousticLabels, frames: readonly { symbol: number; tone?: number }[]): Posteriors {
  const width = 1 + labels.onsets.length + labels.rimes.length + labels.phones.length;
  const symbolLogp = new Float32Array(frames.length * width).fill(Math.log(0.01));
  const toneLogp = new Float32Array(frames.length * labels.tones).fill(Math.log(0.04));
  for (const [frame, { symbol, tone = 1 }] of frames.entries()) {
    symbolLogp[frame * width + symbol] = Math.log(0.9);
    if (labels.tones > 0) toneLogp[frame * labels.tones + tone - 1] = Math.log(0.8);
  }
  return { frameCount: frames.length, symbolLogp, toneLogp };
}

const [BLANK, N, H, EI, OU] = [0, 1, 2, 3, 4];

describe('greedyUnits', () => {
  it('joins onsets, rimes and tones; repetitions are one, also across a change of nothing but the confidence', () => {
    const frames = [{ symbol: BLANK }, { symbol: N }, { symbol: N }, { symbol: EI, tone: 5 }, { symbol: EI, tone: 5 }];
    const more = [{ symbol: BLANK }, { symbol: H }, { symbol: BLANK }, { symbol: OU, tone: 2 }];
    expect(greedyUnits(posteriors(SYLLABLES, [...frames, ...more]), SYLLABLES)).toEqual(['nei5', 'hou2']);
  });

  it('a rime after a blank is said again, one of another tone is another syllable, without an onset too', () => {
    const frames = [{ symbol: EI, tone: 1 }, { symbol: BLANK }, { symbol: EI, tone: 1 }, { symbol: EI, tone: 4 }];
    expect(greedyUnits(posteriors(SYLLABLES, frames), SYLLABLES)).toEqual(['ei1', 'ei1', 'ei4']);
  });

  it('an onset without a rime is no syllable', () => {
    const frames = [{ symbol: N }, { symbol: H }, { symbol: OU, tone: 3 }, { symbol: N }];
    expect(greedyUnits(posteriors(SYLLABLES, frames), SYLLABLES)).toEqual(['hou3']);
  });

  it('gives the phones of a language without tones, and nothing for silence', () => {
    const frames = [{ symbol: 1 }, { symbol: 1 }, { symbol: BLANK }, { symbol: 2 }, { symbol: 2 }];
    expect(greedyUnits(posteriors(PHONES, frames), PHONES)).toEqual(['HH', 'AY']);
    expect(greedyUnits(posteriors(PHONES, [{ symbol: BLANK }]), PHONES)).toEqual([]);
    expect(greedyUnits(posteriors(PHONES, []), PHONES)).toEqual([]);
  });
});
