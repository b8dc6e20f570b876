import type { SpokenPiece } from '@jyutsing/contracts/spoken-text';
import type { Synthesizer } from '@jyutsing/contracts/synthesizer';
import type { Language } from '@jyutsing/contracts/transcript';
import type { VoiceProfile } from '@jyutsing/contracts/voice';
import { joinSamples } from '@jyutsing/audio/join-samples';
import type { VoiceDesign } from './designs.ts';

/** Temperature of samples: higher is unsteady, lower monotonous. */
const TEMPERATURE = 0.6;
const SEED = 1;
/** Target level of the sample, and limit of its peak. */
const LEVEL_DB = -20;
const PEAK = 0.89;

const MARKS = { none: '', comma: '，', statement: '。', question: '？', exclamation: '！', ellipsis: '……' } as const;
const ENGLISH_MARKS = { none: '', comma: ',', statement: '.', question: '?', exclamation: '!', ellipsis: '…' } as const;

/** Written text of the design's sample. */
export function transcriptOf({ sample, language }: VoiceDesign): string {
  const [marks, space] = language === 'english' ? [ENGLISH_MARKS, ' '] : [MARKS, ''];
  return sample.map(({ words, ending }) => words.map(([written]) => written).join(space) + marks[ending]).join(space);
}

/** Synthesizes the design's sample with a profile: mono floats at 24 kHz, at −20 dB. */
export async function speakDesign(
  synthesizer: Synthesizer,
  design: VoiceDesign,
  profile: VoiceProfile,
): Promise<Float32Array<ArrayBuffer>> {
  const request = {
    pieces: [pieceOf(design)],
    language: design.language ?? ('cantonese' as const),
    voice: { id: design.id, profile, reference: null },
    temperature: TEMPERATURE,
    topP: 1,
    speed: 1,
    pitchSemitones: 0,
    seed: SEED,
  };
  const parts: Float32Array[] = [];
  for await (const event of synthesizer.synthesize(request, new AbortController().signal)) {
    if (event.type === 'audio') parts.push(event.samples);
  }
  return atLevel(joinSamples(parts));
}

function pieceOf(design: VoiceDesign): SpokenPiece {
  const language: Language = design.language ?? 'cantonese';
  const phrases = design.sample.map(({ words, ending }) => ({
    words: words.map(([written, jyutping]) => ({
      written,
      language,
      spokenForm: written,
      reading: jyutping.split(' ').filter(Boolean),
    })),
    ending,
  }));
  return { phrases, spokenForm: transcriptOf(design), endsSentence: true };
}

function atLevel(samples: Float32Array): Float32Array<ArrayBuffer> {
  let power = 0;
  let peak = 0;
  for (const sample of samples) {
    power += sample ** 2 / samples.length;
    peak = Math.max(peak, Math.abs(sample));
  }
  const gain = Math.min(10 ** (LEVEL_DB / 20) / Math.sqrt(power), PEAK / peak);
  return Float32Array.from(samples, (sample) => sample * gain);
}
