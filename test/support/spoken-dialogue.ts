import type { Sound } from '#testbed/sound/audio.ts';
import { joinSounds, speak, toJyutping } from '#testbed/sound/espeak-speech.ts';

export const WOMAN = { voice: 'yue-latn-jyutping+f3', pitch: 75 };
export const MAN = { voice: 'yue-latn-jyutping+m7', pitch: 20 };
const LINES = [
  { text: '早晨，請問你想去邊度呀？', ...WOMAN },
  { text: '我想聽日夜晚搭車去九龍。', ...MAN },
  { text: '七點有一班，九點半又有一班。', ...WOMAN },
  { text: '咁唔該你俾兩張九點半嘅飛我。', ...MAN },
];
const GAP_MS = 800;

/** A talk of two people in four turns, and what one of them says of it. */
export async function speakDialogue(): Promise<{ dialogue: Sound; monologue: Sound }> {
  const spoken: Sound[] = [];
  for (const { text, ...voice } of LINES) spoken.push(await speak(toJyutping(text), voice));
  return { dialogue: joinSounds(spoken, GAP_MS), monologue: joinSounds([spoken[0]!, spoken[2]!], GAP_MS) };
}
