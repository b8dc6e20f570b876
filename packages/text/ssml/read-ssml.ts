import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { AppError } from '@jyutsing/contracts/errors';
import { LANGUAGES, type Language } from '@jyutsing/contracts/transcript';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { readBreakTime, STRENGTHS_MS } from '#text/normalization/break-tags.ts';
import { readLanguage } from '#text/language-names.ts';
import { ACCEPTED_ALPHABETS, alphabetNamed } from './phonemes.ts';
import {
  readEmphasis,
  readPitch,
  readRate,
  MAX_GAIN,
  RATE_BOUNDS,
  readVolume,
  within,
  type Prosody,
} from './prosody.ts';
import { isInterpreted } from './say-as.ts';
import { collapseSpaces, NO_SCOPE, type GivenReading, type Place, type Scope, type ScriptItem } from './stretches.ts';

/**
 * A document of the Speech Synthesis Markup Language 1.1
 * (https://www.w3.org/TR/speech-synthesis11/).
 */
export type SsmlDocument = {
  /** The language of the root; null: it has none, or one that is not spoken here. */
  language: Language | null;
  /** The texts, pauses and marks in order; for `toStretches`. */
  items: readonly ScriptItem[];
  /** Code points of the text that is spoken. */
  characters: number;
  /** Elements and attributes that have no effect here, for the client. */
  ignored: readonly string[];
};

/** A document of more UTF-16 units is refused. */
export const MAX_SSML_LENGTH = 200_000;
const MAX_DEPTH = 64;
const MAX_IGNORED = 20;
/** Text is parsed in pieces of this length, so that other requests are served between them. */
const PIECE_LENGTH = 8_192;
/** A longer text with one reading, or reading, cannot be spoken in one breath. */
const MAX_READ_LENGTH = 100;

/** Matches white space, a declaration or a comment before the root. */
const PROLOG = /[\s\uFEFF]+|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE(?:[^[>]|\[[^\]]*\])*>/uy;
const ROOT = /<(?:[\w-]+:)?speak(?![\w.:-])/iuy;

/** Whether a text is a document of SSML, well-formed or not: its first element is `speak`. */
export function isSsml(text: string): boolean {
  PROLOG.lastIndex = 0;
  let at = 0;
  while (PROLOG.test(text)) at = PROLOG.lastIndex;
  ROOT.lastIndex = at;
  return ROOT.test(text);
}

/**
 * Reads a document. Throws `invalid_request` with line and column for text that is no well-formed
 * XML, an entity other than the five of XML, values that are none of their attribute, elements more
 * than 64 deep, and a document that is too long. Nothing outside the text is read.
 */
export async function readSsml(text: string): Promise<SsmlDocument> {
  if (text.length > MAX_SSML_LENGTH) {
    throw new AppError('invalid_request', `SSML may have at most ${MAX_SSML_LENGTH} characters, its tags included.`);
  }
  const parser = new SaxesParser();
  const script = createScript();
  let start: Place = { line: 1, column: 1 };
  const here = () => ({ line: parser.line, column: parser.column + 1 });
  parser.on('error', ({ message }) => {
    throw notWellFormed(text, message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''), here());
  });
  parser.on('opentagstart', () => (start = here()));
  parser.on('opentag', (tag) => script.open(tag, start));
  parser.on('closetag', () => script.close());
  parser.on('text', (written) => script.say(written));
  parser.on('cdata', (written) => script.say(written));
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    parser.write(text.slice(at, at + PIECE_LENGTH));
    await yieldToEventLoop();
  }
  parser.close();
  const items = collapseSpaces(script.items);
  return {
    language: script.language(),
    items,
    characters: items.reduce((sum, item) => sum + charactersOf(item), 0),
    ignored: script.ignored(),
  };
}

