import { describe, expect, it } from 'vitest';
import { detectTranscriptLanguage, summarizableLanguages } from './languages.ts';

describe('the language of a transcript', () => {
  it.each([
    ['cantonese', '今日我哋講下點樣喺屋企整麵包，其實冇咁難㗎，跟住我做就得。'],
    ['cantonese', '今日我哋讲下点样喺屋企整面包，其实冇咁难㗎。'],
    ['mandarin', '今天我们来聊一聊怎么在家里做面包，其实没有那么难。'],
    ['mandarin', '今天我們來聊一聊怎麼在家裡做麵包，其實沒有那麼難，大家跟著我做就好了。'],
    ['english', "so today we're going to talk about how you can bake bread at home it's really not that hard"],
    ['english', 'Bread is what we make today. You need flour, water and salt, and a warm place for it.'],
    ['english', 'Bread needs salt. It also needs time.'],
    ['japanese', '今日は家でパンを焼く方法についてお話しします。'],
    ['korean', '오늘은 집에서 빵을 굽는 방법을 이야기해 보겠습니다.'],
  ])('%s is detected', (language, text) => {
    expect(detectTranscriptLanguage(text)).toBe(language);
  });

  it.each([
    ['French', "aujourd'hui nous allons parler de la façon de faire du pain à la maison et ce n'est pas si difficile"],
    ['German', 'heute sprechen wir darüber wie man zu Hause Brot backen kann und es ist gar nicht so schwer'],
    ['Spanish', 'hoy vamos a hablar de cómo hacer pan en casa y no es tan difícil como parece'],
    ['Indonesian', 'hari ini kita akan berbicara tentang cara membuat roti di rumah dan itu tidak sulit'],
    ['Italian', 'Il pane vuole tempo e sale'],
    ['Malay', 'Roti perlu garam dan masa'],
    ['Russian', 'сегодня мы поговорим о том как испечь хлеб дома'],
    ['Thai', 'วันนี้เราจะมาพูดถึงวิธีทำขนมปังที่บ้าน'],
    ['numbers', '1 2 3 4 5'],
    ['emoji', '😀🎉'],
    ['nothing', ''],
    ['lone surrogates', '\ud800\udc00\ud800'],
  ])('%s is not one of the five', (_name, text) => {
    expect(detectTranscriptLanguage(text)).toBeNull();
  });

  it('a borrowed word or name does not change the language', () => {
    expect(detectTranscriptLanguage('我哋今集會用 iPhone 同 MacBook 影低成個過程，再用 Final Cut 剪片。')).toBe(
      'cantonese',
    );
    expect(
      detectTranscriptLanguage('My friend 陳大文 showed me how to cook it and I have never looked back since.'),
    ).toBe('english');
    expect(detectTranscriptLanguage('이번 영상은 Netflix 드라마 이야기를 하려고 합니다.')).toBe('korean');
  });

  it('a greeting in another language before a long talk does not change the language', () => {
    const talk = '今日我哋講下點樣喺屋企整麵包，其實冇咁難㗎。'.repeat(4_000);
    expect(detectTranscriptLanguage(`${'Hello and welcome to the show. '.repeat(40)}${talk}`)).toBe('cantonese');
  });
});

it('only Chinese can be summarized in two languages, by script', () => {
  expect(summarizableLanguages('cantonese')).toEqual(['cantonese', 'mandarin']);
  expect(summarizableLanguages('mandarin')).toEqual(['cantonese', 'mandarin']);
  expect(summarizableLanguages('english')).toEqual(['english']);
  expect(summarizableLanguages('japanese')).toEqual(['japanese']);
  expect(summarizableLanguages('korean')).toEqual(['korean']);
  expect(summarizableLanguages(null)).toEqual([]);
});
