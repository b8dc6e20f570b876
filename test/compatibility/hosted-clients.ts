/**
 * Requests of public programs that call the hosted service: the shapes of their requests and what
 * they read of the answers. Facts found in their repositories; none of their code is here.
 */

/** The parts of an answer that a program reads. */
export type Reads =
  /** A sound file as the whole body. */
  | { sound: 'mp3' | 'wav' }
  /** JSON with the file in base64 and times. */
  | { timed: 'wav' }
  /** JSON with a text; `blocks`: as numbered blocks with times. */
  | { text: 'plain' | 'blocks' }
  /** JSON with the score of a recording. */
  | { score: true }
  /** JSON with the readings of a text. */
  | { jyutping: 'text' | 'list' }
  /** JSON with a list of voices. */
  | { voices: true };

type Call = {
  method?: 'GET';
  path: string;
  /** The places in which the key is sent. */
  key: 'field' | 'bearer' | 'bearer and x-api-key' | 'query' | 'none';
  json?: Record<string, unknown>;
  /** A form: fields, and the file with its field, name and type. */
  form?: { fields?: Record<string, string>; file: [field: string, name: string, type: string] };
  reads: Reads;
};

export type HostedClient = { repository: string; file: string; calls: readonly Call[] };

/** A voice of the hosted service. */
const THEIR_VOICE = '2725cf0f-efe2-4132-9e06-62ad84b2973d';
const OTHER_VOICE = '776fc91d-9d92-46b6-8522-e8317f687892';
const TEXT = '你今日食咗飯未？';

const EXAMPLE = {
  text: TEXT,
  frame_rate: '24000',
  speed: 1,
  duration: 2,
  pitch: 0,
  language: 'cantonese',
  output_extension: 'wav',
  voice_id: THEIR_VOICE,
  should_enhance: false,
  should_convert_from_simplified_to_traditional: true,
};

/** A request to the address in OpenAI's shape. */
const transcribing = (fields: Record<string, string>, file: [string, string, string]): Call => ({
  path: '/v1/audio/transcriptions',
  key: 'bearer',
  form: { fields, file },
  reads: { text: 'plain' },
});

