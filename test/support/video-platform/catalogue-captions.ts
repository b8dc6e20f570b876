import { CANTONESE_TALK } from './texts/cantonese.ts';
import { longTalk } from './texts/long-talk.ts';
import { manual, patience, type Expectation, type Reaction, type Video } from './videos.ts';

const TRACK = manual('Chinese (Hong Kong)', 'zh-HK', CANTONESE_TALK);

/** Videos whose player answer is fine and whose captions are not. */
export const CAPTION_FAULTS = {
  zeroEvents: {
    id: 'zeroEvents1',
    does: 'A caption track of zero events',
    expects: 'empty_transcript',
    title: 'Nothing is said',
    tracks: [manual('English', 'en', [])],
  },
  onlyMusic: {
    id: 'onlyMusic01',
    does: 'Captions that say [Music] and [Applause] only',
    expects: 'empty_transcript',
    title: 'An overture',
    tracks: [manual('English', 'en', ['[Music]', '[Applause]', '♪♪', '[Music]'])],
  },
  emptyBody: fault('emptyBody01', 'Captions are an empty body with status 200', 'empty'),
  blankBody: fault('blankBody01', 'Captions are white space', 'blank'),
  htmlCaptions: fault('htmlCapts01', 'A page instead of captions', 'html'),
  truncatedCaptions: fault('cutCaption1', 'A caption file that is cut off, with a length that fits', 'truncated'),
  noJsonCaptions: fault('noJsonCapt1', 'Captions that are no JSON', 'no-json'),
  otherJsonCaptions: fault('otherJson01', 'JSON that holds no captions', 'other-json'),
  captionsConsent: fault('capConsent1', 'A redirect to the consent page instead of captions', 'consent'),
  captionsConsentPage: fault('capConsent2', 'The consent page itself instead of captions', 'consent-page'),
  captionsCaptcha: fault('capCaptcha1', 'A captcha with status 429 instead of captions', 'captcha'),
  captionsCaptchaRedirect: fault('capCaptcha2', 'A redirect to a captcha instead of captions', 'captcha-redirect'),
  captionsUnusualTraffic: fault('capTraffic1', 'The page about unusual traffic with status 200', 'unusual-traffic'),
  captionsTooMany: fault('capTooMany1', '429 as JSON instead of captions', 'too-many-requests'),
  captionsForbidden: fault('capForbid01', '403 instead of captions', 'forbidden'),
  captionsNotFound: fault('capNotFnd01', '404 instead of captions', 'not-found'),
  captionsServerError: fault('capError500', '500 instead of captions', 'server-error'),
  captionsOverloaded: fault('capError503', '503 instead of captions', 'overloaded'),
  captionsReset: fault('capReset001', 'The connection is reset', 'reset'),
  captionsResetMidway: fault('capReset002', 'The connection is reset in the middle of the captions', 'reset-midway'),
  captionsCutShort: fault('capCutShort', 'The connection ends before the announced length', 'cut-short'),
  captionsNever: fault('capNever001', 'No answer, and no end', 'never'),
  captionsStall: fault('capStalls01', 'Half of the captions, then nothing more', 'stalls'),
  captionsEndless: fault('capEndless1', 'Captions without an end', 'endless'),
  captionsHuge: fault('capHuge0001', 'A body that is announced as 20 gigabytes', 'huge-announced'),
  captionsGzip: fault('capGzip0001', 'Captions compressed with gzip', 'gzip', 'success'),
  captionsGzipBroken: fault('capGzip0002', 'A gzip body that is cut off', 'gzip-broken'),
  captionsGzipBomb: fault('capGzip0003', 'A megabyte of gzip that is a gigabyte of blanks', 'gzip-bomb'),
  captionsRedirectLoop: fault('capLoop0001', 'Redirects in a circle', 'redirect-loop'),
  captionsRedirectElsewhere: fault('capLeads001', 'A redirect to another server', 'redirect-elsewhere'),
  captionsRedirectMetadata: fault(
    'capLeads002',
    'A redirect to an address of the house network',
    'redirect-to-metadata',
  ),
  captionsDrip: {
    ...fault('capDrips001', 'Captions of three hours that come 64 bytes at a time: they take minutes', 'drip'),
    tracks: [manual('English', 'en', longTalk)],
  },
  trackElsewhere: linked('trackLead01', 'A track whose link leads to another server', '{other}/api/timedtext?v=x'),
  trackMetadata: linked(
    'trackLead02',
    'A track whose link leads into the house network',
    'http://169.254.169.254/latest/',
  ),
  trackLookalike: linked(
    'trackLead03',
    'A track whose link only looks like one',
    'https://www.youtube.com.example.com/api/timedtext',
  ),
  trackUserInfo: linked(
    'trackLead04',
    'A track whose host is behind an @',
    'http://www.youtube.com@169.254.169.254/api/timedtext',
  ),
  trackFile: linked('trackLead05', 'A track whose link is a file', 'file:///etc/hostname'),
  trackNonsense: linked('trackLead06', 'A track whose link is none', '::::'),
} as const satisfies Record<string, Video>;

function fault(id: string, does: string, reaction: Reaction, expects: Expectation = 'transcript_download_failed') {
  return {
    id,
    does,
    expects,
    title: '最後一間修船廠',
    tracks: [TRACK],
    reactions: { captions: reaction },
    ...patience(reaction),
  } satisfies Video;
}

function linked(id: string, does: string, link: string) {
  const expects: Expectation = 'transcript_download_failed';
  return { id, does, expects, title: 'Led astray', tracks: [{ ...TRACK, link }] } satisfies Video;
}
