import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { NotFoundError, type TranscriptionJob } from '@jyutsing/client';
import { recordingOf } from './recording-argument.ts';
import { submitRecording } from './submit-recording.ts';
import type { McpSurroundings } from './surroundings.ts';
import { openToolCall, refusalResult, type ToolCall } from './tool-call.ts';
import { linkTo } from './transcripts.ts';

const DESCRIPTION = `Writes down what is said in a recording or video. The transcript stays in the account, and its request_id
works in the other tools. Charged by the second of sound.`;

/** `transcribe`: the text of a recording, with the progress of the work. */
export function addTranscribeTool(server: McpServer, surroundings: McpSurroundings): void {
  const inputSchema = {
    file: z.string().optional().describe(surroundings.fileMeaning),
    url: z.string().optional().describe('In place of `file`: a public address of the recording itself.'),
    language: z.string().optional().describe('cantonese (default), mandarin, english, or auto to tell it by ear.'),
    speakers: z.boolean().optional().describe('Whether to say who speaks. Default: false.'),
    context: z.string().optional().describe('Topic, names and terms that may be said.'),
    format: z.enum(['txt', 'srt', 'vtt', 'md']).optional().describe('Default: txt. Subtitles have times.'),
    title: z.string().optional().describe('A title for the transcript in lists.'),
  };
  const outputSchema = {
    request_id: z.string(),
    language: z.string(),
    duration_s: z.number(),
    text: z.string(),
    notice: z.string().optional(),
  };
  const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
  server.registerTool(
    'transcribe',
    { title: 'Transcribe a recording', description: DESCRIPTION, inputSchema, outputSchema, annotations },
    async ({ format = 'txt', language, context, title, speakers, ...recording }, extra) => {
      try {
        const call = openToolCall(extra);
        const source = recordingOf(recording, surroundings);
        const options = { language, context, title, diarization: speakers };
        const tell = (fraction: number) => void call.report({ progress: fraction * 0.01, total: 1, message: 'upload' });
        const job = await submitRecording(surroundings.client, source, options, tell, call.cancelled);
        await finish(job, call);
        const [text, { language: spoken, duration_s, notice }] = await Promise.all([job[format](), job.json()]);
        const transcript = { request_id: job.id, language: spoken, duration_s, text };
        return {
          content: [
            { type: 'text', text: notice === undefined ? text : `${text}\n(${notice})` },
            linkTo(job.id, title),
          ],
          structuredContent: notice === undefined ? transcript : { ...transcript, notice },
        };
      } catch (failure) {
        return refusalResult(failure);
      }
    },
  );
}

/** Waits with progress. A cancelled call ends the work on the server and frees its quota. */
async function finish(job: TranscriptionJob, { signal, cancelled, report }: ToolCall): Promise<void> {
  try {
    for await (const { fraction, stage } of job.progress({ signal })) {
      await report({ progress: 0.01 + fraction * 0.99, total: 1, message: stage });
    }
  } catch (failure) {
    if (cancelled.aborted && !(failure instanceof NotFoundError)) await job.cancel();
    throw failure;
  }
}
