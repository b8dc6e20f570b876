import type { Language, Segment } from '@jyutsing/contracts/transcript';
import { copyCapitals } from './copy-capitals.ts';

/** Names and abbreviations that people in Hong Kong write in one way. */
const ANYWHERE =
  'PayMe WhatsApp Facebook Instagram YouTube Google Gmail Netflix Spotify TikTok WeChat Alipay AlipayHK Airbnb ' +
  'Deliveroo foodpanda Keeta HKTVmall Microsoft PowerPoint LinkedIn Telegram iPhone iPad iPod iCloud iOS Android ' +
  'Samsung Sony PlayStation Wi-Fi Bluetooth USB PDF HTML GPS SMS ATM VPN AI ChatGPT MTR KMB HSBC TVB ViuTV RTHK HKU ' +
  'CUHK HKUST PolyU CityU HKBU IELTS TOEFL MBA PhD CEO CFO CTO BBQ KTV DVD DJ VIP OK UK USA NBA IKEA';
/** Names that are written so only in Chinese text; in English they are also other words. */
const IN_CHINESE = 'FPS HR PR IT PIN CV DSE Octopus Uber Amazon Excel Outlook Zoom';
/** Names that are written so only in English text. */
const IN_ENGLISH =
  'Hong_Kong Kowloon Macau China Chinese Cantonese Mandarin Putonghua English Japan Japanese Korea Korean Taiwan ' +
  'London Singapore Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February April June July ' +
  'September October November December Christmas Easter Mr Mrs';
/** Spellings of recognizers that differ from a name by more than capitals. */
const RECOGNIZED_SPELLINGS: readonly (readonly [string, string])[] = [['wifi', 'Wi-Fi']];

type Speller = { pattern: RegExp; written: ReadonlyMap<string, string> };

function spellerOf(...lists: readonly string[]): Speller {
  const names = lists.flatMap((list) => list.split(' ')).map((name) => name.replace('_', ' '));
  const written = new Map([...RECOGNIZED_SPELLINGS, ...names.map((name) => [name.toLowerCase(), name] as const)]);
  const longestFirst = [...written.keys()].toSorted((a, b) => b.length - a.length);
  // Chinese characters around a name do not belong to its word.
  return {
    pattern: new RegExp(
      `(?<![\\p{Script=Latin}\\d'’-])(?:${longestFirst.join('|')})(?![\\p{Script=Latin}\\d'’-])`,
      'giu',
    ),
    written,
  };
}

const CHINESE = spellerOf(ANYWHERE, IN_CHINESE);
const ENGLISH = spellerOf(ANYWHERE, IN_ENGLISH);

/** Writes known names in their usual spelling; all other words stay as they are. */
export function spellKnownNames(segment: Segment, language: Language): Segment {
  const { pattern, written } = language === 'english' ? ENGLISH : CHINESE;
  const spell = (text: string) => text.replaceAll(pattern, (found) => written.get(found.toLowerCase()) ?? found);
  const text = spell(segment.text);
  if (text === segment.text) return segment;
  const words = segment.words.map((word) => ({ ...word, text: spell(word.text) }));
  return { ...segment, text, words: copyCapitals(text, words) };
}
