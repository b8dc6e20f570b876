const VIDEO_ID = /^[\w-]{11}$/;
const HOSTS = new Set(['youtube.com', 'youtube-nocookie.com', 'youtu.be']);
/** Prefixes of the hosts above; others are other services of the same company, or nobody's. */
const SUBDOMAINS = new Set(['', 'www.', 'm.', 'music.', 'gaming.', 'kids.', 'tv.']);
/** A link in a text: its host must be the beginning of it, not a part of some other address. */
const LINK =
  /(?<![\w.@/=:%?&#-])(?:(?:https?:)?\/\/)?((?:[a-z0-9-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be)\.?(?::\d{1,5})?[/?#][^\s<>"'，。！？、；：）」』】]*)/iu;
/** First parts of a path that an id follows. */
const ID_FOLLOWS = new Set(['shorts', 'embed', 'live', 'v', 'e', 'vi', 'watch']);
/** Looks like an id in `/embed/videoseries?list=…`, and is none. */
const NO_ID = 'videoseries';
/** Links that carry the link to the video in a parameter. */
const WRAPPERS: Readonly<Record<string, string>> = { '/attribution_link': 'u', '/oembed': 'url' };

/**
 * The 11 characters that name the video of a link, or of a text with a link in it: links to watch, short ones, `/shorts/`,
 * `/embed/`, `/live/` and older forms, with or without a scheme, on the hosts of YouTube, whatever parameters follow; or the id alone. Null
 * for anything else, playlists and channels included. Nothing of the text but the id goes any further.
 */
export function parseVideoLink(text: string): string | null {
  const trimmed = text.trim();
  if (VIDEO_ID.test(trimmed)) return trimmed;
  const link = LINK.exec(trimmed)?.[1];
  if (link === undefined) return null;
  return idOfLink(link.replaceAll('&amp;', '&'), 1);
}

function idOfLink(link: string, wrappersLeft: number): string | null {
  const address = URL.parse(`https://${link}`);
  if (address === null || !isHost(address.hostname)) return null;
  const wrapped = address.searchParams.get(WRAPPERS[address.pathname] ?? '');
  if (wrapped !== null && wrappersLeft > 0) {
    const inner = wrapped.startsWith('/') ? `youtube.com${wrapped}` : (LINK.exec(wrapped)?.[1] ?? '');
    return idOfLink(inner, wrappersLeft - 1);
  }
  const [first = '', second = ''] = address.pathname.split('/').filter((part) => part !== '');
  const isShort = address.hostname.endsWith('youtu.be');
  const inPath = ID_FOLLOWS.has(first.toLowerCase()) ? second : isShort ? first : '';
  // A path that is already an id wins over parameters: those of short links are about sharing.
  return idIn(inPath) ?? idIn(address.searchParams.get('v') ?? address.searchParams.get('vi') ?? '');
}

function isHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  for (const host of HOSTS) {
    if (name.endsWith(host) && SUBDOMAINS.has(name.slice(0, -host.length))) return true;
  }
  return false;
}

/** What follows an id without a space is no part of it, unless it could be: then it is no id at all. */
function idIn(part: string): string | null {
  const [id] = /^[\w-]+/.exec(decodeURIComponentSafely(part)) ?? [''];
  return VIDEO_ID.test(id) && id !== NO_ID ? id : null;
}

function decodeURIComponentSafely(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
