import { createHash } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { strToU8, zipSync, type Zippable } from 'fflate';

/** A card. All of its texts are plain. */
export type AnkiCard = {
  /** Names the card for ever, so that a later deck replaces it in the collection. */
  key: string;
  text: string;
  /** The text in pieces with their jyutping. */
  pieces: readonly { text: string; jyutping: string | null }[];
  translation: string | null;
  /** MP3; null: none. */
  sound: Uint8Array | null;
};

export type AnkiDeck = { name: string; createdAtMs: number; cards: readonly AnkiCard[] };

/** The same for every deck, so that Anki keeps one type of notes. */
const MODEL_ID = 1_762_000_000_001;
const FIELDS = ['Text', 'Jyutping', 'Translation', 'Sound', 'Ruby'];
const SEPARATOR = '\u001f';
const CSS = `.card { font-family: sans-serif; font-size: 28px; text-align: center; }
rt { font-size: 0.5em; } .translation { font-size: 20px; color: #666; margin-top: 1em; }`;
const QUESTION = '<div lang="zh-HK">{{Text}}</div>{{Sound}}';
const ANSWER =
  '<div lang="zh-HK">{{Ruby}}</div>{{Sound}}<hr id="answer">{{Jyutping}}<div class="translation">{{Translation}}</div>';

/**
 * A package that Anki imports: a ZIP file with its collection (schema 11, which all versions since
 * 2.0 read) and the sounds.
 */
export function writeAnkiPackage({ name, createdAtMs, cards }: AnkiDeck): Uint8Array {
  const media: Record<string, string> = {};
  const files: Zippable = {};
  const sounds = cards.map(({ key, sound }) => {
    if (sound === null) return '';
    const number = String(Object.keys(media).length);
    const fileName = `jyutsing-${digest(key)}.mp3`;
    media[number] = fileName;
    // MP3 is compressed already.
    files[number] = [sound, { level: 0 }];
    return `[sound:${fileName}]`;
  });
  return zipSync({
    'collection.anki2': new Uint8Array(writeCollection(name, createdAtMs, cards, sounds)),
    media: strToU8(JSON.stringify(media)),
    ...files,
  });
}

function writeCollection(name: string, createdAtMs: number, cards: readonly AnkiCard[], sounds: readonly string[]) {
  const database = new Sqlite(':memory:');
  try {
    database.exec(SCHEMA);
    const seconds = Math.floor(createdAtMs / 1_000);
    const deckId = MODEL_ID + 1 + (Number.parseInt(digest(name).slice(0, 8), 16) % 1_000_000_000);
    database
      .prepare(`insert into col values (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')`)
      .run(seconds, createdAtMs, createdAtMs, ...settingsOf(name, deckId, seconds));
    const note = database.prepare(`insert into notes values (?, ?, ${MODEL_ID}, ?, -1, '', ?, ?, ?, 0, '')`);
    const card = database.prepare(
      `insert into cards values (?, ?, ${deckId}, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')`,
    );
    database.transaction(() => {
      for (const [index, { key, text, pieces, translation }] of cards.entries()) {
        const jyutping = pieces.flatMap((piece) => piece.jyutping ?? []).join(' ');
        const ruby = pieces.map(rubyOf).join('');
        const fields = [escaped(text), jyutping, escaped(translation ?? ''), sounds[index] ?? '', ruby];
        const noteId = createdAtMs + index;
        const checksum = Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 8), 16);
        note.run(noteId, digest(key), seconds, fields.join(SEPARATOR), text, checksum);
        card.run(noteId, noteId, seconds, index + 1);
      }
    })();
    return database.serialize();
  } finally {
    database.close();
  }
}

/** The JSON columns of `col`: configuration, note types, decks, and options of decks. */
function settingsOf(name: string, deckId: number, seconds: number): string[] {
  const deck = (id: number, deckName: string) => ({
    id,
    name: deckName,
    mod: seconds,
    usn: 0,
    desc: '',
    dyn: 0,
    conf: 1,
    collapsed: false,
    browserCollapsed: false,
    extendNew: 10,
    extendRev: 50,
    newToday: [0, 0],
    revToday: [0, 0],
    lrnToday: [0, 0],
    timeToday: [0, 0],
  });
  const model = {
    id: MODEL_ID,
    name: 'Cantonese sentence (jyutsing)',
    type: 0,
    mod: seconds,
    usn: 0,
    sortf: 0,
    did: deckId,
    css: CSS,
    latexPre: '',
    latexPost: '',
    req: [[0, 'any', [0, 3]]],
    tags: [],
    vers: [],
    flds: FIELDS.map((field, ord) => ({ name: field, ord, font: 'Arial', size: 20, rtl: false, sticky: false })),
    tmpls: [{ name: 'Card 1', ord: 0, qfmt: QUESTION, afmt: ANSWER, did: null, bqfmt: '', bafmt: '' }],
  };
  const options = {
    id: 1,
    name: 'Default',
    mod: 0,
    usn: 0,
    maxTaken: 60,
    autoplay: true,
    timer: 0,
    replayq: true,
    dyn: false,
    new: { delays: [1, 10], ints: [1, 4, 7], initialFactor: 2_500, order: 1, perDay: 20, bury: false, separate: true },
    rev: { perDay: 200, ease4: 1.3, fuzz: 0.05, ivlFct: 1, maxIvl: 36_500, bury: false, minSpace: 1 },
    lapse: { delays: [10], mult: 0, minInt: 1, leechFails: 8, leechAction: 0 },
  };
  const configuration = {
    nextPos: 1,
    curDeck: deckId,
    curModel: String(MODEL_ID),
    activeDecks: [deckId],
    sortType: 'noteFld',
  };
  const decks = { 1: deck(1, 'Default'), [deckId]: deck(deckId, name) };
  return [configuration, { [MODEL_ID]: model }, decks, { 1: options }].map((part) => JSON.stringify(part));
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

function rubyOf({ text, jyutping }: AnkiCard['pieces'][number]): string {
  return jyutping === null ? escaped(text) : `<ruby>${escaped(text)}<rt>${jyutping}</rt></ruby>`;
}

/** Fields are HTML, and a separator would begin the next one. */
function escaped(text: string): string {
  return text
    .replaceAll(SEPARATOR, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{', '&#123;')
    .replaceAll('}', '&#125;')
    .replaceAll('[', '&#91;');
}

/** As Anki 2.1 makes it; its source: rslib/src/storage/schema11.sql. */
const SCHEMA = `
create table col (id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null, conf text not null,
  models text not null, decks text not null, dconf text not null, tags text not null);
create table notes (id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null, csum integer not null,
  flags integer not null, data text not null);
create table cards (id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null, due integer not null,
  ivl integer not null, factor integer not null, reps integer not null, lapses integer not null,
  left integer not null, odue integer not null, odid integer not null, flags integer not null, data text not null);
create table revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
create table graves (usn integer not null, oid integer not null, type integer not null);
create index ix_notes_usn on notes (usn);
create index ix_cards_usn on cards (usn);
create index ix_revlog_usn on revlog (usn);
create index ix_cards_nid on cards (nid);
create index ix_cards_sched on cards (did, queue, due);
create index ix_revlog_cid on revlog (cid);
create index ix_notes_csum on notes (csum);
`;
