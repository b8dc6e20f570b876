import { describe, expect, test } from 'vitest';
import type { Segment } from '@jyutsing/contracts/transcript';
import type {
  CompletedTranscription,
  TranscriptionOptions,
  TranscriptionRecord,
  TranscriptionResult,
} from '@jyutsing/contracts/transcription';
import { newRecord } from '#test/transcription-records.ts';
import { Record as RecordSchema } from './record-schema.ts';
import { resultOf, viewBlocking, viewListed, viewRecord } from './record-view.ts';

const CUES = { maxCharacters: 20, maxMs: 7_000 };
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

const segment = (text: string, startMs: number, speaker: string | null): Segment => ({
  text,
  startMs,
  endMs: startMs + 1_500,
  words: [],
  speaker,
  confidence: null,
});
const recognized = (speakers: boolean) => [
  segment('早晨', 0, speakers ? 'b' : null),
  segment('你好媽', 4_000, speakers ? 'a' : null),
];
const fused = (speakers: boolean) =>
  recognized(speakers).map((segment) => ({ ...segment, text: segment.text.replace('媽', '嗎') }));

type Wishes = {
  times?: boolean;
  speakers?: boolean;
  context?: string;
  fusion?: boolean;
  cached?: boolean;
  cutOff?: boolean;
  film?: boolean;
};

const DTS = { codec: 'dts', channels: 6, language: 'yue', title: null };
const AAC = { codec: 'aac', channels: 2, language: 'yue', title: 'Stereo' };

function recordOf(status: TranscriptionRecord['status'], wishes: Wishes): TranscriptionRecord {
  const {
    times = false,
    speakers = false,
    context = null,
    fusion = false,
    cached = false,
    cutOff = false,
    film = false,
  } = wishes;
  const options: TranscriptionOptions = {
    language: 'auto',
    withTimestamp: times,
    withDiarization: speakers,
    context,
    skipFusion: !fusion,
    corpusIds: null,
    model: null,
  };
  const result: TranscriptionResult = {
    language: 'cantonese',
    backend: 'builtin',
    segments: recognized(speakers),
    fusion: fusion ? { segments: fused(speakers), romanization: ['zou2 san4', 'nei5 hou2 maa3'] } : null,
    durationMs: 6_000,
    transcriptionSeconds: 2.5,
    fusionSeconds: fusion ? 0.5 : 0,
    isCached: cached,
    ...(cutOff ? { notice: 'cut_off' } : {}),
    ...(film
      ? {
          tracks: [
            { ...DTS, isUsed: false },
            { ...AAC, isUsed: true },
          ],
        }
      : {}),
  };
  const isFinal = status === 'completed' || status === 'failed';
  return newRecord('somebody', {
    id: ID,
    status,
    options,
    backend: 'auto',
    durationMs: 6_000,
    result: status === 'completed' ? result : null,
    error: status === 'failed' ? { code: 'timed_out', message: 'It took too long.' } : null,
    processingSeconds: isFinal ? 3 : null,
    creditsUsed: status === 'completed' ? 6 : null,
    createdAtMs: Date.UTC(2026, 10, 21),
    finishedAtMs: isFinal ? Date.UTC(2026, 10, 21, 0, 1) : null,
  });
}

const ALWAYS = { request_id: ID, duration_s: 6 };
const RUNNING = {
  ...ALWAYS,
  output_language: 'auto',
  backend: 'auto',
  with_diarization: false,
  include_timestamp: false,
};
const DONE = {
  ...ALWAYS,
  status: 'completed',
  output_language: 'cantonese',
  backend: 'builtin',
  // Only with the built-in model.
  quality: 'fallback',
  with_diarization: false,
  include_timestamp: false,
  processing_time: 3,
  transcription_time: 2.5,
  fusion_time: 0,
  credits_used: 6,
};
const FUSED = {
  ...DONE,
  fusion_time: 0.5,
  transcription: '早晨 你好媽',
  jyutping_transcription: 'zou2 san4 nei5 hou2 maa3',
  fused_transcription: '早晨 你好嗎',
};
const FAILURE = { error: 'It took too long.', error_code: 'timed_out' };
const block = (first: string, second: string) =>
  `1\n00:00:00,000 --> 00:00:01,500\n${first}\n\n2\n00:00:04,000 --> 00:00:05,500\n${second}\n\n`;

