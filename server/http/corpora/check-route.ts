import { z } from 'zod';
import { yieldToEventLoop } from '@jyutsing/concurrency/yield-to-event-loop';
import { checkEntry } from '@jyutsing/text/corpora/check-entry';
import { describeNote, noteOf } from '@jyutsing/text/corpora/entry-note';
import { jsonBody } from '#http/json-body.ts';
import type { AddRoute } from '#http/route.ts';
import { Entry } from './schema.ts';

/** More would keep other requests waiting. */
const MAX_ENTRIES = 500;
/** So many entries are checked in a few milliseconds. */
const ENTRIES_IN_A_TURN = 50;

const CheckBody = z.object({ entries: z.array(Entry).max(MAX_ENTRIES) });

const Note = z
  .object({
    index: z.int().describe('Of the entry, from 0 on.'),
    code: z.enum([
      'refused',
      'one_character',
      'too_long',
      'not_only_chinese',
      'no_reading',
      'other_tone',
      'other_sound',
    ]),
    message: z.string(),
    character: z.string().optional(),
    jyutping: z.string().optional().describe('The syllable that is none of the readings of the character.'),
    readings: z.array(z.string()).optional(),
  })
  .meta({ id: 'CorpusEntryNote' });

const CheckAnswer = z.object({ success: z.literal(true), notes: z.array(Note) });

/** POST /api/corpora/check: which entries do not help transcripts, and why. */
export function addCorpusCheckRoute(addRoute: AddRoute): void {
  addRoute({
    method: 'POST',
    paths: ['/api/corpora/check'],
    docs: {
      tags: ['Corpora'],
      operationId: 'checkCorpusEntries',
      summary: 'Which entries do not help transcripts, and why',
      description:
        'Apart from those that would be refused, such entries are accepted; many are of use for speech. Nothing is stored.',
      ok: CheckAnswer,
      errors: ['payload_too_large', 'unsupported_media_type'],
    },
    auth: { scope: 'stt', rateLimit: 'request' },
    body: jsonBody(CheckBody),
    async run({ input }) {
      const notes: z.output<typeof Note>[] = [];
      for (const [index, raw] of input.entries.entries()) {
        if (index % ENTRIES_IN_A_TURN === 0) await yieldToEventLoop();
        const entry = checkEntry(raw);
        if (typeof entry === 'string') {
          notes.push({ index, code: 'refused', message: `Refused: ${entry}.` });
          continue;
        }
        const note = noteOf(entry);
        if (note !== null) notes.push({ index, message: describeNote(note), ...note });
      }
      return notes;
    },
    answer: (notes) => ({ success: true, notes }),
  });
}
