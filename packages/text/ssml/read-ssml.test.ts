import { expect, test } from 'vitest';
import type { Language } from '@jyutsing/contracts/transcript';
import { spokenSsml, wordsOfSsml } from '#text/testing/spoken-ssml.ts';
import { isSsml, readSsml, type SsmlDocument } from './read-ssml.ts';
import { toStretches } from './stretches.ts';

const stretchesOf = async (contents: string, language: Language = 'cantonese') =>
  toStretches((await readSsml(`<speak>${contents}</speak>`)).items, language).map((stretch) => ({
    ...stretch,
    text: stretch.segments.map(({ text }) => text).join(''),
  }));
const ignoredIn = async (contents: string) => (await readSsml(`<speak>${contents}</speak>`)).ignored;
const charactersOf = async (contents: string) => (await readSsml(`<speak>${contents}</speak>`)).characters;

const shapeOf = async (contents: string) =>
  (await stretchesOf(contents))
    .filter(({ text, pauseMs }) => text !== '' || pauseMs > 0)
    .map(({ text, pauseMs, continues, endsParagraph }) => [text, pauseMs, continues, endsParagraph]);
const languagesOf = async (contents: string) => (await stretchesOf(contents)).map(({ language }) => language);
const rootLanguage = async (language: string) => (await readSsml(`<speak xml:lang="${language}">早</speak>`)).language;
const spokenIpa = (ph: string, language: Language) =>
  spokenSsml(`<phoneme alphabet="ipa" ph="${ph}">x</phoneme>`, language);

test('a text is SSML when its first element is speak', () => {
  const documents = [
    '<speak>好</speak>',
    '<speak',
    '<speak>好',
    '<speak/>',
    '\uFEFF <?xml version="1.0"?>\n<!-- <p> --><?php x ?>\n<speak version="1.1">好</speak>',
    '<!DOCTYPE speak PUBLIC "-//W3C//DTD SYNTHESIS 1.0//EN" "http://www.w3.org/TR/speech-synthesis/synthesis.dtd"><speak/>',
    '<!DOCTYPE speak [<!ENTITY a "b">]><speak/>',
    '<ssml:speak xmlns:ssml="http://www.w3.org/2001/10/synthesis">好</ssml:speak>',
    '<SPEAK>好</SPEAK>',
  ];
  const plain = ['好<speak/>', '<speaker>好</speaker>', '<p>好</p>', '<!-- <speak> -->', '<!-- <speak', ''];
  expect([documents.filter((text) => !isSsml(text)), plain.filter((text) => isSsml(text))]).toEqual([[], []]);
  for (const hostile of ['<!---->', '<?a?>', '<!DOCTYPE [', '<!--']) expect(isSsml(hostile.repeat(30_000))).toBe(false);
});

test('elements say what is spoken', async () => {
  const rows: [contents: string, spoken: string, language?: Language][] = [
    ['<p><s>早晨</s><s>再見</s></p>', '早晨 再 見'],
    ['<sub alias="世界衛生組織">WHO</sub>', '世界 衛生 組織'],
    ['<phoneme alphabet="jyutping" ph="hong4">行</phoneme>', '行[hong4]'],
    ['<phoneme alphabet="x-amazon-jyutping" ph="ou1-pou2">OPPO</phoneme>', 'OPPO[ou1 pou2]'],
    ['<phoneme alphabet="sapi" ph="nei 5 hou 2">你好</phoneme>', '你好[nei5 hou2]'],
    ['<phoneme alphabet="jyutping" ph="nei5hou2"/>', 'nei5hou2[nei5 hou2]'],
    ['<phoneme alphabet="pinyin" ph="zhòngqìng">重慶</phoneme>', '重慶[zhong4 qing4]'],
    ['<phoneme alphabet="ipa" ph="ŋɔː˩˧">我</phoneme>', '我[ngo5]'],
    ['<phoneme alphabet="x-cmu" ph="T AH0 M AA1 T OW0">tomato</phoneme>', 'tomato[T AH0 M AA1 T OW0]'],
    ['<phoneme ph="təˈmeɪtəʊ">tomato</phoneme>', 'tomato[T AH0 M EY1 T OW0]', 'english'],
    ['<emphasis level="strong">早</emphasis><prosody rate="slow">晨</prosody>', '早 晨'],
    ['<audio src="bell.wav">叮<desc>a bell</desc></audio>', '叮'],
    ['<metadata><x>no</x></metadata><meta name="a" content="b"/><lexicon uri="a.pls"/>早晨', '早晨'],
    ['<token>早晨</token>，<w>再見</w>', '早晨 再 見'],
    ['<lookup ref="a"><mstts:express-as style="sad">早晨</mstts:express-as></lookup><bookmark mark="x"/>', '早晨'],
    ['食<phoneme alphabet="ipa" ph="təˈmeɪtoʊ">tomato</phoneme>', '食 tomato[T AH0 M EY1 T OW0]'],
    ['早晨<think>no</think>', '早晨'],
    ['M&amp;M &#26089;&#x6668;', 'M and M 早晨'],
    ['<![CDATA[早晨]]><!-- no --><?no?>', '早晨'],
    ['<ssml:sub xmlns:ssml="x" alias="no">早晨</ssml:sub>', '早晨'],
    ['我有<say-as interpret-as="cardinal">2</say-as>個', '我有 兩 個'],
    ['<say-as interpret-as="characters"><emphasis>A</emphasis>B</say-as>', 'A B'],
    ['銀<prosody pitch="high">行</prosody>', '銀 行'],
    ['<lang xml:lang="en">I am 12</lang>', 'I am twelve'],
  ];
  const wrong: string[] = [];
  for (const [contents, expected, language = 'cantonese'] of rows) {
    const spoken = await spokenSsml(contents, language);
    if (spoken !== expected) wrong.push(`${contents}: ${spoken} instead of ${expected}`);
  }
  expect(wrong).toEqual([]);
});

