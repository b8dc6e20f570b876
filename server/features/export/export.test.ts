import { describe, expect, it } from 'vitest';
import { strFromU8, unzipSync } from 'fflate';
import Sqlite from 'better-sqlite3';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { leastTurnMs } from '#test/http/longest-turn.ts';
import { widthOf } from '#server/features/transcription/cue-atoms.ts';
import { writeAnkiPackage } from './anki-collection.ts';
import { breakLines } from './break-lines.ts';
import { writeDocx } from './docx.ts';
import type { ExportedSegment, ExportedTranscript } from './exported-transcript.ts';
import { writeMarkdown } from './markdown.ts';
import { formatSrt, shares, subtitleCues, type SubtitleOptions } from './subtitles.ts';

function segment(text: string, startMs: number, change: Partial<ExportedSegment> = {}): ExportedSegment {
  return {
    text,
    startMs,
    endMs: startMs + 200 * text.length,
    words: [],
    speaker: null,
    confidence: null,
    translation: null,
    ...change,
  };
}
const LONGEST_TURN_MS = 200;

const GUIDE: SubtitleOptions = {
  maxLineLength: 16,
  maxLines: 2,
  maxMs: 7_000,
  minMs: 833,
  readingSpeed: 9,
  speakers: true,
};
const LONG =
  '今日我哋會討論三件事，第一件係下個月嘅預算，第二件係點樣請多兩個同事，第三件係OK唔OK轉用new software嚟處理客戶資料，如果大家有咩意見可以隨時講出嚟';

const linesIn = (lines: readonly string[], isChinese: boolean) =>
  lines.filter((line) => /\p{Script=Han}/u.test(line) === isChinese);
const withoutSpaces = (texts: readonly string[]) => texts.join('').replaceAll(' ', '');

