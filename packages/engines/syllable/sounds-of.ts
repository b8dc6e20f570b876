import { CANTONESE_SOUNDS } from './cantonese-sounds.ts';
import { MANDARIN_SOUNDS } from './mandarin-sounds.ts';
import type { SyllableLanguage, Sounds } from './sounds.ts';

export function soundsOf(language: SyllableLanguage): Sounds {
  return language === 'cantonese' ? CANTONESE_SOUNDS : MANDARIN_SOUNDS;
}
