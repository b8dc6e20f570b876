import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '#test/cpu-time.ts';
import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';
import { sentencesOf, summarizeText } from './summarize-text.ts';

/** A short talk in each language: a greeting, the topic, a story, thanks. */
const TALKS: Readonly<Record<SummaryLanguage, string>> = {
  cantonese:
    '大家好，歡迎返嚟我個頻道。今日講下點樣洗冷氣機。我尋日先俾我阿媽鬧完。洗冷氣之前一定要先熄總掣，等十分鐘先好開個面蓋。' +
    '個隔塵網最好每兩個禮拜用暖水沖一次，吹乾先至裝返。我有次冇吹乾，成間屋一陣霉味，我太太話好似住喺山洞。' +
    '入面啲散熱片要用噴劑，由上而下噴，等十五分鐘啲泡就會帶走啲塵。噴劑幾十蚊枝。去水喉如果塞咗，冷氣機就會滴水，可以用真空機喺出口度吸返通佢。' +
    '我隻貓好驚部吸塵機，匿咗入衣櫃成個下晝。記得訂閱同埋撳讚，下集見。',
  mandarin:
    '大家好，欢迎来到我的频道。今天说说怎么清洗空调。我昨天刚被我妈说了一顿。清洗之前必须先关掉总电源，等十分钟再打开面板。' +
    '滤网最好每两个星期用温水冲一次，晾干以后再装回去。我有一次没晾干，整个屋子都是霉味，我太太说像住在山洞里。' +
    '里面的散热片要用清洁剂，从上往下喷，等十五分钟泡沫就会把灰尘带走。排水管如果堵了，空调就会滴水，可以用吸尘器在出口处吸通。' +
    '我的猫特别怕吸尘器，在衣柜里躲了一下午。记得订阅点赞，下期再见。',
  english:
    'Hey everyone, welcome back to the channel. Today we clean an air conditioner. My mother told me off about mine yesterday. ' +
    'Before you open the cover, always switch off the power at the main board and wait ten minutes. ' +
    'The dust filter should be rinsed with warm water every two weeks and dried before it goes back. ' +
    'I once put mine back wet and my wife said we were living in a cave. ' +
    'The cooling fins need a foaming spray from top to bottom, and after fifteen minutes the foam carries the dust away. ' +
    'If the drain pipe is blocked the air conditioner drips, and you can clear it with a vacuum cleaner at the far end. ' +
    'My cat hid from the vacuum cleaner all afternoon. Hit the like button and subscribe, see you next week.',
  japanese:
    '皆さんこんにちは、チャンネルへようこそ。今日はエアコンの掃除についてお話しします。昨日、母に怒られたばかりなんです。' +
    'カバーを開ける前に、必ず電源を切って十分ほど待ってください。フィルターは二週間に一度、ぬるま湯で洗って乾かすのが大事です。' +
    '前に濡れたまま戻したら、妻に洞窟みたいだと言われました。フィンには専用のスプレーを上から下へ吹き付けて、十五分待つと泡がほこりを流します。' +
    '排水ホースが詰まるとエアコンから水が漏れるので、出口から掃除機で吸ってください。猫は一日中隠れていました。高評価とチャンネル登録をお願いします。',
  korean:
    '안녕하세요 여러분, 제 채널에 오신 것을 환영합니다. 오늘은 에어컨 청소를 해 보겠습니다. 어제 엄마한테 혼났거든요. ' +
    '덮개를 열기 전에 반드시 전원을 끄고 십 분 정도 기다려야 합니다. 먼지 필터는 이 주에 한 번 미지근한 물로 씻고 완전히 말린 다음 끼우세요. ' +
    '저는 한번은 젖은 채로 끼웠다가 동굴 같다는 말을 들었어요. 냉각핀에는 전용 세정제를 위에서 아래로 뿌리고 십오 분을 기다리면 먼지가 거품과 함께 흘러내립니다. ' +
    '배수 호스가 막히면 에어컨에서 물이 떨어지기 때문에 호스 끝을 청소기로 빨아들이는 것이 좋습니다. 우리 고양이는 하루 종일 숨어 있었어요. 구독과 좋아요 부탁드립니다.',
};
const LANGUAGES = Object.keys(TALKS) as SummaryLanguage[];
const MATTER: Readonly<Record<SummaryLanguage, RegExp>> = {
  cantonese: /總掣|隔塵網|散熱片|去水喉/,
  mandarin: /总电源|滤网|散热片|排水管/,
  english: /main board|filter|fins|drain/,
  japanese: /電源|フィルター|フィン|排水/,
  korean: /전원|필터|냉각핀|배수/,
};
const CHATTER = /訂閱|订阅|subscribe|登録|구독|貓|猫|cat|고양이|大家好|everyone|こんにちは|안녕/i;

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
const asCaptions = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d ]/gu, '')
    .replace(/.{14}/gu, '$&\n');

