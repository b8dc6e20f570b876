import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '@jyutsing/contracts/errors';
import {
  isKeptRecording,
  type CompletedTranscription,
  type TranscriptionRecord,
} from '@jyutsing/contracts/transcription';
import { clock, paragraphsOf, type ExportedTranscript } from '#features/export/exported-transcript.ts';
import { formatPlain } from '#features/transcription/format.ts';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { parseFields } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import { noBody, type AddRoute } from '#http/route.ts';
import type { RouteContext } from '#http/request-context.ts';
import { makeDeck } from '#workers/tasks/make-deck.ts';
import {
  chosenTranslation,
  exportedTranscript,
  shownSegments,
  speakersAreShown,
  subtitleOptions,
} from './export-transcript.ts';
import { findRecord, UNKNOWN_RECORD } from './find-record.ts';
import {
  DeckQuery,
  DocumentQuery,
  ExportBody,
  JsonFile,
  JsonQuery,
  RecordParams,
  SubtitleQuery,
  TxtQuery,
} from './record-schema.ts';
import type { RenderInTurn } from './rendering-turns.ts';
import { completedRecordOf, TEXT_FILES, writeJsonFile } from './transcript-file.ts';
import { transcriptionIdFrom } from './transcription-id.ts';

const TAGS = ['Speech-to-text'];
const AUTH = { scope: 'stt', rateLimit: 'request' } as const;
const FILE_ERRORS = ['not_found', 'conflict', 'invalid_parameter'] as const;
const JSON_TYPE = 'application/json; charset=utf-8';

type RouteDeps = Pick<ServerDeps, 'blobs' | 'config' | 'store' | 'workers'>;
type Content = string | Uint8Array;

/** A kind of file that is made of one transcript. */
type FileKind<Query extends z.ZodType> = {
  operationId: string;
  summary: string;
  description: string;
  mediaType: string;
  query: Query;
  /** `signal` aborts when the client has left. */
  write(record: CompletedTranscription, query: z.output<Query>, deps: RouteDeps, signal: AbortSignal): Promise<Content>;
};

const ABOUT_SPEAKERS =
  'With diarization the name of the speaker comes before each text, unless there is one without a given name.';

const TXT: FileKind<typeof TxtQuery> = {
  operationId: 'getTranscriptTxt',
  summary: 'A transcript as .txt',
  description: ABOUT_SPEAKERS,
  mediaType: 'text/plain',
  query: TxtQuery,
  async write(record, query, deps) {
    const translation = await chosenTranslation(deps, record, query);
    if (query.times === true || translation?.isBilingual === true) {
      return writeTimedText(exportedTranscript(record, query, translation), query.times === true);
    }
    const { segments, names } = shownSegments(record, query, translation);
    const areShown = query.speakers ?? speakersAreShown(record, { segments, names });
    return TEXT_FILES.txt.write(segments, areShown, deps.config.cues, names);
  },
};

/** A line for each paragraph: its time, its speaker, and the text; its translation in the next. */
function writeTimedText({ segments, showsSpeakers }: ExportedTranscript, hasTimes: boolean): string {
  return paragraphsOf(segments)
    .map(({ startMs, speaker, segments: parts }) => {
      const time = hasTimes ? `[${clock(startMs)}] ` : '';
      const name = showsSpeakers && speaker !== null ? `${speaker}: ` : '';
      const translation = formatPlain(parts.map((part) => ({ text: part.translation ?? '' })));
      return `${time}${name}${formatPlain(parts)}\n${translation === '' ? '' : `${translation}\n`}`;
    })
    .join('');
}

