/** Makes a document of SSML, about half of the time with damage that makes it malformed. */
export function randomSsml(random: () => number): string {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const element = (depth: number): string => {
    const [name, attributes] = pick(ELEMENTS);
    const kept = attributes.filter(() => random() < 0.7).map(([key, values]) => ` ${key}="${pick(values)}"`);
    const count = depth > 4 ? 0 : Math.floor(random() * 4);
    const contents = Array.from({ length: count }, () => (random() < 0.5 ? pick(TEXTS) : element(depth + 1)));
    return contents.length === 0 && random() < 0.5
      ? `<${name}${kept.join('')}/>`
      : `<${name}${kept.join('')}>${contents.join('')}</${name}>`;
  };
  const body = Array.from({ length: 1 + Math.floor(random() * 4) }, () => (random() < 0.4 ? pick(TEXTS) : element(0)));
  const document = `${pick(PROLOGS)}<speak${pick(ROOTS)}>${body.join('')}</speak>`;
  return random() < 0.5 ? document : damaged(document, random);
}

/** Deletes, doubles or inserts a few characters or pieces. */
function damaged(document: string, random: () => number): string {
  const at = (length: number) => Math.floor(random() * length);
  let text = document;
  for (let change = 0; change <= at(3); change += 1) {
    const place = '<speak'.length + at(text.length);
    const piece = text.slice(place, place + at(12));
    const kind = at(4);
    if (kind === 0) text = text.slice(0, place) + text.slice(place + piece.length);
    else if (kind === 1) text = text.slice(0, place) + piece + text.slice(place);
    else if (kind === 2) text = text.slice(0, place) + SIGNS[at(SIGNS.length)]! + text.slice(place);
    else if (random() < 0.2) text = text.slice(0, place);
  }
  return text;
}

const PROLOGS = [
  '',
  '',
  '<?xml version="1.0"?>',
  '<!-- 好 -->\n',
  '<!DOCTYPE speak>',
  '<!DOCTYPE speak [<!ENTITY a "b">]>',
];
const ROOTS = ['', ' version="1.1"', ' xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="zh-HK"', " xml:lang='en'"];
const TEXTS = [
  '早晨',
  '12',
  ' \n ',
  '你好，',
  'Hello',
  '$3.5',
  '&amp;',
  '&#22909;',
  '<![CDATA[<好>]]>',
  '<!-- x -->',
  '。',
  '😀',
];
const SIGNS = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '/',
  ';',
  '&nbsp;',
  '&a;',
  '\u0000',
  '\ud800',
  ']]>',
  '<!--',
  '<speak>',
  '=',
  '<?',
];
const NUMBERS = ['0', '-1', '1e9', '50%', '+20%', '+2st', '200Hz', '-6dB', 'slow', 'high', 'soft', '', 'x', '９'];

/** Elements with values of their attributes, some of them wrong. */
const ELEMENTS: readonly (readonly [string, readonly (readonly [string, readonly string[]])[]])[] = [
  ['p', []],
  ['s', [['xml:lang', ['yue', 'en', 'ja', '']]]],
  [
    'break',
    [
      ['time', ['1s', '300ms', '0s', '1h', '']],
      ['strength', ['weak', 'none', 'x']],
    ],
  ],
  ['sub', [['alias', ['世界', '', '1']]]],
  [
    'phoneme',
    [
      ['alphabet', ['jyutping', 'pinyin', 'ipa', 'x-cmu', 'ups']],
      ['ph', ['nei5', 'ni3', 'nei̯˩˧', 'K AE T', '']],
    ],
  ],
  [
    'say-as',
    [
      ['interpret-as', ['date', 'digits', 'characters', 'time', 'currency', 'x']],
      ['format', ['dmy', 'mdy', 'q']],
    ],
  ],
  [
    'prosody',
    [
      ['rate', NUMBERS],
      ['pitch', NUMBERS],
      ['volume', NUMBERS],
      ['contour', ['(0%,+20Hz)']],
    ],
  ],
  ['emphasis', [['level', ['strong', 'none', 'loud']]]],
  ['lang', [['xml:lang', ['zh-CN', 'en-US', 'zh', 'fr']]]],
  [
    'voice',
    [
      ['name', ['kelvin', 'zh-HK-HiuMaanNeural', '']],
      ['gender', ['female', 'x']],
    ],
  ],
  ['mark', [['name', ['a', '']]]],
  ['audio', [['src', ['a.wav']]]],
  ['metadata', []],
  ['mstts:express-as', [['style', ['sad']]]],
  ['think', []],
  ['speak', []],
];
