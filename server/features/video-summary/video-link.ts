const VIDEO_ID = /^[\w-]{11}$/;
const HOSTS = new Set(['youtube.com', 'youtube-nocookie.com', 'youtu.be']);
/** Other subdomains are other services of the platform. */
const SUBDOMAINS = new Set(['', 'www.', 'm.', 'music.', 'gaming.', 'kids.', 'tv.']);
/** A link in a text. The lookbehind excludes hosts that are part of another URL. */
const LINK =
  /(?<![\w.@/=:%?&#-])(?:(?:https?:)?\/\/)?((?:[a-z0-9-]+\.)*(?:youtube(?:-nocookie)?\.com|youtu\.be)\.?(?::\d{1,5})?[/?#][^\s<>"'，。！？、；：）」』】]*)/iu;
/** First segments of paths whose second segment is the ID. */
const ID_PATH_PREFIXES = new Set(['shorts', 'embed', 'live', 'v', 'e', 'vi', 'watch']);
/** Has the form of an ID in `/embed/videoseries?list=…`. */
const PLAYLIST_EMBED = 'videoseries';
/** Links that carry the link to the video in a parameter. */
const WRAPPERS: Readonly<Record<string, string>> = { '/attribution_link': 'u', '/oembed': 'url' };

/**
 * The 11-character ID of the video in a YouTube link, in a text that contains one, or given alone.
 * Accepts watch and short links, `/shorts/`, `/embed/`, `/live/` and older forms, with or without a
 * scheme, with any parameters. Null for anything else, including playlists and channels.
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
  const inPath = ID_PATH_PREFIXES.has(first.toLowerCase()) ? second : isShort ? first : '';
  // The path has precedence: parameters of short links concern sharing.
  return idIn(inPath) ?? idIn(address.searchParams.get('v') ?? address.searchParams.get('vi') ?? '');
}

function isHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  for (const host of HOSTS) {
    if (name.endsWith(host) && SUBDOMAINS.has(name.slice(0, -host.length))) return true;
  }
  return false;
}

/** Ignores other characters after the ID; a longer run of ID characters is not an ID. */
function idIn(part: string): string | null {
  const [id] = /^[\w-]+/.exec(decodeURIComponentSafely(part)) ?? [''];
  return VIDEO_ID.test(id) && id !== PLAYLIST_EMBED ? id : null;
}

function decodeURIComponentSafely(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
