import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

const UNCHANGED = `
5 * 3 = 15, and 2 * x is twice x
C# and F# are languages
snake_case_name, __x and a_b_c
- 5 度
-5 degrees
#1 hit, #hashtag
e.g. 3) is the third
AT&T, R&D; <3 you; a < b > c
It costs $5, or $5-$6, or US$5/HK$40.
M*A*S*H and a 4* hotel, a 5* hotel
f**k and s**t
10~20分、30~40分
2 ** 3 is 8
2024. 5. 3. 열린 행사
5. 3. 열린 행사
1.5 million people
他話：「好呀！」跟住走咗。
他說「重點」是時間（12:30 開始）
call main() and read list[0]
👩🏽‍🚀 👨‍👩‍👧 🇭🇰 ❤️
yes | no
[sic] he said
這是一場關於水的討論：三個人都同意。
Here is where it began: in 1845.
"A" is not "B"
x^2 + y_1 = 3
A: yes. B: no.
user@example.com
`;

describe('plain text is kept', () => {
  it.each(UNCHANGED.trim().split('\n'))('%s', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('keeps line breaks', () => {
    expect(plainText('第一句。\n第二句。')).toBe('第一句。\n第二句。');
  });
});

const MARKDOWN: Readonly<Record<string, readonly (readonly [markdown: string, plain: string])[]>> = {
  headings: [
    ['# 重點', '重點'],
    ['### Key points ###', 'Key points'],
    ['##重點', '重點'],
    ['Title\n=====\ntext', 'Title\ntext'],
    ['Title\n---\ntext', 'Title\ntext'],
  ],
  emphasis: [
    ['**bold** and *italic* and ***both***', 'bold and italic and both'],
    ['__bold__ and _italic_', 'bold and italic'],
    ['**「重點」**是呢樣，**第二：**係嗰樣', '「重點」是呢樣，第二：係嗰樣'],
    ['用iPhone**影相**', '用iPhone影相'],
    ['~~wrong~~ right, ==marked==', 'wrong right, marked'],
    ['**cut off', 'cut off'],
    ['**over two\nlines**', 'over two\nlines'],
    ['the end**', 'the end'],
    ['\\*not emphasis\\* but marks', 'not emphasis but marks'],
  ],
  code: [
    ['run `npm test` now', 'run npm test now'],
    ['``a ` b``', 'a ` b'],
    ['```json\n{"a": 1}\n```', '{"a": 1}'],
    ['~~~\ntext\n~~~', 'text'],
    ['    indented', 'indented'],
  ],
  links: [
    ['[the site](https://example.com/a_(b) "title")', 'the site'],
    ['see https://example.com/a?b=c#d.', 'see .'],
    ['詳情見 https://example.com/x。完', '詳情見。完'],
    ['<https://example.com> and www.example.com/x', 'and'],
    ['text (https://example.com) more', 'text more'],
    ['![chart](c.png) shows', 'chart shows'],
    ['[a][1]\n\n[1]: https://example.com', 'a'],
    ['mail <me@example.com>', 'mail me@example.com'],
    ['claim[^1] made\n\n[^1]: A note.', 'claim made\nA note.'],
    ['據報【12†source】係', '據報係'],
  ],
  lists: [
    ['- one\n- two', 'one\ntwo'],
    ['* 一\n* 二\n  * 三', '一\n二\n三'],
    ['+ one\n+ two', 'one\ntwo'],
    ['• 一\n●二\n▪ 三\n◦ 四\n‣ 五\n・六', '一\n二\n三\n四\n五\n六'],
    ['1. one\n2. two\n10. ten', 'one\ntwo\nten'],
    ['1. 100 % rye\n2. 2 cups of water', '100 % rye\n2 cups of water'],
    ['1) one\n(2) two\n（3）三\n④ 四\n5、五', 'one\ntwo\n三\n四\n五'],
    ['1.第一點\n2.第二點', '第一點\n第二點'],
    ['- [x] done\n- [ ] open', 'done\nopen'],
    ['- 5 apples\n- 6 pears', '5 apples\n6 pears'],
    ['1. **標題**：內容\n   - 細項', '標題：內容\n細項'],
  ],
  blocks: [
    ['> quoted\n>> twice', 'quoted\ntwice'],
    ['one\n\n---\n\ntwo\n***\nthree', 'one\ntwo\nthree'],
    ['| 名 | 價 |\n|---|:-:|\n| 茶 | 五蚊 |', '名，價\n茶，五蚊'],
    ['a | b\n--|--\n1 | 2', 'a, b\n1, 2'],
    ['one\n\n\n\ntwo  \nthree\\\nfour', 'one\ntwo\nthree\nfour'],
  ],
  HTML: [
    ['<p>one<br>two</p><b>three</b>', 'one\ntwo\nthree'],
    ['<script>alert(1)</script>text<!-- note -->', 'text'],
    ['&lt;b&gt;x&lt;/b&gt; &amp;amp; y&nbsp;z', 'x & y z'],
    ['<img src=x onerror=alert(1)>text', 'text'],
    ['<think>the user wants…</think>答案', '答案'],
  ],
  formulas: [
    ['$E = mc^2$', 'E = mc^2'],
    ['$$\\frac{1}{2} \\times 3$$', '1/2 × 3'],
    ['\\(a \\leq b\\)', 'a ≤ b'],
  ],
  'invisible characters': [
    ['a\u200bb\u202ec\u0000d\ufeff\u00ade', 'abcde'],
    ['好\u{e0041}\u{e0042}呀', '好呀'],
    ['lone \ud800 surrogate', 'lone surrogate'],
    ['a\r\nb\u2028c\td', 'a\nb\nc d'],
  ],
  'text around a summary': [
    ['Sure, here is a summary of the video in English:\n\nBread.', 'Bread.'],
    ["Here's the rewritten summary:\nBread.", 'Bread.'],
    ['**Summary:** Bread.', 'Bread.'],
    ['## Summary\n\nBread.', 'Bread.'],
    ['Summary of the video: Bread.', 'Bread.'],
    ['好的，以下是影片的摘要：\n\n講麵包。', '講麵包。'],
    ['摘要：講麵包。', '講麵包。'],
    ['**影片總結**\n講麵包。', '講麵包。'],
    ['以下係呢條影片嘅重點：講麵包。', '講麵包。'],
    ['以下は動画の要約です。\nパンの話です。', 'パンの話です。'],
    ['要約：パンの話です。', 'パンの話です。'],
    ['다음은 영상 요약입니다.\n빵 이야기입니다.', '빵 이야기입니다.'],
    ['요약: 빵 이야기입니다.', '빵 이야기입니다.'],
    ['"Bread is baked."', 'Bread is baked.'],
    ['「講麵包。」', '講麵包。'],
    ['“Summary: ‘Bread.’”', 'Bread.'],
    ['摘要：', ''],
  ],
};

describe.each(Object.entries(MARKDOWN))('%s', (_name, cases) => {
  it.each(cases)('%j becomes %j', (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  });
});

/** Markup that must not remain anywhere. */
const REMAINING_MARKUP =
  /^(?:#{1,6} |> |[*+•] |\d{1,2}\) |```|~~~)|\*\*[^\s*][^\n*]*[^\s*]\*\*|~~\S[^\n~]*\S~~|<\/?[a-z]+>|\]\(|https?:\/\/|\p{Cf}/mu;
const WORDS = ['重點', 'coffee', '係咁', '10', '好。', 'the', '水，', 'カメラ', '한국'];
const MARKS =
  '** * __ _ ` ``` ~~ - 1. 2) > | |-|-| [ ]( ) ![ <b> </b> < > &lt; &amp; \\ $ --- === https://a.b/c www.x.y + [x] [^1] == <!-- --> " “ ” Summary: • ① # ##'.split(
    ' ',
  );
const marked = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...MARKS, ' ', '\n', '\n\n', '    ', '- ', '# ', '> ')), {
    maxLength: 40,
  })
  .map((pieces) => pieces.join(''));