/** Matches an ampersand that begins no entity; sections of characters are passed over. */
const BARE_AMPERSAND = /<!\[CDATA\[[^]*?\]\]>|&(?!#\d{1,7};|#x[\dA-Fa-f]{1,6};|[\w.-]{1,40};)/gu;

/**
 * The refusal of a text that is not well-formed. The parser takes text after a bare & for an
 * entity.
 */
function notWellFormed(text: string, message: string, place: Place): AppError {
  for (const { 0: found, index } of text.matchAll(BARE_AMPERSAND)) {
    if (found !== '&') continue;
    const lines = text.slice(0, index).split('\n');
    const ampersand = { line: lines.length, column: lines.at(-1)!.length + 1 };
    const isBefore = ampersand.line < place.line || (ampersand.line === place.line && ampersand.column < place.column);
    if (isBefore) return faultAt(ampersand, 'an "&" alone; write "&amp;"');
    break;
  }
  const entities = 'those of XML are &amp;, &lt;, &gt;, &quot;, &apos; and numbers such as &#22909;';
  return faultAt(place, message === 'undefined entity' ? `${message}; ${entities}` : message);
}

/**
 * An item costs its characters, or where it has more, the syllables (in English the sounds) of its
 * pronunciation, which is all that counts where it has no text.
 */
function charactersOf(item: ScriptItem): number {
  if (item.kind !== 'text') return 0;
  const characters = Array.from(item.text).length;
  if (item.reading?.kind !== 'phoneme') return characters;
  const sounds = soundsOf(item.reading, item.scope.language);
  return item.text === item.reading.ph ? sounds : Math.max(characters, sounds);
}

/** The syllables or sounds of a pronunciation; for an open language, of the first that reads it. */
function soundsOf({ alphabet, ph }: PhonemeReading, language: Language | null): number {
  const languages = language === null ? LANGUAGES : [language];
  const readings = languages.flatMap((spoken) => {
    const read = alphabet.read(ph, spoken);
    return 'fault' in read ? [] : [read.reading];
  });
  return readings[0]?.length ?? 1;
}

function faultAt({ line, column }: Place, what: string): AppError {
  return new AppError('invalid_request', `Line ${line}, column ${column} of the SSML: ${what}.`);
}

const quoted = (text: string) => `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;

/** An element with what applies to the text in it. */
type Frame = {
  scope: Scope;
  isHidden: boolean;
  /** The text of an element that is read as a whole, shared with the elements in it. */
  collected: { text: string } | null;
  onClose: (() => void) | null;
};

/** Turns elements and text into items. */
function createScript() {
  const items: ScriptItem[] = [];
  const ignored = new Set<string>();
  const frames: Frame[] = [{ scope: NO_SCOPE, isHidden: false, collected: null, onClose: null }];
  let rootLanguage: Language | null = null;
  let prefix = '';

  const say = (text: string) => {
    const { scope, isHidden, collected } = frames.at(-1)!;
    if (isHidden) return;
    if (collected !== null) collected.text += text;
    else items.push({ kind: 'text', text, scope, reading: null });
  };
  const ignore = (what: string) => {
    if (ignored.size < MAX_IGNORED) ignored.add(what);
  };
  const languageIn = (tag: string, outer: Language | null) => {
    const read = readLanguage(tag);
    if (read === 'chinese') return outer === 'mandarin' ? outer : 'cantonese';
    if (read !== null && read !== 'auto') return read;
    ignore(`xml:lang=${tag}`);
    return outer;
  };

  return {
    items,
    say,
    ignored: () => [...ignored],
    language: () => rootLanguage,
    open({ name, attributes }: SaxesTagPlain, place: Place): void {
      const outer = frames.at(-1)!;
      if (frames.length > MAX_DEPTH) throw faultAt(place, `elements may be ${MAX_DEPTH} deep`);
      const tag = attributes['xml:lang'];
      if (frames.length === 1) {
        if (!name.endsWith('speak')) throw faultAt(place, `the root is "${name}", but must be "speak"`);
        prefix = name.slice(0, name.length - 'speak'.length);
        rootLanguage = tag === undefined ? null : languageIn(tag, null);
        frames.push({ ...outer, onClose: null });
        return;
      }
      const language = tag === undefined ? outer.scope.language : languageIn(tag, outer.scope.language);
      const scope = language === outer.scope.language ? outer.scope : { ...outer.scope, language };
      const isOfSsml = !name.includes(':') || (prefix !== '' && name.startsWith(prefix));
      const element = { name: isOfSsml ? name.slice(name.lastIndexOf(':') + 1) : name, attributes, place };
      const effect = outer.isHidden || outer.collected !== null ? {} : effectOf(element, scope);
      for (const item of effect.items ?? []) items.push(item);
      for (const what of effect.ignored ?? []) ignore(what);
      const frame: Frame = { scope, isHidden: outer.isHidden, collected: outer.collected, onClose: null };
      if (element.name === 'sub') say(attributeOf(element, 'alias'));
      if (HIDDEN.has(element.name)) frame.isHidden = true;
      if (effect.scope !== undefined) frame.scope = effect.scope;
      const { reading } = effect;
      if (reading !== undefined) {
        const collected = { text: '' };
        frame.collected = collected;
        frame.onClose = () => items.push(readText(collected.text, frame.scope, reading, place));
      } else if (effect.atEnd !== undefined) frame.onClose = () => items.push(effect.atEnd!);
      frames.push(frame);
    },
    close(): void {
      frames.pop()?.onClose?.();
    },
  };
}

/** Elements whose text is not spoken; `think` is what language models write for themselves. */
const HIDDEN: ReadonlySet<string> = new Set(['sub', 'desc', 'metadata', 'think', 'thinking']);

function readText(written: string, scope: Scope, reading: GivenReading, place: Place): ScriptItem {
  const text = written.trim().replaceAll(/\s+/gu, ' ');
  if (reading.kind === 'say-as') return { kind: 'text', text: written, scope, reading: text === '' ? null : reading };
  const spoken = text === '' ? reading.ph : text;
  if (spoken.length > MAX_READ_LENGTH) {
    throw faultAt(place, `the text of "phoneme" may have at most ${MAX_READ_LENGTH} characters`);
  }
  const language = languageOfPhonemes(text, scope.language, reading);
  if (soundsOf(reading, language) > MAX_READ_LENGTH) {
    throw faultAt(place, `"ph" may have at most ${MAX_READ_LENGTH} syllables or sounds`);
  }
  return { kind: 'text', text: spoken, scope: language === scope.language ? scope : { ...scope, language }, reading };
}

type PhonemeReading = Extract<GivenReading, { kind: 'phoneme' }>;

type Element = { name: string; attributes: Readonly<Record<string, string>>; place: Place };

/** The effect of an element: `items` come before its text and `atEnd` after it. */
type Effect = {
  scope?: Scope;
  items?: readonly ScriptItem[];
  atEnd?: ScriptItem;
  reading?: GivenReading;
  ignored?: readonly string[];
};

function attributeOf({ name, attributes, place }: Element, attribute: string): string {
  const value = attributes[attribute];
  if (value === undefined) throw faultAt(place, `"${name}" needs the attribute "${attribute}"`);
  return value;
}

/** Reads an attribute; throws what it `accepts` for any other value. */
function readAttribute<Value>(
  { name, place }: Element,
  [attribute, value]: readonly [string, string],
  read: (value: string) => Value | null | undefined,
  accepts: string,
): Value {
  const found = read(value);
  if (found !== null && found !== undefined) return found;
  throw faultAt(place, `the attribute "${attribute}" of "${name}" is ${quoted(value)}, but must be ${accepts}`);
}

function effectOf(element: Element, scope: Scope): Effect {
  const { name, attributes } = element;
  switch (name) {
    case 'p':
    case 'paragraph':
    case 's':
    case 'sentence': {
      const end: ScriptItem = { kind: 'sentence-end', endsParagraph: name.startsWith('p') };
      return { items: [end], atEnd: end };
    }
    case 'break':
      return { items: [{ kind: 'pause', pauseMs: pauseOf(element) }] };
    case 'mark':
      return { items: [{ kind: 'mark', name: attributeOf(element, 'name') }] };
    // Azure's name for a mark.
    case 'bookmark':
      return { items: [{ kind: 'mark', name: attributeOf(element, 'mark') }] };
    case 'phoneme':
      return phonemeEffect(element, scope);
    case 'say-as': {
      const interpretAs = attributeOf(element, 'interpret-as');
      if (!isInterpreted(interpretAs)) return { ignored: [`say-as=${interpretAs}`] };
      const { format = '', detail = '' } = attributes;
      return { reading: { kind: 'say-as', interpretAs, format, detail } };
    }
    case 'prosody':
      return prosodyEffect(element, scope);
    case 'emphasis': {
      const level = ['level', attributes['level'] ?? 'moderate'] as const;
      const emphasis = readAttribute(element, level, readEmphasis, 'strong, moderate, reduced or none');
      return { scope: { ...scope, prosody: within(scope.prosody, emphasis) } };
    }
    case 'lang':
      attributeOf(element, 'xml:lang');
      return {};
    case 'voice':
      return { scope: voiceScope(attributes, scope) };
    case 'audio':
    case 'lexicon':
      return { ignored: [name] };
    default:
      return WITHOUT_EFFECT.has(name) ? {} : { ignored: [name] };
  }
}

/** Elements of SSML that only hold text, or none that is spoken. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([...HIDDEN, 'speak', 'token', 'w', 'lookup', 'meta']);

const MEDIUM_MS = STRENGTHS_MS['medium']!;

function pauseOf(element: Element): number {
  const { time, strength } = element.attributes;
  if (time !== undefined) return readAttribute(element, ['time', time], readBreakTime, 'a time such as 500ms or 1.5s');
  if (strength === undefined) return MEDIUM_MS;
  return readAttribute(element, ['strength', strength], readStrength, Object.keys(STRENGTHS_MS).join(', '));
}

function readStrength(name: string): number | undefined {
  return Object.hasOwn(STRENGTHS_MS, name) ? STRENGTHS_MS[name] : undefined;
}

function phonemeEffect(element: Element, scope: Scope): Effect {
  const ph = attributeOf(element, 'ph').trim().replaceAll(/\s+/gu, ' ');
  const named = element.attributes['alphabet'] ?? 'ipa';
  const alphabet = readAttribute(element, ['alphabet', named], alphabetNamed, ACCEPTED_ALPHABETS);
  return { scope, reading: { kind: 'phoneme', alphabet, ph, place: element.place } };
}

const LATIN_WORDS = /^[\p{Script=Latin}\p{M}\s'’.-]+$/u;

/**
 * The language of a pronunciation: that of its alphabet or of the text around it. Latin words in
 * Chinese text may be given in English sounds.
 */
function languageOfPhonemes(text: string, outer: Language | null, { alphabet, ph, place }: PhonemeReading) {
  const language = alphabet.language ?? outer;
  const read = alphabet.read(ph, language ?? 'cantonese');
  if (!('fault' in read)) return language;
  const isStrange = alphabet.language === null && /is no sound of|in X-SAMPA/.test(read.fault);
  if (isStrange && LATIN_WORDS.test(text) && !('fault' in alphabet.read(ph, 'english'))) return 'english';
  if (language !== null) throw phonemeFault(place, read.fault);
  return language;
}

/** The refusal of a pronunciation that is none. */
export function phonemeFault(place: Place, fault: string): AppError {
  return faultAt(place, fault.startsWith('"') ? `in "ph", ${fault}` : `"ph" ${fault}`);
}

const RATE = 'a label (slow, fast …), a factor, a percentage such as 80% or +20%, or words a minute such as 180';
const PITCH = 'a label (low, high …), or a change such as +2st, -10% or +20Hz';
const VOLUME = 'a label (soft, loud …), a change such as -6dB, or 0 to 100';

function prosodyOf(element: Element): Prosody {
  const { rate, pitch, volume } = element.attributes;
  return {
    rate: rate === undefined ? 1 : readAttribute(element, ['rate', rate], readRate, RATE),
    gain: volume === undefined ? 1 : readAttribute(element, ['volume', volume], readVolume, VOLUME),
    pitch: pitch === undefined ? [] : [readAttribute(element, ['pitch', pitch], readPitch, PITCH)],
  };
}

function prosodyEffect(element: Element, scope: Scope): Effect {
  const { attributes } = element;
  const prosody = within(scope.prosody, prosodyOf(element));
  const ignored = ['contour', 'range', 'duration']
    .filter((name) => name in attributes)
    .map((name) => `prosody ${name}`);
  const { rate, volume } = attributes;
  const spokenRate = Math.min(RATE_BOUNDS.max, Math.max(RATE_BOUNDS.min, prosody.rate));
  if (rate !== undefined && spokenRate !== prosody.rate) ignored.push(`prosody rate=${rate} as ${spokenRate}`);
  if (volume !== undefined && prosody.gain > MAX_GAIN) ignored.push(`prosody volume=${volume} as +12dB`);
  return { scope: { ...scope, prosody }, ignored };
}

/** The names of other services' voices begin with their language: zh-HK-HiuMaanNeural. */
const LANGUAGE_OF_NAME = /^([a-z]{2,3}-[A-Za-z]{2,4})-/;

function voiceScope({ name = '', gender = '', 'xml:lang': tag }: Element['attributes'], scope: Scope): Scope {
  const names = name.trim() === '' ? [] : [...new Set([name.trim(), ...name.trim().split(/\s+/u)])];
  const wished = gender.toLowerCase();
  const voice = { names, gender: wished === 'female' || wished === 'male' ? wished : null } as const;
  const named = readLanguage(LANGUAGE_OF_NAME.exec(name.trim())?.[1] ?? '');
  const isSpoken = named !== null && named !== 'auto' && named !== 'chinese';
  const language = tag === undefined && isSpoken ? named : scope.language;
  return { ...scope, language, voice: names.length === 0 && voice.gender === null ? scope.voice : voice };
}
