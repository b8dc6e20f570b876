import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Language, SpeechFormat } from '@jyutsing/client';
import { recordingOf } from './recording-argument.ts';
import type { McpSurroundings } from './surroundings.ts';
import { openToolCall, refusalResult, textResult, withSignsOfLife } from './tool-call.ts';

const MEDIA_TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
};
const LANGUAGE = z.string().optional().describe('cantonese (default), mandarin or english.');
/** These change nothing in the account, and give the same for the same. */
const PURE = { readOnlyHint: true, openWorldHint: false };

/** `speak`, `score` and `jyutping`. */
export function addLanguageTools(server: McpServer, surroundings: McpSurroundings): void {
  addSpeakTool(server, surroundings);
  addScoreTool(server, surroundings);
  addJyutpingTool(server, surroundings);
}

function addSpeakTool(server: McpServer, { client, saveFile }: McpSurroundings): void {
  const path = z.string().optional().describe('A file to write, in place of returning the sound.');
  const inputSchema = {
    text: z.string().describe('Plain text, or SSML that begins with <speak.'),
    voice: z.string().optional().describe('The id of a voice, or default, female, male.'),
    language: LANGUAGE,
    speed: z.number().optional().describe('0.5 to 3. Default: 1, the pace of the voice.'),
    format: z.enum(['mp3', 'wav', 'ogg', 'flac']).optional().describe('Default: mp3.'),
    ...(saveFile === undefined ? {} : { path }),
  };
  server.registerTool(
    'speak',
    {
      title: 'Speak a text',
      description: 'Makes a sound file in which a voice says a text. Charged by the character.',
      inputSchema,
      annotations: { ...PURE, readOnlyHint: saveFile === undefined },
    },
    async ({ text, format = 'mp3', ...options }, extra) => {
      try {
        const call = openToolCall(extra);
        const { path: target, ...spoken } = options as typeof options & { path?: string };
        const speech = client.speak(text, { ...spoken, format, signal: call.signal });
        const bytes = Buffer.from(await (await withSignsOfLife(call, 'speaking', speech.blob())).arrayBuffer());
        if (target !== undefined && saveFile !== undefined) {
          await saveFile(target, bytes);
          return textResult(`The speech is in ${target}.`);
        }
        const sound = { type: 'audio', data: bytes.toString('base64'), mimeType: MEDIA_TYPES[format] } as const;
        return { content: [sound] };
      } catch (failure) {
        return refusalResult(failure);
      }
    },
  );
}

function addScoreTool(server: McpServer, surroundings: McpSurroundings): void {
  const { client, fileMeaning } = surroundings;
  const inputSchema = {
    file: z.string().describe(fileMeaning.replace(' Larger ones by `url`.', '')),
    text: z.string().describe('The text that was read aloud.'),
    language: LANGUAGE,
    speaker: z.string().optional().describe('An id of the person, for better judgement of their tones.'),
  };
  server.registerTool(
    'score',
    {
      title: 'Score a pronunciation',
      description: 'Compares a recording of up to 60 seconds with the text that was read. Returns scores by syllable.',
      inputSchema,
      annotations: PURE,
    },
    async ({ file, text, language, speaker }, extra) => {
      try {
        const call = openToolCall(extra);
        const options = { language: language as Language | undefined, speaker, signal: call.signal };
        const recording = recordingOf({ file }, surroundings);
        const { ...score } = await withSignsOfLife(call, 'scoring', client.score(recording, text, options));
        return textResult(JSON.stringify(score), score);
      } catch (failure) {
        return refusalResult(failure);
      }
    },
  );
}

function addJyutpingTool(server: McpServer, { client }: McpSurroundings): void {
  server.registerTool(
    'jyutping',
    {
      title: 'Romanize Cantonese',
      description: 'Returns the readings of a Cantonese text in Jyutping, such as nei5 hou2. Costs nothing.',
      inputSchema: { text: z.string() },
      outputSchema: { jyutping: z.string() },
      annotations: { ...PURE, idempotentHint: true },
    },
    async ({ text }, { signal }) => {
      try {
        const jyutping = await client.jyutping(text, { signal });
        return textResult(jyutping, { jyutping });
      } catch (failure) {
        return refusalResult(failure);
      }
    },
  );
}