describe('any text', () => {
  it('is unchanged by a second pass', () => {
    fc.assert(
      fc.property(fc.oneof(marked, fc.string({ unit: 'binary', maxLength: 200 })), (text) => {
        const plain = plainText(text);
        expect(plainText(plain)).toBe(plain);
        expect(plain.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('of marked-up words keeps the words and no marks', () => {
    const word = fc.constantFrom('重點', 'coffee beans', '水溫', '한국 커피', 'カメラ');
    const wraps = [
      '# @',
      '## @ ##',
      '**@**',
      '*@*',
      '***@***',
      '_@_',
      '~~@~~',
      '`@`',
      '[@](https://a.b/c)',
      '- @',
      '1. @',
    ]
      .concat([
        '> @',
        '<b>@</b>',
        '• @',
        '```\n@\n```',
        '| @ |\n|---|',
        '**[@](x)**',
        '- **@**',
        '> 1. `@`',
        '① @',
        '&lt;i&gt;@',
      ])
      .map((wrap) => (text: string) => wrap.replace('@', text));
    const line = fc.tuple(word, fc.constantFrom(...wraps)).map(([text, wrap]) => ({ text, markdown: wrap(text) }));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const plain = plainText(lines.map(({ markdown }) => markdown).join('\n\n'));
        expect(plain).toBe(lines.map(({ text }) => text).join('\n'));
        expect(plain).not.toMatch(REMAINING_MARKUP);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '[',
    '*',
    '**a ',
    '<a ',
    '`a',
    '> ',
    '_a ',
    '[a](',
    '"Summary: ',
    '$a_',
    '|\n',
    '&amp;',
    '<!--',
    '~~a',
    '\\[a',
  ])('of repeated %j is processed quickly', (mark) => {
    const plain = plainText(mark.repeat(50_000));
    expect(plainText(plain)).toBe(plain);
  });
});
