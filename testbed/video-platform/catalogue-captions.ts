import { CANTONESE_TALK } from './texts/cantonese.ts';
import { longTalk } from './texts/long-talk.ts';
import { manual, patience, type Expectation, type Reaction, type Video } from './videos.ts';

const TRACK = manual('Chinese (Hong Kong)', 'zh-HK', CANTONESE_TALK);

/** Videos with a valid player response and faulty captions. */
export const CAPTION_FAULTS = {
  zeroEvents: {
    id: 'zeroEvents1',
    does: 'A caption track without events',
    expects: 'empty_transcript',
    title: 'Nothing is said',
    tracks: [manual('English', 'en', [])],
  },
  onlyMusic: {
    id: 'onlyMusic01',
    does: 'Captions with only [Music] and [Applause]',
    expects: 'empty_transcript',
    title: 'An overture',
    tracks: [manual('English', 'en', ['[Music]', '[Applause]', '♪♪', '[Music]'])],
  },
  emptyBody: fault('emptyBody01', 'An empty body with status 200 instead of captions', 'empty'),
  blankBody: fault('blankBody01', 'White space instead of captions', 'blank'),
  htmlCaptions: fault('htmlCapts01', 'HTML instead of captions', 'html'),
  truncatedCaptions: fault('cutCaption1', 'A truncated caption file with a matching length', 'truncated'),
  noJsonCaptions: fault('noJsonCapt1', 'Invalid JSON instead of captions', 'no-json'),
  otherJsonCaptions: fault('otherJson01', 'Other JSON instead of captions', 'other-json'),
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
  captionsNever: fault('capNever001', 'No response', 'never'),
  captionsStall: fault('capStalls01', 'Half of the captions, then nothing', 'stalls'),
  captionsEndless: fault('capEndless1', 'Endless captions', 'endless'),
  captionsHuge: fault('capHuge0001', 'A body with an announced size of 20 gigabytes', 'huge-announced'),
  captionsGzip: fault('capGzip0001', 'Captions compressed with gzip', 'gzip', 'success'),
  captionsGzipBroken: fault('capGzip0002', 'A truncated gzip body', 'gzip-broken'),
  captionsGzipBomb: fault('capGzip0003', 'A megabyte of gzip that expands to a gigabyte', 'gzip-bomb'),
  captionsRedirectLoop: fault('capLoop0001', 'A redirect loop', 'redirect-loop'),
  captionsRedirectElsewhere: fault('capLeads001', 'A redirect to another server', 'redirect-elsewhere'),
  captionsRedirectMetadata: fault(
    'capLeads002',
    'A redirect to an address of the internal network',
    'redirect-to-metadata',
  ),
  captionsDrip: {
    ...fault('capDrips001', 'Captions of three hours that arrive 64 bytes at a time, over minutes', 'drip'),
    tracks: [manual('English', 'en', longTalk)],
  },
  trackElsewhere: linked('trackLead01', 'A track with a link to another server', '{other}/api/timedtext?v=x'),
  trackMetadata: linked(
    'trackLead02',
    'A track with a link into the internal network',
    'http://169.254.169.254/latest/',
  ),
  trackLookalike: linked(
    'trackLead03',
    'A track with a link to a lookalike host',
    'https://www.youtube.com.example.com/api/timedtext',
  ),
  trackUserInfo: linked(
    'trackLead04',
    'A track whose link has the host after an @',
    'http://www.youtube.com@169.254.169.254/api/timedtext',
  ),
  trackFile: linked('trackLead05', 'A track with a file link', 'file:///etc/hostname'),
  trackNonsense: linked('trackLead06', 'A track with an invalid link', '::::'),
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