describe.each(LANGUAGES)('a talk in %s', (language) => {
  const talk = TALKS[language];

  it('is summarized by its topic, without greetings and stories', async () => {
    const summary = await summarizeText(talk, { language, share: 0.3 });
    expect(summary).toMatch(MATTER[language]);
    expect(summary).not.toMatch(CHATTER);
  });

  it('is quoted in order and in whole sentences', async () => {
    const sentences = await sentencesOf(talk, language);
    const summary = await summarizeText(talk, { language, share: 0.4 });
    const at = sentences.map((sentence) => summary.indexOf(sentence)).filter((index) => index >= 0);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    const quoted = sentences.filter((sentence) => summary.includes(sentence));
    expect(lettersOf(summary)).toBe(lettersOf(quoted.join('')));
  });

  it('without punctuation is quoted in sentences without added words', async () => {
    const captions = asCaptions(talk);
    const summary = await summarizeText(captions, { language, share: 0.3 });
    const letters = lettersOf(captions);
    const pieces = summary.split(/[。.]\s*/).filter((piece) => piece !== '');
    expect(pieces.length).toBeGreaterThan(0);
    for (const piece of pieces) expect(letters).toContain(lettersOf(piece));
    expect(summary).toMatch(language === 'english' || language === 'korean' ? /\.$/ : /。$/);
    expect(summary).not.toContain('\n');
  });

  it('gives the same summary every time', async () => {
    expect(await summarizeText(talk, { language })).toBe(await summarizeText(talk, { language }));
  });
});

describe('length', () => {
  const long = Array.from(
    { length: 400 },
    (_, i) => `Point ${i} is that tool${i} must be kept apart from part${i * 7}.`,
  ).join(' ');

  it('is about the requested share and at most the maximum', async () => {
    expect((await summarizeText(long, { language: 'english', share: 0.05 })).length / long.length).toBeCloseTo(0.05, 1);
    const summary = await summarizeText(long, { language: 'english' });
    expect(summary.length).toBeLessThanOrEqual(1_500);
    expect(summary.length).toBeGreaterThan(1_200);
    expect((await summarizeText(long, { language: 'english', maxCharacters: 300 })).length).toBeLessThanOrEqual(300);
  });

  it('is at least two sentences, or the whole of a shorter transcript', async () => {
    const summary = await summarizeText(TALKS.english, { language: 'english', share: 0.01 });
    expect(summary.match(/\./g)).toHaveLength(2);
    expect(await summarizeText('Bread needs salt. It also needs time.', { language: 'english' })).toBe(
      'Bread needs salt. It also needs time.',
    );
  });
});

it('a repeated sentence is quoted once', async () => {
  const point = 'You must always switch off the power before you open the cover.';
  const again = 'You must always switch off the power before opening the cover.';
  const talk = TALKS.english.replace(/(?=The dust filter)/, `${point} ${again} ${point} `);
  const summary = await summarizeText(talk, {
    language: 'english',
    share: 0.3,
  });
  const times = [point, again].filter((sentence) => summary.includes(sentence)).length;
  expect(times).toBe(1);
  expect(summary.split(point).length).toBeLessThanOrEqual(2);
});

