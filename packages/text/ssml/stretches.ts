import type { Language } from '@jyutsing/contracts/transcript';
import { NO_PROSODY, type Prosody } from './prosody.ts';
import type { PhonemeAlphabet } from './phonemes.ts';
import type { SayAs } from './say-as.ts';

/** A place in a document; both count from 1. */
export type Place = { line: number; column: number };

/** How the text of an element is read. */
export type GivenReading =
  | { kind: 'phoneme'; alphabet: PhonemeAlphabet; ph: string; place: Place }
  | ({ kind: 'say-as' } & SayAs);

/** The voice that an element asks for: the first name that is known, else the gender. */
export type VoiceWish = { names: readonly string[]; gender: 'female' | 'male' | null };

/** The manner of a text from the elements around it; null: as the request says. */
export type Scope = { language: Language | null; voice: VoiceWish | null; prosody: Prosody };

export const NO_SCOPE: Scope = { language: null, voice: null, prosody: NO_PROSODY };

/** The contents of a document in order. */
export type ScriptItem =
  | { kind: 'text'; text: string; scope: Scope; reading: GivenReading | null }
  | { kind: 'pause'; pauseMs: number }
  | { kind: 'mark'; name: string }
  /** The end of a sentence, also where none has begun. */
  | { kind: 'sentence-end'; endsParagraph: boolean };

/** A text in one style. `reading` null: as it is written. */
export type Segment = { text: string; prosody: Prosody; reading: GivenReading | null };

/** A text up to a pause, or a change of the voice or the language. */
export type Stretch = {
  language: Language;
  voice: VoiceWish | null;
  segments: readonly Segment[];
  /** `at` is a position in the text of all segments, in UTF-16 units. */
  marks: readonly { name: string; at: number }[];
  /** The sentence goes on in the next stretch. */
  continues: boolean;
  /** The pause after it, in milliseconds. */
  pauseMs: number;
  /** A paragraph ends with it. */
  endsParagraph: boolean;
};

const SPACES = /[ \t\r\n]+/gu;
const LEADING = /^[ \t\r\n]+/u;
const TRAILING = /[ \t\r\n]+$/u;
/** Characters between which a line break of the source is no space (CSS Text Level 3, 4.1.3). */
const WIDE = /^[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;

/**
 * Collapses white space as browsers do: to one space, and to none at the ends of sentences and
 * pauses and at line breaks within Chinese. Texts without other characters are dropped.
 */
export function collapseSpaces(items: readonly ScriptItem[]): ScriptItem[] {
  const collapsed: ScriptItem[] = [];
  /** The character before the next text of the sentence; '' at its beginning. */
  let before = '';
  let space = '';
  for (const item of items) {
    if (item.kind !== 'text') {
      collapsed.push(item);
      if (item.kind !== 'mark') [before, space] = ['', ''];
      continue;
    }
    const text = item.text
      .replace(LEADING, '')
      .replace(TRAILING, '')
      .replaceAll(SPACES, (found, at: number, whole: string) =>
        spaceBetween(whole.charAt(at - 1), found, whole.slice(at + found.length, at + found.length + 2)),
      );
    if (text === '') {
      space += item.text;
      continue;
    }
    space += LEADING.exec(item.text)?.[0] ?? '';
    const between = before === '' || space === '' ? '' : spaceBetween(before, space, text);
    if (between !== '') collapsed.push({ ...item, text: between, reading: null });
    collapsed.push({ ...item, text });
    before = text.slice(-1);
    space = TRAILING.exec(item.text)?.[0] ?? '';
  }
  return collapsed;
}

function spaceBetween(before: string, space: string, after: string): string {
  return /[\r\n]/u.test(space) && WIDE.test(before) && WIDE.test(after) ? '' : ' ';
}

type Draft = Stretch & { segments: Segment[]; marks: { name: string; at: number }[]; length: number };

/** Marks that end or divide what is before them, also when another voice goes on after them. */
const CLOSING_MARKS = /^[，。！？、；：,.!?;:…—）)」』”’"'》]+/u;

/**
 * Divides items, whose spaces are collapsed, into stretches. `language` is that of texts without
 * one of their own.
 */
export function toStretches(items: readonly ScriptItem[], language: Language): Stretch[] {
  const stretches: Draft[] = [newDraft({ language, voice: null })];
  /** The stretch with the latest text, while its sentence is open. */
  let unfinished: Draft | null = null;
  for (const item of items) {
    const stretch = stretches.at(-1)!;
    const isEmpty = stretch.length === 0 && stretch.marks.length === 0;
    // A pause or an end without text before it belongs to the stretch before.
    const ended = isEmpty ? stretches.at(-2) : stretch;
    if (item.kind === 'mark') stretch.marks.push({ name: item.name, at: stretch.length });
    else if (item.kind === 'pause') {
      (ended ?? stretch).pauseMs += item.pauseMs;
      if (ended === stretch || ended === undefined) stretches.push(newDraft(stretch));
    } else if (item.kind === 'sentence-end') {
      unfinished = null;
      if (!item.endsParagraph || ended === undefined) continue;
      ended.endsParagraph = true;
      if (ended === stretch) stretches.push(newDraft(stretch));
    } else unfinished = addText(stretches, item, { unfinished, language });
  }
  return stretches;
}

/**
 * Adds a text to the last stretch, or to a new one in another voice or language; returns the
 * stretch.
 */
function addText(
  stretches: Draft[],
  { text, scope, reading }: Extract<ScriptItem, { kind: 'text' }>,
  { unfinished, language }: { unfinished: Draft | null; language: Language },
): Draft {
  const { prosody } = scope;
  const manner = { language: scope.language ?? language, voice: scope.voice };
  let stretch = stretches.at(-1)!;
  let rest = text;
  if (stretch.length === 0) Object.assign(stretch, manner);
  else if (manner.language !== stretch.language || !isSameVoice(manner.voice, stretch.voice)) {
    const marks = reading === null && unfinished === stretch ? (CLOSING_MARKS.exec(text)?.[0] ?? '') : '';
    if (marks !== '') append(stretch, { text: marks, prosody, reading });
    rest = text.slice(marks.length);
    if (rest.trim() === '') return stretch;
    stretch = newDraft(manner);
    stretches.push(stretch);
  }
  if (unfinished !== null && unfinished !== stretch) unfinished.continues = true;
  if (unfinished === null && stretch.length > 0) append(stretch, { text: '\n', prosody, reading: null });
  append(stretch, { text: rest, prosody, reading });
  return stretch;
}

function isSameVoice(one: VoiceWish | null, other: VoiceWish | null): boolean {
  if (one === null || other === null) return one === other;
  return one.gender === other.gender && one.names.join('\n') === other.names.join('\n');
}

function newDraft({ language, voice }: Pick<Stretch, 'language' | 'voice'>): Draft {
  return { language, voice, segments: [], marks: [], continues: false, pauseMs: 0, endsParagraph: false, length: 0 };
}

function append(stretch: Draft, segment: Segment): void {
  const last = stretch.segments.at(-1);
  const isSame = last !== undefined && last.prosody === segment.prosody && last.reading === null;
  if (isSame && segment.reading === null) last.text += segment.text;
  else stretch.segments.push(segment);
  stretch.length += segment.text.length;
}
