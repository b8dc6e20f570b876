import type { Signal } from '@preact/signals';
import type { SummaryKind, TextAboutTranscript, TextLanguage } from '@jyutsing/client';
import { keepDraft, readDraft } from '#console/core/drafts.ts';
import { client } from '#console/core/session.ts';
import { formatTime, text } from '#console/core/text.ts';
import { useAttempt } from '#console/core/use-attempt.ts';
import { useDraft } from '#console/core/use-draft.ts';
import type { Editor } from './editor.ts';

export type TextOrder = { kind: SummaryKind } | { question: string };

/** A text that a language model wrote about the transcript: one of a kind, or an answer. */
export type WrittenText = {
  /** When it was written, as ISO 8601. */
  at: string;
  order: TextOrder;
  language: TextLanguage;
  content: Pick<TextAboutTranscript, 'statements'>;
};

type Kept = { texts: readonly WrittenText[] };

export type WrittenTexts = {
  /** The newest first. */
  kept: Signal<Kept>;
  busy: Signal<'write' | null>;
  failure: Signal<unknown>;
  write(order: TextOrder, language: TextLanguage): Promise<void>;
  remove(text: WrittenText): void;
};

const NONE: Kept = { texts: [] };
/** A browser keeps so many texts of a transcript. */
const MAX_KEPT = 20;

/** The name under which this browser keeps the texts about a transcript. */
export const writtenDraftOf = (id: string): string => `about ${id}`;

/**
 * The texts about a transcript. This browser keeps them, because each costs a credit, also when the
 * page is left while one is written.
 */
export function useWrittenTexts(id: string, editor: Editor): WrittenTexts {
  const name = writtenDraftOf(id);
  const kept = useDraft(name, NONE);
  const { busy, failure, attempt } = useAttempt<'write'>();
  return {
    kept,
    busy,
    failure,
    write: (order, language) =>
      attempt('write', async () => {
        await editor.save();
        const content = await ask(id, order, language);
        const written = { at: new Date().toISOString(), order, language, content };
        const { texts } = (await readDraft<Kept>(name)) ?? NONE;
        kept.value = { texts: [written, ...texts].slice(0, MAX_KEPT) };
        keepDraft(name, kept.value);
      }),
    remove({ at }) {
      kept.value = { texts: kept.value.texts.filter((written) => written.at !== at) };
    },
  };
}

async function ask(id: string, order: TextOrder, language: TextLanguage): Promise<WrittenText['content']> {
  const job = client().transcriptions.job(id);
  const options = { language, timeout: 0, maxRetries: 0 };
  const { statements } =
    'question' in order ? await job.ask(order.question, options) : await job.summary({ ...options, kind: order.kind });
  return { statements };
}

export function headingOf({ order }: WrittenText): string {
  return 'kind' in order ? (text().after.kinds[order.kind] ?? order.kind) : order.question;
}

/** The text in Markdown, with the times of what was said. */
export function asMarkdown(written: WrittenText, title: string): string {
  const { after } = text();
  const lines = written.content.statements.map(({ text: statement, role, sources }) => {
    const times = sources.flatMap(({ start }) => (start === null ? [] : formatTime(start)));
    const lead = after.roles[role] === undefined ? '' : `**${after.roles[role]}** `;
    return `- ${lead}${statement}${times.length === 0 ? '' : ` (${times.join(', ')})`}`;
  });
  const body = lines.length === 0 ? after.noAnswer : lines.join('\n');
  return `# ${title}\n\n## ${headingOf(written)}\n\n${body}\n`;
}