function subtitles(format: 'srt' | 'vtt', operationId: string, mediaType: string): FileKind<typeof SubtitleQuery> {
  return {
    operationId,
    summary: `A transcript as .${format}`,
    description: `${ABOUT_SPEAKERS} Guides for Chinese subtitles: 16 characters in each of 2 lines, 0.833 s, 9 characters a second.`,
    mediaType,
    query: SubtitleQuery,
    async write(record, query, deps) {
      const { cues: limits } = deps.config;
      const translation = await chosenTranslation(deps, record, query);
      const options = subtitleOptions(query, limits, translation?.isBilingual === true);
      if (options === null) {
        const { segments: shown, names } = shownSegments(record, query, translation);
        const areShown = query.speakers ?? speakersAreShown(record, { segments: shown, names });
        return TEXT_FILES[format].write(shown, areShown, limits, names);
      }
      const { formatCuesAsVtt, formatSrt, subtitleCues } = await import('#features/export/subtitles.ts');
      const { segments, showsSpeakers } = exportedTranscript(record, query, translation);
      const cues = await subtitleCues(segments, { ...options, speakers: showsSpeakers });
      return format === 'srt' ? formatSrt(cues) : formatCuesAsVtt(cues);
    },
  };
}

const MARKDOWN: FileKind<typeof DocumentQuery> = {
  operationId: 'getTranscriptMarkdown',
  summary: 'A transcript in Markdown',
  description: 'A paragraph for each turn.',
  mediaType: 'text/markdown',
  query: DocumentQuery,
  async write(record, query, deps) {
    const { writeMarkdown } = await import('#features/export/markdown.ts');
    const translation = await chosenTranslation(deps, record, query);
    return writeMarkdown(exportedTranscript(record, query, translation), documentOptions(query));
  },
};

const DOCX: FileKind<typeof DocumentQuery> = {
  operationId: 'getTranscriptDocx',
  summary: 'A transcript as a Word document',
  description: 'A paragraph for each turn.',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  query: DocumentQuery,
  async write(record, query, deps) {
    const { writeDocx } = await import('#features/export/docx.ts');
    const translation = await chosenTranslation(deps, record, query);
    return writeDocx(exportedTranscript(record, query, translation), documentOptions(query));
  },
};

const DECK: FileKind<typeof DeckQuery> = {
  operationId: 'getTranscriptDeck',
  summary: 'A transcript as an Anki deck',
  description: 'A card for each sentence: characters, jyutping, translation, and its sound if the recording was kept.',
  mediaType: 'application/apkg',
  query: DeckQuery,
  async write(record, query, deps, signal) {
    const { blobs, workers } = deps;
    // A card always asks for the original.
    const translation = await chosenTranslation(deps, record, { ...query, bilingual: true });
    const { title, segments } = exportedTranscript(record, query, translation);
    const keys = cardKeys(record.id, segments);
    const sentences = segments
      .map((segment, index) => ({ ...segment, key: keys[index]! }))
      .filter(({ text }) => text.trim() !== '')
      .map(({ key, text, words, translation, startMs, endMs }) => ({
        key,
        text: text.trim(),
        words,
        translation,
        startMs,
        endMs,
      }))
      .toSorted((a, b) => a.startMs - b.startMs);
    const request = {
      name: title ?? `Transcript ${new Date(record.createdAtMs).toISOString().slice(0, 10)}`,
      createdAtMs: record.createdAtMs,
      sentences,
      isCantonese: record.result.language !== 'english',
    };
    const make = (recordingPath: string | null) =>
      workers.run(makeDeck, { ...request, recordingPath }, record.accountId, signal);
    const { blobKey } = record;
    return isKeptRecording(blobKey) ? blobs.localPath(blobKey, (path) => make(path)) : make(null);
  },
};

/**
 * A key for each segment that stays when texts, names and other segments change: when it begins,
 * and after the first that begins then, a number.
 */
function cardKeys(id: string, segments: readonly { startMs: number }[]): string[] {
  const counts = new Map<number, number>();
  return segments.map(({ startMs }) => {
    const count = counts.get(startMs) ?? 0;
    counts.set(startMs, count + 1);
    return count === 0 ? `${id} ${startMs}` : `${id} ${startMs} ${count}`;
  });
}

const documentOptions = ({ times, jyutping = false }: z.output<typeof DocumentQuery>) => ({ times, jyutping });

