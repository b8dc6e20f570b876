import type { Reaction, Video } from './videos.ts';

const SAYS = '今日天氣好好，我哋一齊去海邊行下。記住帶遮，因為下晝可能會落雨。';
const HOUR_MS = 3_600_000;

/** Videos without captions: their sound and its faults. */
export const WITHOUT_CAPTIONS = {
  noCaptions: {
    ...soundOnly('noCaption01', 'No captions, but sound with speech in Cantonese'),
    expectsWithRecognition: 'success',
  },
  silent: {
    id: 'noCaption02',
    does: 'No captions and no sound either',
    expects: 'no_subtitles',
    expectsWithRecognition: 'transcript_download_failed',
    title: 'A picture that does not move',
    tracks: null,
  },
  emptyTrackList: {
    id: 'noTracks001',
    does: 'An empty list of caption tracks, and no sound',
    expects: 'no_subtitles',
    expectsWithRecognition: 'transcript_download_failed',
    title: 'No tracks',
    tracks: [],
  },
  noSpeech: {
    ...soundOnly('noSpeech001', 'No captions, and sound without speech'),
    expectsWithRecognition: 'empty_transcript',
    says: '',
  },
  soundForbidden: soundFault('soundForb01', '403 instead of the sound', 'forbidden'),
  soundServerError: soundFault('soundErr500', '500 instead of the sound', 'server-error'),
  soundHtml: soundFault('soundHtml01', 'HTML instead of the sound', 'html'),
  soundEmpty: soundFault('soundEmpty1', 'An empty body instead of the sound', 'empty'),
  soundCutShort: soundFault('soundCut001', 'The connection ends in the middle of the sound', 'cut-short'),
  soundStalls: soundFault('soundStall1', 'Half of the sound, then nothing', 'stalls'),
  soundEndless: soundFault('soundEndls1', 'Endless sound, regardless of the announced size', 'endless'),
  soundRedirect: soundFault('soundLead01', 'A redirect to another server instead of the sound', 'redirect-elsewhere'),
  soundElsewhere: {
    ...soundOnly('soundLead02', 'Sound with a link to another server'),
    soundLink: '{other}/videoplayback',
  },
  soundVeryLong: {
    ...soundOnly('soundLong01', 'Sound with an announced duration of eleven hours'),
    soundClaims: { durationMs: 11 * HOUR_MS },
  },
  soundVeryLarge: {
    ...soundOnly('soundLarge1', 'Sound with an announced size of 20 gigabytes'),
    soundClaims: { sizeBytes: 20_000_000_000 },
  },
} as const satisfies Record<string, Video>;

function soundOnly(id: string, does: string) {
  return {
    id,
    does,
    expects: 'no_subtitles',
    expectsWithRecognition: 'transcript_download_failed' as Video['expects'],
    title: '冇字幕嘅片',
    tracks: null,
    says: SAYS,
  } as const satisfies Video;
}

function soundFault(id: string, does: string, reaction: Reaction) {
  return { ...soundOnly(id, does), reactions: { sound: reaction } } satisfies Video;
}