/** The exact fields of every state (section 2.6 of the interface). */
const TABLE: [string, TranscriptionRecord['status'], Wishes, Record<string, unknown>][] = [
  ['pending', 'pending', {}, { ...RUNNING, status: 'pending' }],
  ['processing', 'processing', {}, { ...RUNNING, status: 'processing' }],
  [
    'processing with everything asked for',
    'processing',
    { times: true, speakers: true, context: '天氣', fusion: true },
    { ...RUNNING, status: 'processing', with_diarization: true, include_timestamp: true, context: '天氣' },
  ],
  ['failed', 'failed', {}, { ...ALWAYS, status: 'failed', output_language: 'auto', processing_time: 3, ...FAILURE }],
  [
    'failed with a context and fusion',
    'failed',
    { context: '天氣', fusion: true, times: true },
    {
      ...ALWAYS,
      status: 'failed',
      output_language: 'auto',
      context: '天氣',
      processing_time: 3,
      ...FAILURE,
    },
  ],
  ['completed', 'completed', {}, { ...DONE, transcription: '早晨 你好媽' }],
  ['completed with a context', 'completed', { context: 'a' }, { ...DONE, context: 'a', transcription: '早晨 你好媽' }],
  ['completed and fused', 'completed', { fusion: true }, FUSED],
  [
    'completed with times',
    'completed',
    { times: true },
    { ...DONE, include_timestamp: true, transcription: block('早晨', '你好媽') },
  ],
  [
    'completed and fused with times',
    'completed',
    { times: true, fusion: true },
    {
      ...FUSED,
      include_timestamp: true,
      transcription: block('早晨', '你好媽'),
      jyutping_transcription: block('zou2 san4', 'nei5 hou2 maa3'),
      fused_transcription: block('早晨', '你好嗎'),
    },
  ],
  [
    'completed with speakers',
    'completed',
    { speakers: true },
    {
      ...DONE,
      with_diarization: true,
      transcription: '早晨 你好媽',
      diarization: 'SPEAKER_00: 早晨\nSPEAKER_01: 你好媽',
    },
  ],
  [
    'completed and fused with speakers',
    'completed',
    { speakers: true, fusion: true },
    { ...FUSED, with_diarization: true, diarization: 'SPEAKER_00: 早晨\nSPEAKER_01: 你好嗎' },
  ],
  [
    'completed and fused with times and speakers',
    'completed',
    { times: true, speakers: true, fusion: true },
    {
      ...FUSED,
      with_diarization: true,
      include_timestamp: true,
      transcription: block('SPEAKER_00: 早晨', 'SPEAKER_01: 你好媽'),
      jyutping_transcription: block('SPEAKER_00: zou2 san4', 'SPEAKER_01: nei5 hou2 maa3'),
      fused_transcription: block('SPEAKER_00: 早晨', 'SPEAKER_01: 你好嗎'),
    },
  ],
  [
    'completed as far as the recording goes',
    'completed',
    { cutOff: true },
    { ...DONE, transcription: '早晨 你好媽', notice: 'cut_off' },
  ],
  [
    'completed from one of several tracks',
    'completed',
    { film: true },
    {
      ...DONE,
      transcription: '早晨 你好媽',
      tracks: [
        { ...DTS, used: false },
        { ...AAC, used: true },
      ],
    },
  ],
  ['completed from the cache', 'completed', { cached: true, fusion: true }, { ...FUSED, is_cached: true }],
];

describe('the fields of a record', () => {
  test.each(TABLE)('%s', async (_, status, wishes, expected) => {
    const view = await viewRecord(recordOf(status, wishes), CUES);
    expect(view).toEqual(expected);
    // A key with `undefined` would be absent in JSON, so it must not be expected here.
    expect(Object.keys(view).sort()).toEqual(Object.keys(expected).sort());
    expect(RecordSchema.parse(view)).toEqual(expected);
  });

  test.each(TABLE)('%s, in a list without texts', (_, status, wishes, expected) => {
    const texts = [
      'transcription',
      'jyutping_transcription',
      'fused_transcription',
      'diarization',
      'transcription_time',
      'fusion_time',
      'is_cached',
      'notice',
      'tracks',
      // The planned backend of these records is `auto`, which is no fallback.
      'quality',
    ];
    const { result: _result, ...summary } = { result: null, ...recordOf(status, wishes) };
    const isFinal = status === 'completed' || status === 'failed';
    const rest = Object.fromEntries(Object.entries(expected).filter(([name]) => !texts.includes(name)));
    expect(viewListed({ ...summary, outputLanguage: summary.outputLanguage })).toEqual({
      ...rest,
      // The store writes the final values when it completes a record; this record was never stored.
      output_language: 'auto',
      ...(status === 'failed' ? {} : { backend: 'auto' }),
      created_at: '2026-11-21T00:00:00.000Z',
      ...(isFinal ? { finished_at: '2026-11-21T00:01:00.000Z' } : {}),
    });
  });
});

test('silence gives all texts as empty strings', async () => {
  const record = recordOf('completed', { speakers: true });
  const silent = { ...record, result: { ...resultOf(record), segments: [] } } as CompletedTranscription;
  expect(await viewRecord(silent, CUES)).toMatchObject({ transcription: '', diarization: '' });
  expect(await viewBlocking(silent, CUES)).toMatchObject({ text: '', diarization: '' });
});

describe('the blocking answer', () => {
  const base = { duration: '6.000000', process_time: 3 };
  test.each<[string, Wishes, Record<string, unknown>]>([
    ['plain', {}, { ...base, text: '早晨 你好媽' }],
    ['fused', { fusion: true }, { ...base, text: '早晨 你好嗎' }],
    ['fused with times', { fusion: true, times: true }, { ...base, text: block('早晨', '你好嗎') }],
    [
      'fused with speakers',
      { fusion: true, speakers: true },
      { ...base, text: '早晨 你好嗎', diarization: 'SPEAKER_00: 早晨\nSPEAKER_01: 你好嗎' },
    ],
    [
      'with times and speakers',
      { times: true, speakers: true },
      { ...base, text: block('SPEAKER_00: 早晨', 'SPEAKER_01: 你好媽') },
    ],
    ['cached', { cached: true }, { ...base, text: '早晨 你好媽', is_cached: true }],
    ['cut off', { cutOff: true }, { ...base, text: '早晨 你好媽', notice: 'cut_off' }],
  ])('%s', async (_, wishes, expected) => {
    expect(await viewBlocking(recordOf('completed', wishes), CUES)).toEqual(expected);
  });

  test('of a failed one is its error', async () => {
    await expect(viewBlocking(recordOf('failed', {}), CUES)).rejects.toThrow('It took too long.');
  });
});