const FILES = {
  txt: TXT,
  srt: subtitles('srt', 'getTranscriptSrt', 'application/x-subrip'),
  vtt: subtitles('vtt', 'getTranscriptVtt', 'text/vtt'),
  md: MARKDOWN,
  docx: DOCX,
};

/** The files of transcripts, and an archive with those of several. */
export function addFileRoutes(addRoute: AddRoute, deps: RouteDeps, inTurn: RenderInTurn): void {
  addJsonFileRoute(addRoute, deps, inTurn);
  addFileRoute(addRoute, deps, inTurn, 'txt', FILES.txt);
  addFileRoute(addRoute, deps, inTurn, 'srt', FILES.srt);
  addFileRoute(addRoute, deps, inTurn, 'vtt', FILES.vtt);
  addFileRoute(addRoute, deps, inTurn, 'md', FILES.md);
  addFileRoute(addRoute, deps, inTurn, 'docx', FILES.docx);
  addFileRoute(addRoute, deps, inTurn, 'apkg', DECK);
  addExportRoute(addRoute, deps, inTurn);
}

function addJsonFileRoute(addRoute: AddRoute, deps: RouteDeps, inTurn: RenderInTurn): void {
  addRoute({
    method: 'GET',
    paths: ['/api/speech-to-text/:id.json'],
    docs: {
      tags: TAGS,
      operationId: 'getTranscriptJson',
      summary: 'A transcript with all its details',
      description: 'Segments, speakers, words, characters with readings, times and confidences.',
      params: RecordParams,
      querystring: JsonQuery,
      ok: JsonFile,
      errors: FILE_ERRORS,
    },
    auth: AUTH,
    body: noBody,
    run: (context) =>
      inTurn(context.caller.account.id, abortOnDisconnect(context.reply), async () => {
        const record = await findRecord(deps, context);
        const query = parseQuery(JsonQuery, context.request);
        const translation = await chosenTranslation(deps, completedRecordOf(record), query);
        const text = await writeJsonFile(record, query, translation?.texts);
        if (deps.config.validateResponses) JsonFile.parse(JSON.parse(text));
        return { record, text };
      }),
    answer: ({ record, text }, { reply }) =>
      reply
        .header('content-type', JSON_TYPE)
        .header('etag', `"${record.editVersion}"`)
        .header('content-disposition', attachment(record, 'json'))
        .send(text),
  });
}

function addFileRoute<Query extends z.ZodType>(
  addRoute: AddRoute,
  deps: RouteDeps,
  inTurn: RenderInTurn,
  format: string,
  { operationId, summary, description, mediaType, query, write }: FileKind<Query>,
): void {
  const isText = mediaType.startsWith('text/') || mediaType === 'application/x-subrip';
  const schema = isText ? z.string() : z.string().meta({ format: 'binary' });
  addRoute({
    method: 'GET',
    paths: [`/api/speech-to-text/:id.${format}`],
    docs: {
      tags: TAGS,
      operationId,
      summary,
      description,
      params: RecordParams,
      querystring: query,
      ok: { description: 'The file.', content: { [mediaType]: { schema } } },
      errors: FILE_ERRORS,
    },
    auth: AUTH,
    body: noBody,
    async run(context) {
      const signal = abortOnDisconnect(context.reply);
      const make = async () => {
        const record = completedRecordOf(await findRecord(deps, context));
        return { record, content: await write(record, parseQuery(query, context.request), deps, signal) };
      };
      // The other ones are made by a worker, which has turns of its own.
      return isText || format === 'docx' ? inTurn(context.caller.account.id, signal, make) : make();
    },
    answer: ({ record, content }, { reply }) =>
      reply
        .type(isText ? `${mediaType}; charset=utf-8` : mediaType)
        .header('content-disposition', attachment(record, format))
        .send(typeof content === 'string' ? content : Buffer.from(content)),
  });
}