describe('lines', () => {
  it('are no wider than allowed, lose nothing, and begin with no closing mark', () => {
    const texts = [
      LONG,
      '我'.repeat(100),
      `「你好」，${'佢話：「早晨！」'.repeat(8)}`,
      'This is a sentence of English words, and more.',
      '𠮷野家'.repeat(20),
    ];
    for (const width of [4, 7, 16, 20]) {
      for (const text of texts) {
        const lines = breakLines(text, width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        const tooWide = lines.filter((line) => widthOf(line) > width && /\s|\p{Script=Han}/u.test(line));
        expect([width, tooWide]).toEqual([width, []]);
        expect(lines.filter((line) => width >= 7 && /^[，。！？：」]/u.test(line))).toEqual([]);
      }
    }
  });

  it('break no price, time or address', () => {
    expect(breakLines('價錢係HK$1,234.50左右咁啦', 8)).toEqual(['價錢係', 'HK$1,234.50', '左右咁啦']);
    expect(breakLines('寄去user@example.com啦', 8)).toEqual(['寄去', 'user@example.com', '啦']);
  });

  it('have similar widths and end between words', () => {
    expect(breakLines('我哋聽日一齊去飲茶先至返屋企', 10)).toEqual(['我哋聽日一齊去', '飲茶先至返屋企']);
  });
});

describe('subtitles', () => {
  it('keep to the guide, and have all of the text in order', async () => {
    const segments = [segment(LONG, 0), segment('好', 20_000), segment('我同意呀', 20_300)];
    const cues = await subtitleCues(segments, GUIDE);
    expect(withoutSpaces(cues.flatMap(({ lines }) => lines))).toBe(withoutSpaces(segments.map(({ text }) => text)));
    for (const { lines } of cues) {
      expect(lines.length).toBeLessThanOrEqual(2);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(16);
    }
    for (const [index, cue] of cues.entries()) {
      const next = cues[index + 1];
      expect(next === undefined || cue.endMs <= next.startMs).toBe(true);
      const freeMs = (next?.startMs ?? Infinity) - cue.startMs;
      expect(cue.endMs - cue.startMs).toBeGreaterThanOrEqual(Math.min(833, freeMs));
    }
    // Nothing follows the last one, so it stays as long as four characters take to read.
    const last = cues.at(-1)!;
    expect(last.endMs - last.startMs).toBeGreaterThanOrEqual(833);
  });

  it('name speakers within the width of a line', async () => {
    const cues = await subtitleCues([segment('我同意你講嘅嘢，不過想補充少少', 0, { speaker: '陳大文經理' })], GUIDE);
    expect(cues[0]?.lines[0]).toMatch(/^陳大文經理: /);
    expect(cues.every(({ lines }) => lines.length <= 2 && lines.every((line) => widthOf(line) <= 16))).toBe(true);
  });

  it('show both languages in every part of a segment', async () => {
    const translation =
      'Today we will discuss three things: first the budget of next month, second how to hire two more colleagues, third whether to move to new software for client data, and please speak up.';
    const cues = await subtitleCues(
      [segment(LONG, 0, { translation }), segment('好', 20_000, { translation: 'OK.' })],
      GUIDE,
    );
    const text = cues.flatMap(({ lines }) => lines);
    expect(
      text
        .filter((line) => /\p{Script=Han}/u.test(line))
        .join('')
        .replaceAll(' ', ''),
    ).toBe(`${LONG}好`.replaceAll(' ', ''));
    expect(text.filter((line) => !/\p{Script=Han}/u.test(line)).join(' ')).toBe(`${translation} OK.`);
    expect(cues.every(({ lines }) => lines.length >= 2)).toBe(true);
    expect(formatSrt(cues)).toMatch(/^1\n00:00:00,000 --> 00:00:0\d,\d{3}\n/);
  });

  it('have no more lines of a language than allowed, whatever the lengths of its words', async () => {
    const translation = 'collaboration interesting extraordinarily something we next we month';
    const both = segment('事預', 0, { translation });
    for (const maxLines of [1, 2]) {
      const cues = await subtitleCues([both], { ...GUIDE, maxLines });
      const shown = cues.map(({ lines }) => lines);
      const counts = shown.flatMap((lines) => [true, false].map((isChinese) => linesIn(lines, isChinese).length));
      expect(Math.max(...counts)).toBe(maxLines);
      expect(linesIn(shown.flat(), false).join(' ')).toBe(translation);
    }
  });

  it('divide a text in proportion, without losing a word', () => {
    expect(shares('one two three four', [1, 1])).toEqual(['one two', 'three four']);
    expect(shares('好', [1, 1, 1]).join('')).toBe('好');
    expect(shares('', [1, 2])).toEqual(['', '']);
  });
});

const TRANSCRIPT: ExportedTranscript = {
  title: '例會 <1> & "x"',
  note: null,
  language: 'cantonese',
  durationMs: 10_000,
  createdAtMs: Date.UTC(2026, 10, 28),
  showsSpeakers: true,
  segments: [
    segment('早晨，<b>大家</b>\u0001', 0, { speaker: '阿明', translation: 'Good morning, everyone' }),
    segment('*開會*喇', 2_600, { speaker: '阿明', translation: 'Let us begin' }),
    segment('好', 65_000, { speaker: '陳生', translation: 'OK' }),
  ],
};

/** A transcript whose segments an edit gave the same time. */
const many = (text: string, count: number, translation: string | null = null) => ({
  ...TRANSCRIPT,
  segments: Array.from({ length: count }, () => segment(text, 0, { endMs: 0, translation })),
});

describe('documents', () => {
  it('of any length and times let other requests go on', async () => {
    const short = '我哋今日去邊度食飯好呢';
    const marks = '！'.repeat(10_000);
    const made: [string, () => Promise<unknown>][] = [
      ['md', () => writeMarkdown(many(short, 20_000), { times: true, jyutping: false })],
      ['md with jyutping', () => writeMarkdown(many(short, 2_000), { times: true, jyutping: true })],
      ['docx', () => writeDocx(many(short, 20_000), { times: true, jyutping: false })],
      ['docx with jyutping', () => writeDocx(many(short, 5_000), { times: true, jyutping: true })],
      ['bilingual subtitles', () => subtitleCues(many(marks, 3, marks).segments, GUIDE)],
      ['bilingual subtitles of a short text', () => subtitleCues(many('好', 3, marks).segments, GUIDE)],
      ['subtitles', () => subtitleCues(many(LONG, 300).segments, GUIDE)],
    ];
    const blocking: unknown[] = [];
    for (const [name, make] of made) {
      const turnMs = await leastTurnMs(async () => void (await make()), LONGEST_TURN_MS);
      if (turnMs > LONGEST_TURN_MS) blocking.push([name, Math.round(turnMs)]);
    }
    expect(blocking).toEqual([]);
  });

  it('Markdown has a paragraph for each turn, and no mark of the text becomes markup', async () => {
    expect(await writeMarkdown(TRANSCRIPT, { times: true, jyutping: false })).toBe(
      `# 例會 \\<1\\> \\& "x"

\`0:00\` **阿明** 早晨，\\<b\\>大家\\</b\\>\u0001 \\*開會\\*喇

> Good morning, everyone Let us begin

\`1:05\` **陳生** 好

> OK
`
        .replaceAll('\\<', '&lt;')
        .replaceAll('\\&', '&amp;'),
    );
    const plain = { ...TRANSCRIPT, title: null, segments: [segment('1. 香港', 0), segment('# 好', 60_000)] };
    expect(await writeMarkdown(plain, { times: false, jyutping: false })).toBe('1\\. 香港\n\n\\# 好\n');
    const quoted = { ...plain, note: '- a', segments: [segment('好', 0, { translation: '1. OK' })] };
    expect(await writeMarkdown(quoted, { times: true, jyutping: false })).toBe('> \\- a\n\n`0:00` 好\n\n> 1\\. OK\n');
    expect(await writeMarkdown(plain, { times: false, jyutping: true })).toContain('<ruby>香<rt>hoeng1</rt></ruby>');
  });

  it('a Word document is well-formed XML with all of the text, times, speakers, translations and jyutping', async () => {
    const files = unzipSync(await writeDocx(TRANSCRIPT, { times: true, jyutping: true }));
    for (const [name, bytes] of Object.entries(files))
      expect([name, XMLValidator.validate(strFromU8(bytes))]).toEqual([name, true]);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['[Content_Types].xml', '_rels/.rels', 'word/document.xml']),
    );
    const xml = strFromU8(files['word/document.xml']!);
    const bare = xml.replaceAll(/<w:rt>.*?<\/w:rt>/g, '').replaceAll(/<[^>]+>/g, '');
    for (const text of [
      '例會',
      '早晨，&lt;b&gt;大家',
      '*開會*喇',
      '阿明',
      '陳生',
      '0:00',
      '1:05',
      'Good morning, everyone Let us begin',
    ]) {
      expect(bare).toContain(text);
    }
    expect([...xml.matchAll(/<w:rt>.*?<w:t[^>]*>(.*?)<\/w:t>/g)].map((match) => match[1])).toEqual(
      expect.arrayContaining(['zou2', 'san4', 'hoi1', 'wui2', 'hou2']),
    );
    expect(new XMLParser().parse(xml)).toHaveProperty('w:document');
  });
});

