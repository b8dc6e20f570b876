import type { Token } from './tokens.ts';
import { isTouching, tokenAt, matchAt, type TextCursor } from './text-cursor.ts';

const EMAIL = /[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,6}[A-Za-z]{2,24}/y;
const URL_WITH_SCHEME = /(?:https?:\/\/|www\.)[A-Za-z0-9][A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]{0,2000}/iy;
const DOMAIN =
  /[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,5}(?:(?:(?:COM|ORG|EDU|GOV|NET(?=\.))(?:\.(?:HK|CN|TW|MO))?|com|org|net|edu|gov|hk|cn|tw|mo|io|ai|app|dev|info|biz|tv|me|co|uk|us|jp|sg|eu)(?![\p{Script=Latin}\d-])|[a-z]{2,3}(?=\/[A-Za-z0-9]))(?:\/[A-Za-z0-9\-._~/?#&=%+]{0,500})?/uy;
/** Endings of names of files and of programs: Node.js, readme.md, ASP.NET, .env. */
const ENDINGS =
  'js|mjs|ts|jsx|tsx|vue|py|ipynb|md|txt|rtf|pdf|docx?|xlsx?|pptx?|csv|tsv|json|xml|ya?ml|html?|s?css|sh|bat|exe|dll|jar|java|kt|swift|go|rs|rb|php|cpp|hpp|cs|sql|db|log|ini|cfg|conf|toml|lock|env|zip|rar|7z|tar|gz|tgz|bz2|xz|iso|dmg|apk|ipa|deb|rpm|mp[34]|m4a|wav|flac|ogg|opus|aac|avi|mkv|mov|webm|jpe?g|png|gif|bmp|webp|svg|ico|heic|tiff?|psd|eps|ttf|otf|woff2?|srt|vtt|epub|mobi|NET';
const FILE = new RegExp(
  String.raw`(?:[A-Za-z0-9][\w-]{0,62})?(?:\.[\w-]{1,62}){0,4}\.(?:${ENDINGS})(?![\p{Script=Latin}\d-])(?:\?\w+=[\w=&%.-]{0,200})?`,
  'uy',
);
const END_MARKS = /[.,;:!?'()[\]]+$/;
/** #HK-123 is the number of an order. */
const HASHTAG = /#(?![A-Z]{1,6}-?\d)([\p{L}_][\p{L}\p{M}\p{N}_]{0,100})/uy;
const MENTION = /@([\p{Script=Latin}_][\p{Script=Latin}\d_.]{0,60})/uy;

/** Matches e-mail and web addresses, names of files and programs, #words and @names. */
export function matchAddress(source: TextCursor): Token | null {
  const { text, at } = source;
  const first = text.charAt(at);
  if (first === '#') {
    // The sign belongs to the letter before it: C#語言.
    if (isTouching(source)) return null;
    const match = matchAt(HASHTAG, text, at);
    return match === null ? null : tokenAt(source, match[0].length, { kind: 'hashtag', name: match[1] ?? '' });
  }
  if (first === '@') {
    const match = matchAt(MENTION, text, at);
    if (match === null) return null;
    const length = match[0].replace(/[._]+$/, '').length;
    return length < 2 ? null : tokenAt(source, length, { kind: 'mention', name: match[0].slice(1, length) });
  }
  if (!/[A-Za-z0-9.]/.test(first) || isTouching(source)) return null;
  const email = matchAt(EMAIL, text, at);
  if (email !== null) return tokenAt(source, email[0].length, { kind: 'email' });
  const url = matchAt(URL_WITH_SCHEME, text, at) ?? matchAt(DOMAIN, text, at) ?? matchAt(FILE, text, at);
  if (url === null) return null;
  const length = url[0].replace(END_MARKS, '').length;
  return /\.[A-Za-z0-9-]/.test(url[0]) ? tokenAt(source, length, { kind: 'url' }) : null;
}