function addExportRoute(addRoute: AddRoute, deps: RouteDeps, inTurn: RenderInTurn): void {
  addRoute({
    method: 'POST',
    paths: ['/api/speech-to-text/exports'],
    docs: {
      tags: TAGS,
      operationId: 'exportTranscriptions',
      summary: 'The files of several transcripts',
      description: 'A ZIP file of at most 256 MB; all transcripts must be completed.',
      ok: {
        description: 'The archive.',
        content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } },
      },
      errors: [...FILE_ERRORS, 'payload_too_large', 'unsupported_media_type'],
    },
    auth: AUTH,
    body: jsonBody(ExportBody, { keyFirst: 'header' }),
    run: (context) => exportAll(deps, inTurn, context),
    answer: (archive, { reply }) =>
      reply
        .type('application/zip')
        .header('content-disposition', 'attachment; filename="transcripts.zip"')
        .send(Buffer.from(archive)),
  });
}

async function exportAll(
  deps: RouteDeps,
  inTurn: RenderInTurn,
  { caller: { account }, input, reply }: RouteContext<z.output<typeof ExportBody>>,
): Promise<Uint8Array> {
  const { format } = input;
  const { createZipArchive } = await import('#features/export/zip-archive.ts');
  const archive = createZipArchive(Date.now());
  const names = new Set<string>();
  const signal = abortOnDisconnect(reply);
  for (const askedId of new Set(input.ids)) {
    await inTurn(account.id, signal, async () => {
      const id = transcriptionIdFrom(askedId, account.id);
      const record = id === null ? null : await deps.store.transcriptions.find(id);
      if (record === null || record.accountId !== account.id) {
        throw new AppError('not_found', `${UNKNOWN_RECORD} (${askedId})`);
      }
      const content = await write(deps, completedRecordOf(record), format, signal);
      const name = freeName(record, format, names);
      names.add(sameName(name));
      await archive.add(name, content);
    });
  }
  return archive.end();
}

async function write(
  deps: RouteDeps,
  record: CompletedTranscription,
  format: z.output<typeof ExportBody>['format'],
  signal: AbortSignal,
): Promise<Content> {
  if (format === 'json') return writeJsonFile(record, JsonQuery.parse({}));
  const kind = FILES[format] as FileKind<z.ZodType>;
  return kind.write(record, kind.query.parse({}), deps, signal);
}

/** A name that no other file in the archive has. */
function freeName(record: TranscriptionRecord, format: string, taken: ReadonlySet<string>): string {
  const name = fileName(record);
  const plain = `${name}.${format}`;
  return taken.has(sameName(plain)) ? `${name} ${record.id}.${format}` : plain;
}

/** Equal for names that are one file on some system. */
const sameName = (name: string) => name.normalize('NFC').toLowerCase();

/** Most systems take 255 bytes; the rest is for an id and a format. */
const MAX_NAME_BYTES = 200;
/** Windows takes these for devices, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** The title as a name that every usual system can write: a part of a long one. */
function fileName({ title, id }: Pick<TranscriptionRecord, 'title' | 'id'>): string {
  const name = (title ?? '')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, ' ')
    .replaceAll(/\s+/g, ' ');
  const bytes = Buffer.from(name).subarray(0, MAX_NAME_BYTES);
  // A cut character is left out.
  const short = new TextDecoder().decode(bytes, { stream: true }).replace(/^[. ]+|[. ]+$/g, '');
  return short === '' ? id : short.replace(DEVICE, '$&_');
}

/** The name has the title where programs know how to read it (RFC 6266), else the id, a UUID. */
function attachment(record: TranscriptionRecord, format: string): string {
  const name = fileName(record);
  const plain = `attachment; filename="${record.id}.${format}"`;
  if (name === record.id) return plain;
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}.${format}`;
}

/** Throws `invalid_parameter` that names the parameter. */
function parseQuery<Schema extends z.ZodType>(schema: Schema, { query }: FastifyRequest): z.output<Schema> {
  return parseFields(schema, query, 'invalid_parameter');
}
