import type { SpeechStyle } from '@jyutsing/contracts/synthesizer';
import type { SpeechModel } from './speech.ts';

/** Words for a pace, and the factor of the speed. The first match counts. */
const PACES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:very|extremely|really) slow|很慢|好慢|非常慢/i, 0.75],
  [/\b(?:very|extremely|really) (?:fast|quick)|(?:很|好|非常)快(?!樂|乐)/i, 1.4],
  [/\bslow|\bunhurried|慢/i, 0.87],
  [/\b(?:fast|quick|rapid|hurried)|快[啲点點速]|講快|说快/i, 1.2],
];

/** Words for a mood, and how it differs from neutral speech: the intonation and the pitch. */
const MOODS: readonly (readonly [RegExp, { temperature: number; pitchSemitones: number }])[] = [
  [/\b(?:excited|energetic|enthusiastic)|興奮|激動|兴奋|激动/i, { temperature: 1.3, pitchSemitones: 1.5 }],
  [/\b(?:cheerful|happy|joyful|friendly|warm)|開心|快樂|親切|开心|快乐|亲切/i, { temperature: 1.1, pitchSemitones: 1 }],
  [/\b(?:sad|sorrowful|melanchol)|傷心|難過|伤心|难过/i, { temperature: 0.6, pitchSemitones: -1.5 }],
  [/\b(?:calm|soothing|gentle|relaxed)|平靜|溫柔|平静|温柔/i, { temperature: 0.5, pitchSemitones: -0.5 }],
  [/\b(?:serious|formal|neutral|monoton)|嚴肅|正式|严肃/i, { temperature: 0.4, pitchSemitones: 0 }],
];

const MAX_LENGTH = 4_096;

/**
 * Changes a style as instructions in English or Chinese ask for, as far as the model can change it
 * itself. Anything else in them has no effect.
 */
export function followInstructions(
  style: SpeechStyle,
  instructions: unknown,
  { capabilities: { adjusts } }: Pick<SpeechModel, 'capabilities'>,
): SpeechStyle {
  if (typeof instructions !== 'string') return style;
  const text = instructions.slice(0, MAX_LENGTH);
  const pace = PACES.find(([pattern]) => pattern.test(text))?.[1] ?? 1;
  const mood = MOODS.find(([pattern]) => pattern.test(text))?.[1];
  return {
    ...style,
    speed: adjusts.speed ? style.speed * pace : style.speed,
    pitchSemitones: style.pitchSemitones + (adjusts.pitch ? (mood?.pitchSemitones ?? 0) : 0),
    temperature: mood?.temperature ?? style.temperature,
  };
}
