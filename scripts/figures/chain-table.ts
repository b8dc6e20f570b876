/**
 * A place where a request passes from one file to another without an import: a queue, a process, a
 * function that wiring injects, an engine that is opened by its name. `word` is an identifier of
 * both files.
 */
export type Passage = { from: string; word: string; to: string };

/** The flow of one kind of request, from the file of its route to the files of its engines. */
export type RequestFlow = {
  request: string;
  route: string;
  engines: readonly string[];
  /** Files that the request passes before `run` of its route: they authenticate, read and check. */
  receivers: readonly string[];
  passages: readonly Passage[];
  /**
   * Functions that run for every segment on its way from the recognizer to the client, as
   * `path#function`: generators, loops and callbacks, but no function that only returns what
   * another one yields. Empty where none are counted.
   */
  stations: readonly string[];
};

const RECEIVE_FORM = ['server/http/route.ts', 'server/http/form-body.ts', 'server/http/upload.ts'];
const RECEIVE_JSON = ['server/http/route.ts', 'server/http/json-body.ts'];

/** From the pools to the task `name` and to an engine that it opens, in another process. */
function throughWorker(task: string, engine: string): Passage[] {
  const WORKER_MAIN = 'server/workers/worker-main.ts';
  const SERVE_TASKS = 'server/workers/pool/serve-tasks.ts';
  return [
    { from: 'server/workers/pool/worker-process.ts', word: 'ChildMessage', to: 'server/workers/pool/protocol.ts' },
    { from: 'server/workers/pool/protocol.ts', word: 'ParentMessage', to: SERVE_TASKS },
    { from: 'server/workers/pool/worker-process.ts', word: 'taskId', to: SERVE_TASKS },
    { from: SERVE_TASKS, word: 'serveTasks', to: WORKER_MAIN },
    { from: WORKER_MAIN, word: 'task', to: task },
    { from: 'server/workers/engine-cache.ts', word: 'open', to: engine },
  ];
}

const RECOGNIZER = 'packages/engines/builtin/recognizer.ts';
const ASSESSOR = 'packages/engines/builtin/pronunciation-assessor.ts';
const SYNTHESIZER = 'packages/engines/espeak/synthesizer.ts';

const TRANSCRIPTION_TASK = 'server/workers/tasks/transcribe.ts';
const TRANSCRIPTION_JOB = 'server/jobs/transcribe.ts';

export const REQUEST_FLOWS: readonly RequestFlow[] = [
  {
    request: 'POST /api/stt',
    route: 'server/http/transcription/submit-route.ts',
    engines: [RECOGNIZER],
    receivers: RECEIVE_FORM,
    passages: [
      { from: 'server/http/transcription/accept.ts', word: 'enqueue', to: 'server/queue/sqlite-queue.ts' },
      { from: 'server/queue/sqlite-queue.ts', word: 'Job', to: 'server/queue/running-jobs.ts' },
      { from: 'server/queue/running-jobs.ts', word: 'job', to: TRANSCRIPTION_JOB },
      { from: TRANSCRIPTION_JOB, word: 'transcribeInWorker', to: 'server/wiring/wire-transcription.ts' },
      { from: 'server/wiring/wire-transcription.ts', word: 'stream', to: 'server/workers/worker-pools.ts' },
      // The job reads the events of the pool, which the wiring between them only returns.
      { from: TRANSCRIPTION_JOB, word: 'event', to: 'server/workers/pool/worker-pool.ts' },
      { from: 'server/workers/pool/worker-pool.ts', word: 'begin', to: 'server/workers/pool/worker-process.ts' },
      ...throughWorker(TRANSCRIPTION_TASK, RECOGNIZER),
      { from: 'server/features/transcription/recognize-recording.ts', word: 'recognize', to: RECOGNIZER },
    ],
    stations: [
      `${RECOGNIZER}#recognize`,
      'server/features/transcription/recognize-recording.ts#recognizeRecording',
      'server/features/transcription/transcribe-recording.ts#interleave',
      'server/features/transcription/transcribe-recording.ts#transcribeRecording',
      `${TRANSCRIPTION_TASK}#run`,
      'server/workers/worker-main.ts#runTask',
      'server/workers/pool/serve-tasks.ts#sendEvents',
      'server/workers/pool/worker-process.ts#receive',
      'server/workers/pool/worker-pool.ts#readEvents',
      'server/jobs/transcribe.ts#publishEvents',
      'server/jobs/transcription-updates.ts#publishSegment',
      'server/jobs/transcription-updates.ts#follow',
    ],
  },
  {
    request: 'POST /api/tts-stream',
    route: 'server/http/synthesis/stream-route.ts',
    engines: [SYNTHESIZER],
    receivers: RECEIVE_JSON,
    passages: [
      { from: 'server/http/synthesis/speak.ts', word: 'send', to: 'server/http/synthesis/stream-route.ts' },
      {
        from: 'server/http/synthesis/stream-route.ts',
        word: 'stream',
        to: 'server/features/synthesis/speech-service.ts',
      },
      { from: 'server/features/synthesis/stream-speech.ts', word: 'speak', to: 'server/wiring/wire-tts.ts' },
      { from: 'server/wiring/wire-tts.ts', word: 'stream', to: 'server/workers/worker-pools.ts' },
      ...throughWorker('server/workers/tasks/speak.ts', SYNTHESIZER),
      { from: 'server/workers/synthesize-parts.ts', word: 'synthesize', to: SYNTHESIZER },
    ],
    stations: [],
  },
  {
    request: 'POST /api/score-pronunciation',
    route: 'server/http/pronunciation/route.ts',
    engines: [ASSESSOR],
    receivers: RECEIVE_FORM,
    passages: [
      { from: 'server/http/pronunciation/route.ts', word: 'run', to: 'server/workers/fair-workers.ts' },
      { from: 'server/workers/fair-workers.ts', word: 'run', to: 'server/workers/worker-pools.ts' },
      ...throughWorker('server/workers/tasks/score.ts', ASSESSOR),
      { from: 'server/features/pronunciation/score-recording.ts', word: 'assess', to: ASSESSOR },
    ],
    stations: [],
  },
  {
    request: 'POST /api/video-summary/summarize-from-url',
    route: 'server/http/video-summary/route.ts',
    engines: ['packages/engines/youtube/caption-source.ts', 'packages/engines/builtin/summarizer.ts'],
    receivers: RECEIVE_JSON,
    passages: [
      { from: 'server/http/video-summary/route.ts', word: 'summarize', to: 'server/wiring/wire-video-summary.ts' },
      {
        from: 'server/features/video-summary/summarize-video.ts',
        word: 'openCaptionSource',
        to: 'server/wiring/wire-video-summary.ts',
      },
      {
        from: 'server/wiring/wire-video-summary.ts',
        word: 'caption-source',
        to: 'packages/engines/youtube/caption-source.ts',
      },
      { from: 'server/wiring/wire-video-summary.ts', word: 'summarizer', to: 'packages/engines/builtin/summarizer.ts' },
    ],
    stations: [],
  },
];