export const HOSTED_CLIENTS: readonly HostedClient[] = [
  {
    repository: 'Keith-Hon/docs.cantonese.ai',
    file: 'example-codes/*',
    calls: [
      { path: '/api/tts', key: 'field', json: EXAMPLE, reads: { sound: 'wav' } },
      { path: '/api/tts', key: 'field', json: { ...EXAMPLE, should_return_timestamp: true }, reads: { timed: 'wav' } },
      {
        path: '/',
        key: 'field',
        form: {
          fields: { with_timestmap: 'false', with_diarization: 'false' },
          file: ['data', 'audio.wav', 'audio/wav'],
        },
        reads: { text: 'plain' },
      },
      transcribing({ model: '', language: 'zh' }, ['file', 'audio.wav', 'audio/wav']),
      {
        path: '/v1/text-to-speech',
        key: 'bearer',
        json: { text: '你好世界', voice: 'default', language: 'cantonese', format: 'mp3' },
        reads: { sound: 'mp3' },
      },
      {
        path: '/v1/text-to-speech',
        key: 'bearer',
        json: { text: '你好世界', voice: 'female-1', format: 'mp3' },
        reads: { sound: 'mp3' },
      },
    ],
  },
  {
    repository: 'hhy-joseph/cantonese-ai-mcp-server',
    file: 'server.py',
    calls: [
      {
        path: '/v1/text-to-speech',
        key: 'bearer',
        json: { text: TEXT, voice: 'default', language: 'cantonese', format: 'mp3' },
        reads: { sound: 'mp3' },
      },
      {
        path: '/v1/speech-to-text',
        key: 'bearer',
        form: { file: ['audio', 'audio.wav', ''] },
        reads: { text: 'plain' },
      },
    ],
  },
  {
    repository: 'larches-technologies/openclaw',
    file: 'extensions/cantonese-ai/*',
    calls: [
      {
        path: '/api/tts',
        key: 'field',
        json: {
          text: TEXT,
          output_extension: 'wav',
          should_return_timestamp: false,
          voice_id: THEIR_VOICE,
          model_id: 'v6',
          speed: 1.2,
          pitch: 0,
          frame_rate: '24000',
          language: 'cantonese',
        },
        reads: { sound: 'wav' },
      },
      transcribing({ model: 'v2', language: 'zh' }, ['file', 'note.wav', 'audio/wav']),
    ],
  },
  {
    repository: 'larches-technologies/clawvoice',
    file: 'src/services/CantoneseAISpeechService.ts',
    calls: [
      {
        path: '/api/tts',
        key: 'field',
        json: {
          text: TEXT,
          voice_id: THEIR_VOICE,
          model_id: 'v5',
          speed: 1,
          pitch: 0,
          language: 'cantonese',
          output_extension: 'mp3',
          should_return_timestamp: false,
        },
        reads: { sound: 'mp3' },
      },
      transcribing({ language: 'yue' }, ['file', 'speech.m4a', 'audio/m4a']),
      { method: 'GET', path: '/api/voices', key: 'bearer and x-api-key', reads: { voices: true } },
    ],
  },
  {
    repository: 'flantzhk/shadowspeaklaunch',
    file: 'src/services/api.js',
    calls: [
      {
        path: '/score-pronunciation',
        key: 'bearer',
        form: { fields: { text: TEXT, language: 'cantonese' }, file: ['audio', 'recording.ogg', 'audio/ogg'] },
        reads: { score: true },
      },
      {
        path: '/tts',
        key: 'bearer',
        json: {
          text: TEXT,
          language: 'cantonese',
          speed: 1,
          output_extension: 'mp3',
          should_use_turbo_model: false,
        },
        reads: { sound: 'mp3' },
      },
      {
        path: '/stt',
        key: 'bearer',
        form: { file: ['data', 'recording.ogg', 'audio/ogg'] },
        reads: { text: 'plain' },
      },
      {
        path: '/api/text-to-jyutping',
        key: 'none',
        json: { text: '你好', outputType: 'list' },
        reads: { jyutping: 'list' },
      },
    ],
  },
  {
    repository: 'flantzhk/shadowhk',
    file: 'scripts/generate-scene-audio.mjs',
    calls: [
      {
        path: '/api/tts',
        key: 'field',
        json: {
          text: `${TEXT}。蘋果蘋果蘋果`,
          language: 'cantonese',
          speed: 1,
          output_extension: 'mp3',
          should_use_turbo_model: false,
          voice_id: '50a9a698-1f99-437c-a07d-9cad435c5f8a',
        },
        reads: { sound: 'mp3' },
      },
    ],
  },
  {
    repository: 'flantzhk/ShadowSpeak',
    file: 'cloudflare-worker-proxy.js',
    calls: [
      {
        path: '/api/score-pronunciation',
        key: 'field',
        form: { fields: { text: TEXT, language: 'cantonese' }, file: ['audio', 'blob', ''] },
        reads: { score: true },
      },
    ],
  },
  {
    repository: 'eriktheninjadog/rfbackend',
    file: 'cantonese_ai.py',
    calls: [
      {
        path: '/',
        key: 'field',
        form: {
          fields: {
            with_timestmap: 'true',
            with_diarization: 'true',
            with_punctuation: 'true',
            with_word_timestamps: 'true',
            with_speaker_labels: 'false',
            with_speaker_timestamps: 'true',
            with_speaker_diarization: 'false',
          },
          file: ['data', 'audio.wav', 'audio/wav'],
        },
        reads: { text: 'blocks' },
      },
    ],
  },
  {
    repository: 'xiguagaizi/yueyu',
    file: 'server.mjs',
    calls: [
      {
        path: '/api/score-pronunciation',
        key: 'field',
        form: {
          fields: { text: TEXT, language: 'cantonese' },
          file: ['audio', 'audio.wav', 'application/octet-stream'],
        },
        reads: { score: true },
      },
    ],
  },
  {
    repository: 'jurgenmoltbot/cantonese-tutor',
    file: 'server.js',
    calls: [
      {
        path: '/',
        key: 'field',
        form: { fields: { with_timestamp: 'false' }, file: ['data', 'a1b2c3', 'application/octet-stream'] },
        reads: { text: 'plain' },
      },
      {
        path: '/api/tts',
        key: 'field',
        json: {
          text: TEXT,
          language: 'cantonese',
          voice_id: OTHER_VOICE,
          output_extension: 'mp3',
          frame_rate: '24000',
          speed: 1,
          should_enhance: true,
        },
        reads: { sound: 'mp3' },
      },
      {
        path: '/api/score',
        key: 'field',
        form: { fields: { text: TEXT }, file: ['audio', 'a1b2c3', 'application/octet-stream'] },
        reads: { score: true },
      },
    ],
  },
  {
    repository: 'lycheecheeee/net-zhi-ji-voice-api',
    file: 'src/app/api/radio/route.ts',
    calls: [
      {
        path: '/api/tts',
        key: 'field',
        json: {
          text: TEXT,
          frame_rate: '24000',
          speed: 1,
          pitch: 0,
          language: 'cantonese',
          output_extension: 'wav',
          voice_id: THEIR_VOICE,
          should_return_timestamp: false,
        },
        reads: { sound: 'wav' },
      },
    ],
  },
  {
    repository: 'lycheecheeee/net-chai-ji-voice',
    file: 'main.py',
    calls: [
      {
        path: '/api/tts',
        key: 'field',
        json: {
          text: TEXT,
          frame_rate: '24000',
          speed: 1,
          pitch: 0,
          language: 'cantonese',
          output_extension: 'wav',
          voice_id: '91b6d38b-d4e9-42ce-bf3c-9793741c0d18',
          should_return_timestamp: false,
          should_enhance: true,
          should_use_turbo_model: true,
        },
        reads: { sound: 'wav' },
      },
    ],
  },
  {
    repository: 'lycheecheeee/ETLite',
    file: 'backend/app/services/cantonese_tts_service.py',
    calls: [
      {
        path: '/api/tts',
        key: 'field',
        json: {
          text: TEXT,
          voice_id: THEIR_VOICE,
          frame_rate: '24000',
          speed: 1,
          pitch: 0,
          language: 'cantonese',
          output_extension: 'wav',
          should_return_timestamp: true,
          should_enhance: false,
          should_use_turbo_model: false,
        },
        reads: { timed: 'wav' },
      },
    ],
  },
  {
    repository: 'lawsonhan/voice-agent-demo',
    file: 'backend/services.py',
    calls: [
      {
        path: '/',
        key: 'field',
        form: {
          fields: { with_timestamp: 'false', with_diarization: 'false' },
          file: ['data', 'audio.wav', 'audio/wav'],
        },
        reads: { text: 'plain' },
      },
      {
        path: '/api/tts',
        key: 'field',
        json: { text: TEXT, frame_rate: 24_000, speed: 1, language: 'cantonese', output_extension: 'mp3' },
        reads: { sound: 'mp3' },
      },
    ],
  },
  {
    repository: 'woodrex83/HackTheNightAway',
    file: 'app/api/stt/route.ts',
    calls: [transcribing({ language: 'zh' }, ['file', 'recording.webm', 'audio/webm'])],
  },
  {
    // Its request is written down in a comment; the program itself answers from memory.
    repository: 'spencercsheehan1/learn-cantonese-app',
    file: 'src/utils/speechRecognition.ts',
    calls: [
      {
        path: '/speech-to-text',
        key: 'bearer',
        form: { file: ['audio', 'speech.m4a', 'audio/m4a'] },
        reads: { text: 'plain' },
      },
    ],
  },
];
