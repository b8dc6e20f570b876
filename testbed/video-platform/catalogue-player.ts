import { CANTONESE_TALK } from './texts/cantonese.ts';
import {
  automatic,
  manual,
  patience,
  type Expectation,
  type Playability,
  type Reaction,
  type Video,
} from './videos.ts';

const TRACK = manual('Chinese (Hong Kong)', 'zh-HK', CANTONESE_TALK);
const BASE = { title: '最後一間修船廠', tracks: [TRACK] };

/** Videos with a faulty or unusual player response. */
export const PLAYER_FAULTS = {
  botCheckForPhones: {
    ...BASE,
    id: 'botPhones01',
    does: 'Sign-in required for ANDROID and IOS; other clients are served',
    expects: 'success',
    playability: 'bot-check',
    playabilityFor: ['ANDROID', 'IOS'],
  },
  botCheckForAndroid: {
    ...BASE,
    id: 'botAndroid1',
    does: 'Sign-in required for ANDROID only',
    expects: 'success',
    playability: 'bot-check',
    playabilityFor: ['ANDROID'],
  },
  botCheck: refused('botEverybdy', 'Sign-in required for all clients', 'bot-check'),
  private: refused('privateVid1', 'A private video', 'private'),
  ageRestricted: refused('ageLimited1', 'An age-restricted video', 'age-restricted'),
  unavailable: refused('unavailabl1', 'An unavailable video', 'unavailable'),
  removed: refused('removedVid1', 'A removed video', 'removed'),
  region: refused('regionLock1', 'Not available in this country', 'region'),
  membersOnly: refused('membersOnly', 'For members only', 'members-only'),
  offline: refused('liveSoon001', 'A live stream that has not started', 'offline'),
  pleaseUpdate: refused('pleaseUpd01', 'Every client is told to update', 'please-update'),
  empty: fault('plyEmpty001', 'An empty player response', 'empty'),
  html: fault('plyHtml0001', 'HTML instead of the player response', 'html'),
  truncated: fault('plyCut00001', 'Truncated JSON of the player', 'truncated'),
  noJson: fault('plyNoJson01', 'Invalid JSON of the player', 'no-json'),
  nothing: fault('plyNull0001', 'null as the player response', 'null'),
  otherJson: fault('plyOther001', 'Other JSON of the player', 'other-json'),
  consent: fault('plyConsent1', 'A redirect to the consent page instead of the player', 'consent'),
  consentPage: fault('plyConsent2', 'The consent page itself instead of the player', 'consent-page'),
  captcha: fault('plyCaptcha1', 'A captcha with status 429 instead of the player', 'captcha'),
  captchaRedirect: fault('plyCaptcha2', 'A redirect to a captcha instead of the player', 'captcha-redirect'),
  unusualTraffic: fault('plyTraffic1', 'The page about unusual traffic with status 200', 'unusual-traffic'),
  tooMany: fault('plyTooMany1', '429 as JSON instead of the player', 'too-many-requests'),
  forbidden: fault('plyForbid01', '403 instead of the player', 'forbidden'),
  notFound: fault('plyNotFnd01', '404 instead of the player', 'not-found'),
  serverError: fault('plyError500', '500 instead of the player', 'server-error'),
  badGateway: fault('plyError502', '502 instead of the player', 'bad-gateway'),
  overloaded: fault('plyError503', '503 instead of the player', 'overloaded'),
  reset: fault('plyReset001', 'The connection is reset', 'reset'),
  cutShort: fault('plyCutShort', 'The connection ends before the announced length', 'cut-short'),
  never: fault('plyNever001', 'No response', 'never'),
  stalls: fault('plyStalls01', 'Half of the response, then nothing', 'stalls'),
  endless: fault('plyEndless1', 'An endless response', 'endless'),
  huge: fault('plyHuge0001', 'A response with an announced size of 20 gigabytes', 'huge-announced'),
  gzip: fault('plyGzip0001', 'The player response compressed with gzip', 'gzip', 'success'),
  gzipBomb: fault('plyGzip0003', 'A megabyte of gzip that expands to a gigabyte', 'gzip-bomb'),
  redirectLoop: fault('plyLoop0001', 'A redirect loop', 'redirect-loop'),
  redirectElsewhere: fault('plyLeads001', 'A redirect to another server', 'redirect-elsewhere'),
  anotherVideo: {
    ...BASE,
    id: 'anotherVid1',
    does: 'A response for another video, as sent to distrusted clients',
    expects: 'caption_tracks_failed',
    title: 'Video not available',
    claimsId: 'aQinvented1',
  },
  strangeTitle: {
    ...BASE,
    id: 'strangeTtl1',
    does: 'A title with HTML, control characters and right-to-left marks',
    expects: 'success',
    title: '<b onclick="x()">Ferry</b> &amp; \u0000\u0007pier\u202Egnorw\u202C \u2066שלום\u2069 \r\n 渡輪\uFFFE',
  },
  missingTitle: { ...BASE, id: 'noTitle0001', does: 'No title in the response', expects: 'success', title: null },
  duplicateNames: {
    ...BASE,
    id: 'sameNames01',
    does: 'Two tracks of the same name and language',
    expects: 'success',
    tracks: [TRACK, { ...TRACK, label: '第二版', sentences: CANTONESE_TALK.slice(0, 20) }],
  },
  codelessTrack: {
    ...BASE,
    id: 'codeless001',
    does: 'A track with and a track without a language code',
    expects: 'success',
    tracks: [TRACK, { ...automatic('Klingon', 'x', CANTONESE_TALK), languageCode: null }],
  },
  namelessTrack: {
    ...BASE,
    id: 'nameless001',
    does: 'A track without a name',
    expects: 'success',
    tracks: [{ ...TRACK, name: null }],
  },
} as const satisfies Record<string, Video>;

function refused(id: string, does: string, playability: Playability) {
  const expects: Expectation = 'caption_tracks_failed';
  return { ...BASE, id, does, expects, playability } satisfies Video;
}

function fault(id: string, does: string, reaction: Reaction, expects: Expectation = 'caption_tracks_failed') {
  return {
    ...BASE,
    id,
    does,
    expects,
    reactions: { player: reaction, watch: reaction },
    ...patience(reaction),
  } satisfies Video;
}