it('an Anki package has the collection, a sound for each card that has one, and fields that are no markup', () => {
  const sound = new Uint8Array([1, 2, 3]);
  const deck = {
    name: '例會',
    createdAtMs: Date.UTC(2026, 10, 28),
    cards: [
      {
        key: 'a',
        text: '早晨{{c1}}',
        pieces: [
          { text: '早', jyutping: 'zou2' },
          { text: '晨', jyutping: 'san4' },
        ],
        translation: 'Good <morning>',
        sound,
      },
      { key: 'b', text: '好', pieces: [{ text: '好', jyutping: 'hou2' }], translation: null, sound: null },
    ],
  };
  const files = unzipSync(writeAnkiPackage(deck));
  const media: unknown = JSON.parse(strFromU8(files['media']!));
  expect(files['0']).toEqual(sound);
  const database = new Sqlite(Buffer.from(files['collection.anki2']!));
  const notes = database.prepare('select guid, flds, sfld from notes order by id').all() as {
    guid: string;
    flds: string;
  }[];
  const [fields, plain] = notes.map(({ flds }) => flds.split('\u001f'));
  expect(fields).toEqual([
    '早晨&#123;&#123;c1&#125;&#125;',
    'zou2 san4',
    'Good &lt;morning&gt;',
    `[sound:${(media as Record<string, string>)['0']}]`,
    '<ruby>早<rt>zou2</rt></ruby><ruby>晨<rt>san4</rt></ruby>',
  ]);
  expect(plain).toEqual(['好', 'hou2', '', '', '<ruby>好<rt>hou2</rt></ruby>']);
  const cards = database.prepare('select nid, due, did from cards order by id').all() as { did: number; due: number }[];
  const { decks, models } = database.prepare('select decks, models from col').get() as {
    decks: string;
    models: string;
  };
  expect(cards.map(({ due }) => due)).toEqual([1, 2]);
  expect((JSON.parse(decks) as Record<string, { name: string }>)[String(cards[0]?.did)]?.name).toBe('例會');
  expect(Object.keys(JSON.parse(models) as object)).toHaveLength(1);
  // The same sentence is the same card in a later deck.
  const again = new Sqlite(Buffer.from(unzipSync(writeAnkiPackage(deck))['collection.anki2']!));
  expect(again.prepare('select guid from notes order by id').all()).toEqual(notes.map(({ guid }) => ({ guid })));
});