test('prefixed names are those of SSML where the root has the prefix', async () => {
  const document =
    '<s:speak xmlns:s="http://www.w3.org/2001/10/synthesis"><s:sub alias="早">x</s:sub><s:break/>晨</s:speak>';
  expect((await wordsOfSsml(document, 'cantonese')).map(({ spokenForm }) => spokenForm)).toEqual(['早', '晨']);
});

test('characters are those that are spoken, without the spaces of the source', async () => {
  const rows: [string, number][] = [
    ['早晨', 2],
    ['\n  <p>\n    <s>早晨</s>\n    <s>再見</s>\n  </p>\n', 4],
    ['我哋\n    飲茶', 4],
    ['Hello <emphasis>big</emphasis>\n world', 15],
    ['早 <break/> 晨', 2],
    ['<sub alias="世界衛生組織">WHO</sub>', 6],
    ['<phoneme alphabet="jyutping" ph="nei5 hou2"/>', 2],
    ['<phoneme alphabet="jyutping" ph="hong4">行</phoneme>', 1],
    [`<phoneme alphabet="jyutping" ph="${'nei5 hou2 '.repeat(40)}">你好</phoneme>`, 80],
    ['<phoneme alphabet="jyutping" ph="nei5hou2aa3"/>', 3],
    ['<phoneme alphabet="jyutping" ph="hong4 hong4">MTR</phoneme>', 3],
    ['<phoneme alphabet="pinyin" ph="ni3hao3ma5">你</phoneme>', 3],
    ['<phoneme alphabet="ipa" ph="pɪˈkɑːn">pecan</phoneme>', 5],
    ['<phoneme alphabet="x-sampa" ph="b{n@n@">X</phoneme>', 6],
    ['<phoneme alphabet="arpabet" ph="D AH1 B AH0 L Y UW0">W</phoneme>', 7],
    ['𨋢', 1],
    ['<metadata>12345</metadata>', 0],
  ];
  const wrong: [string, number][] = [];
  for (const [contents, expected] of rows) {
    const characters = await charactersOf(contents);
    if (characters !== expected) wrong.push([contents, characters]);
  }
  expect(wrong).toEqual([]);
});

test('pauses, paragraphs, voices and languages divide a text', async () => {
  expect(await shapeOf('早<break/>晨')).toEqual([
    ['早', 500, true, false],
    ['晨', 0, false, false],
  ]);
  expect(await shapeOf('<break time="1s"/>早<break strength="strong"/><break time="250ms"/>')).toEqual([
    ['', 1_000, false, false],
    ['早', 1_000, false, false],
  ]);
  expect(await shapeOf('<p>早</p><p>晨<break strength="none"/></p>')).toEqual([
    ['早', 0, false, true],
    ['晨', 0, false, true],
  ]);
  expect(await shapeOf('<s>早</s><break time="2s"/><s>晨</s>')).toEqual([
    ['早', 2_000, false, false],
    ['晨', 0, false, false],
  ]);
  expect(await shapeOf('我講<lang xml:lang="en">hello</lang>，再見')).toEqual([
    ['我講', 0, true, false],
    ['hello，', 0, true, false],
    ['再見', 0, false, false],
  ]);
  expect(await shapeOf('<voice name="a">早</voice><voice name="a">晨</voice>')).toEqual([['早晨', 0, false, false]]);
  expect(await shapeOf('<s>早</s><s>晨</s>再見')).toEqual([['早\n晨\n再見', 0, false, false]]);
});

