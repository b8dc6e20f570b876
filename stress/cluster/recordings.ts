import { durationOf, joinSounds, speak, toJyutping } from '#test/espeak-speech.ts';
import { wavBytes } from '#test/audio.ts';

export type Recording = { language: 'cantonese' | 'mandarin' | 'english'; audio: Buffer; seconds: number };

/** Synthesized speech of three languages, a few seconds each. */
export async function makeRecordings(): Promise<Recording[]> {
  const sounds = [
    ['cantonese', await speak(toJyutping('今日天氣好好，我哋去公園行下。'))],
    [
      'mandarin',
      await speak('jin1 tian1 tian1 qi4 hen3 hao3 , wo3 men5 qu4 gong1 yuan2', { voice: 'cmn-latn-pinyin' }),
    ],
    ['english', await speak('We are going to the park after school.', { voice: 'en-us' })],
  ] as const;
  return sounds.map(([language, sound]) => ({
    language,
    audio: wavBytes(sound),
    seconds: durationOf(sound) / 1_000,
  }));
}

/** Cantonese of about half a minute, to measure processor time. */
export async function makeLongRecording(): Promise<Recording> {
  const sentence = await speak(toJyutping('今日天氣好好，我哋去公園行下。'));
  const times = Math.ceil(30_000 / durationOf(sentence));
  const sound = joinSounds(
    Array.from({ length: times }, () => sentence),
    300,
  );
  return { language: 'cantonese', audio: wavBytes(sound), seconds: durationOf(sound) / 1_000 };
}