it('of two similar sentences the one with words of the title is quoted', async () => {
  const filler = Array.from({ length: 8 }, (_, i) => `I walked past gate${i} and nobody was there at all.`);
  const points = ['Always oil the bicycle chain first.', 'Always clean the garden spade first.'];
  const talk = [...filler.slice(0, 4), points[0], ...filler.slice(4, 6), points[1], ...filler.slice(6)].join(' ');
  const options = { language: 'english', maxCharacters: 40 } as const;
  expect(await summarizeText(talk, { ...options, title: 'My bicycle and its chain' })).toBe(points[0]);
  expect(await summarizeText(talk, { ...options, title: 'The garden, and a spade' })).toBe(points[1]);
});

it('the wording of Simplified Chinese is not changed', async () => {
  const text = '怎么洗最要紧。什么都要先关掉，那么多零件要怎\n么装回去，要看说明书。';
  expect(await summarizeText(text, { language: 'mandarin', share: 1 })).toBe(text.replace('\n', ''));
});

it('Chinese is returned in the script of the requested language', async () => {
  const traditional = await summarizeText(TALKS.mandarin, { language: 'cantonese', share: 0.4 });
  expect(traditional).toMatch(/[電濾網灑塵帶]/);
  expect(traditional).not.toMatch(/[电滤网尘带钟]/);
  const simplified = await summarizeText(TALKS.cantonese, { language: 'mandarin', share: 0.4 });
  expect(simplified).not.toMatch(/[網熱會塵帶鐘]/);
});

describe('hostile text', () => {
  const cases: Readonly<Record<string, string>> = {
    nothing: '',
    'white space': ' \n\t '.repeat(25_000),
    emoji: '😀🎉'.repeat(50_000),
    'control characters': '\u0000\u0007\u001b\u202e'.repeat(10_000),
    'marks alone': '?!.。，'.repeat(25_000),
    'one endless word': 'a'.repeat(250_000),
    'one endless line': 'some words without an end and so on '.repeat(7_000),
    'one endless line of Chinese': '好'.repeat(150_000),
    'identical lines': 'the same line again and again\n'.repeat(50_000),
    'brackets that never close': '[('.repeat(150_000),
    'marks of vowels': `e${'\u0301'.repeat(150_000)}`,
    'lone surrogates': 'The \ud800 price must be \udc00 paid before noon. It is high.'.repeat(500),
    'numbers alone': Array.from({ length: 30_000 }, (_, i) => i).join(' '),
  };
  it.each(Object.keys(cases))('%s gives a well-formed, bounded summary in bounded time', async (name) => {
    for (const language of ['cantonese', 'english'] as const) {
      const startedMs = cpuTimeMs();
      const summary = await summarizeText(cases[name]!, { language });
      expect(summary.isWellFormed()).toBe(true);
      expect(summary.length).toBeLessThanOrEqual(1_500);
      expect(cpuTimeMs() - startedMs).toBeLessThan(5_000);
    }
  });

  it.each(['nothing', 'white space', 'emoji', 'control characters', 'marks alone', 'one endless word'])(
    '%s has no summary',
    async (name) => {
      expect(await summarizeText(cases[name]!, { language: 'english' })).toBe('');
    },
  );

  it('many identical lines give one or two sentences', async () => {
    const summary = await summarizeText(cases['identical lines']!, { language: 'english' });
    expect(summary).toBe('The same line again and again.');
  });
});

it('the event loop stays responsive during three hours of captions', async () => {
  const words = TALKS.english
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(' ');
  const text = Array.from(
    { length: 30_000 },
    (_, i) => words[(i * i + 7 * i) % words.length]! + (i % 9 === 0 ? '\n' : ''),
  ).join(' ');
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const startedMs = cpuTimeMs();
  await summarizeText(text, { language: 'english' });
  const tookMs = cpuTimeMs() - startedMs;
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(Math.floor(tookMs / 200));
});