test('rates and volumes beyond what can be spoken are named with what is spoken', async () => {
  for (const rate of ['0', '-5', '1000', '400%', '+250%', '0.2', '10']) {
    expect(await ignoredIn(`<prosody rate="${rate}">早</prosody>`)).toEqual([
      `prosody rate=${rate} as ${/^(?:[-0]|10$)/.test(rate) ? 0.5 : 3}`,
    ]);
  }
  for (const rate of ['0.5', '3', '90', '540', '50%', '+200%', '-50%', 'x-slow', 'x-fast']) {
    expect(await ignoredIn(`<prosody rate="${rate}">早</prosody>`)).toEqual([]);
  }
  const nested = '<prosody rate="2">早<prosody rate="fast">晨</prosody></prosody>';
  expect(await ignoredIn(nested)).toEqual(['prosody rate=fast as 3']);
  expect(await ignoredIn('<prosody rate="4"><emphasis>早</emphasis></prosody>')).toEqual(['prosody rate=4 as 3']);
  expect(await ignoredIn('<prosody volume="+40dB">早</prosody>')).toEqual(['prosody volume=+40dB as +12dB']);
  expect(await ignoredIn('<prosody volume="+12dB">早</prosody>')).toEqual([]);
});

test('Latin words in Chinese may have the sounds of English in X-SAMPA', async () => {
  const document = await readSsml(
    '<speak><s xml:lang="zh-HK">我食<phoneme alphabet="x-sampa" ph="pI&quot;kA:n">pecan</phoneme></s></speak>',
  );
  expect(document.items.flatMap((item) => (item.kind === 'text' ? [item.scope.language] : []))).toEqual([
    'cantonese',
    'english',
  ]);
});

test('languages come from elements, and from the names of voices of other services', async () => {
  expect(await languagesOf('<lang xml:lang="cmn-CN">早</lang>')).toEqual(['mandarin']);
  expect(await languagesOf('<s xml:lang="en-US">hi</s>')).toEqual(['english']);
  expect(await languagesOf('<voice name="zh-CN-XiaoxiaoNeural">早</voice>')).toEqual(['mandarin']);
  expect(await languagesOf('<voice name="zh-CN-XiaoxiaoNeural" xml:lang="yue">早</voice>')).toEqual(['cantonese']);
  expect(await languagesOf('<lang xml:lang="zh">早</lang>')).toEqual(['cantonese']);
  expect(await languagesOf('<phoneme alphabet="pinyin" ph="ni3">你</phoneme>')).toEqual(['mandarin']);
  expect([await rootLanguage('zh-HK'), await rootLanguage('en'), await rootLanguage('ja')]).toEqual([
    'cantonese',
    'english',
    null,
  ]);
});

test('what has no effect is listed', async () => {
  const { ignored } = await readSsml(
    '<speak xml:lang="ja"><mstts:viseme type="a"/><audio src="x"/><say-as interpret-as="bleep">x</say-as>' +
      '<prosody duration="2s" rate="1">早</prosody><lang xml:lang="fr">晨</lang><mstts:viseme/></speak>',
  );
  expect(ignored).toEqual(['xml:lang=ja', 'mstts:viseme', 'audio', 'say-as=bleep', 'prosody duration', 'xml:lang=fr']);
});

