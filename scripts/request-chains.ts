/** The files that carry a request from its route to the engine, in the order in which they run. */
type RequestChain = {
  request: string;
  /** Files that know this kind of request. */
  own: readonly string[];
  /** Infrastructure that every request of the same form passes. */
  shared: readonly string[];
};

const JSON_BODY = ['server/http/route.ts', 'server/http/json-body.ts'];
const FORM_BODY = ['server/http/route.ts', 'server/http/form-body.ts', 'server/http/upload.ts'];
const WORKERS = ['server/workers/worker-pools.ts', 'server/workers/worker-main.ts', 'server/workers/engine-cache.ts'];

export const CHAINS: readonly RequestChain[] = [
  {
    request: 'POST /api/stt',
    own: [
      'server/http/transcription/submit-route.ts',
      'server/http/transcription/accept.ts',
      'server/jobs/transcribe.ts',
      'server/wire-transcription.ts',
      'server/workers/tasks/transcribe.ts',
      'server/features/transcription/transcribe.ts',
      'server/features/transcription/recognize-recording.ts',
      'packages/engines/builtin/recognizer.ts',
    ],
    shared: [...FORM_BODY, ...WORKERS],
  },
  {
    request: 'POST /api/tts-stream',
    own: [
      'server/http/synthesis/stream-route.ts',
      'server/http/synthesis/speak.ts',
      'server/features/synthesis/speech-service.ts',
      'server/features/synthesis/stream-speech.ts',
      'server/wire-tts.ts',
      'server/workers/tasks/speak.ts',
      'server/workers/synthesize-parts.ts',
      'packages/engines/espeak/synthesizer.ts',
    ],
    shared: [...JSON_BODY, ...WORKERS],
  },
  {
    request: 'POST /api/score-pronunciation',
    own: [
      'server/http/pronunciation/route.ts',
      'server/workers/tasks/score.ts',
      'server/features/pronunciation/score-recording.ts',
      'packages/engines/builtin/pronunciation-assessor.ts',
    ],
    shared: [...FORM_BODY, ...WORKERS],
  },
  {
    request: 'POST /api/video-summary/summarize-from-url',
    own: [
      'server/http/video-summary/route.ts',
      'server/wire-video-summary.ts',
      'server/features/video-summary/summarize-video.ts',
      'packages/engines/youtube/caption-source.ts',
      'packages/engines/builtin/summarizer.ts',
    ],
    shared: JSON_BODY,
  },
];

/**
 * Files that a typical addition creates or edits. `<name>` stands for the name of the new thing.
 */
type Addition = { addition: string; touched: readonly string[] };

export const ADDITIONS: readonly Addition[] = [
  { addition: 'an engine', touched: ['packages/engines/<name>/<ability>.ts'] },
  {
    addition: 'an endpoint',
    touched: ['server/http/<resource>/route.ts', 'server/http/<resource>/schema.ts', 'server/http/server.ts'],
  },
  {
    addition: 'an ability that runs in a worker',
    touched: [
      'packages/contracts/<ability>.ts',
      'packages/contracts/abilities.ts',
      'packages/engines/<name>/<ability>.ts',
      'server/workers/tasks/<task>.ts',
    ],
  },
  {
    addition: 'an error code',
    touched: ['packages/contracts/errors.ts', 'docs/errors.md', 'console/i18n/en.ts', 'console/i18n/zh-hk.ts'],
  },
  {
    addition: 'a subtitle format',
    touched: [
      'server/features/transcription/format.ts',
      'server/http/transcription/transcript-file.ts',
      'server/http/transcription/record-routes.ts',
    ],
  },
  {
    addition: 'an audio format of uploads',
    touched: ['packages/contracts/audio.ts', 'packages/audio/container.ts'],
  },
];