test('faults are refused with their line and column', async () => {
  const rows: [string, RegExp][] = [
    ['<speak>好', /^Line 1, column 9 of the SSML: unclosed tag: speak\.$/],
    ['<speak>\n<p>好</speak>', /^Line 2, column \d+ of the SSML: unexpected close tag\.$/],
    ['<speak', /^Line 1, column 7 .*: document must contain a root element\.$/],
    ['<speak>&nbsp;</speak>', /undefined entity/],
    ['<!DOCTYPE speak [<!ENTITY a "bbb">]><speak>&a;</speak>', /undefined entity/],
    ['<speak>\n好<![CDATA[ & ]]>a & b</speak>', /^Line 2, column 19 of the SSML: an "&" alone; write "&amp;"\.$/],
    ['<speak>a&nbsp;b & c</speak>', /^Line 1, column \d+ .* undefined entity; those of XML are &amp;/],
    ['<speak a=b/>', /unquoted attribute value/],
    ['<speak a="1" a="2"/>', /duplicate attribute: a/],
    ['<speak/>好', /text data outside of root node/],
    ['<speak/><speak/>', /documents may contain only one root/],
    ['<speak>\u0001</speak>', /disallowed character/],
    [`<speak>${'<p>'.repeat(64)}`, /elements may be 64 deep/],
    [
      '<speak>\n  <break time="abc"/></speak>',
      /^Line 2, column 10 .*"time" of "break" is "abc", but must be a time such as 500ms/,
    ],
    ['<speak><break strength="huge"/></speak>', /"strength" of "break" is "huge", but must be none, x-weak/],
    ['<speak><prosody rate="quick">a</prosody></speak>', /"rate" of "prosody" is "quick"/],
    ['<speak><prosody pitch="+2dB">a</prosody></speak>', /"pitch" of "prosody"/],
    ['<speak><prosody volume="+2st">a</prosody></speak>', /"volume" of "prosody"/],
    ['<speak><emphasis level="more">a</emphasis></speak>', /must be strong, moderate, reduced or none/],
    ['<speak><sub>a</sub></speak>', /"sub" needs the attribute "alias"/],
    ['<speak><say-as>a</say-as></speak>', /"say-as" needs the attribute "interpret-as"/],
    ['<speak><phoneme>a</phoneme></speak>', /"phoneme" needs the attribute "ph"/],
    ['<speak><mark/></speak>', /"mark" needs the attribute "name"/],
    ['<speak><lang>a</lang></speak>', /"lang" needs the attribute "xml:lang"/],
    ['<speak><phoneme alphabet="x-ups" ph="a">a</phoneme></speak>', /must be jyutping, pinyin, arpabet, ipa or/],
    ['<speak><phoneme alphabet="jyutping" ph="nei5 hallo2">a</phoneme></speak>', /"hallo2" is no syllable of jyutping/],
    [
      '<speak><phoneme alphabet="jyutping" ph="nei">a</phoneme></speak>',
      /"nei" is no syllable of jyutping with its tone/,
    ],
    ['<speak><phoneme alphabet="pinyin" ph="xx5">a</phoneme></speak>', /"xx5" is no pinyin/],
    ['<speak><phoneme alphabet="x-arpabet" ph="HH QQ">a</phoneme></speak>', /"QQ" is no sound of ARPAbet/],
    [`<speak><phoneme alphabet="jyutping" ph="nei5">${'a'.repeat(101)}</phoneme></speak>`, /at most 100 characters/],
    [
      `<speak><phoneme alphabet="jyutping" ph="${'nei5'.repeat(101)}">你</phoneme></speak>`,
      /Line 1, column 17 .*"ph" may have at most 100 syllables or sounds/,
    ],
    [
      '<speak><s xml:lang="zh-HK"><phoneme alphabet="x-sampa" ph="nei">你</phoneme></s></speak>',
      /read for English; put it in <lang xml:lang="en">, or write jyutping/,
    ],
  ];
  const wrong: string[] = [];
  for (const [text, pattern] of rows) {
    const outcome = await readSsml(text).then(
      (document: SsmlDocument) => JSON.stringify(document),
      (error: Error) => error.message,
    );
    if (!pattern.test(outcome)) wrong.push(`${text}: ${outcome}`);
  }
  expect(wrong).toEqual([]);
  await expect(readSsml(`<speak>${'a'.repeat(200_000)}</speak>`)).rejects.toThrow('at most 200000 characters');
});

test('sounds that a language does not have are refused with the sign', async () => {
  await expect(spokenIpa('nei̯˩˧ ʁa˥', 'cantonese')).rejects.toThrow(
    /^Line 1, column \d+ .*"ʁ" is no sound of Cantonese/,
  );
  await expect(spokenIpa('bat˥', 'cantonese')).rejects.toThrow('"b" is no sound of Cantonese');
  await expect(spokenIpa('nei̯', 'cantonese')).rejects.toThrow('has no tone');
  await expect(spokenIpa('nei̯˥˩˥', 'cantonese')).rejects.toThrow('is no tone of Cantonese');
  await expect(spokenIpa('həˈlyː', 'english')).rejects.toThrow('"y" is no sound of English');
  await expect(spokenIpa('ni˧', 'mandarin')).rejects.toThrow('write pinyin');
});
