import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Corpus } from '@jyutsing/contracts/corpus';
import { AppError } from '@jyutsing/contracts/errors';
import { abortOnDisconnect } from '#http/client-connection.ts';
import type { ServerDeps } from '#http/deps.ts';
import { characterCount } from '#http/fields.ts';
import { jsonBody } from '#http/json-body.ts';
import type { AddRoute } from '#http/route.ts';
import { castScript } from '#http/synthesis/cast-script.ts';
import { findOrSubstituteVoice, SUBSTITUTED_VOICE_HEADER } from '#http/synthesis/find-voice.ts';
import {
  CHARGE_HEADER,
  COST_PER_CHARACTER,
  DEFAULT_STYLE,
  prepareSpeech,
  SPEECH_AUTH,
  SPEECH_ERRORS,
  SPEECH_QUOTA,
  type SpeechDeps,
} from '#http/synthesis/speak.ts';
import { makeDeck, type DeckSentence } from '#workers/tasks/make-deck.ts';
import { IdParameter } from './schema.ts';

/** A longer list would keep a client waiting for minutes. */
const MAX_CARDS = 1_000;
const DECK_TYPE = 'application/apkg';
const SOUND = { format: 'mp3', sampleRateHz: 24_000, enhance: false, durationMs: null } as const;

const DeckBody = z.object({
  voice: z.string().nullish().describe('The voice of the cards. Absent: the default of the language.'),
  sound: z.boolean().nullish().describe('Whether the words are spoken. Absent: true.'),
});

type DeckOrder = { corpus: Corpus; accountId: string; voice: string | null; signal: AbortSignal };
export type DeckDeps = SpeechDeps & Pick<ServerDeps, 'workers'>;

/** POST /api/corpora/:id/deck: a word list as an Anki deck. */
export function addCorpusDeckRoute(addRoute: AddRoute, deps: DeckDeps): void {
  const { corpora, workers } = deps;
  addRoute({
    method: 'POST',
    paths: ['/api/corpora/:id/deck'],
    docs: {
      tags: ['Corpora'],
      operationId: 'makeCorpusDeck',
      summary: 'A word list as an Anki deck',
      description: `A card for each word with jyutping and sound; at most ${MAX_CARDS} words. Costs ${COST_PER_CHARACTER.file} character of the monthly quota for each character that is spoken.`,
      params: IdParameter,
      ok: {
        description: 'The deck.',
        content: { [DECK_TYPE]: { schema: z.string().meta({ format: 'binary' }) } },
      },
      errors: [...SPEECH_ERRORS, 'not_found', 'engine_unavailable', 'engine_failed'],
    },
    auth: SPEECH_AUTH,
    body: jsonBody(DeckBody, { keyFirst: 'header' }),
    // A client that leaves gets no deck, and the rest of the words is not spoken.
    quota: { ...SPEECH_QUOTA, whenClientLeaves: 'release' },
    concurrent: 'speech',
    config: { role: 'speak', answerHeaders: { ...CHARGE_HEADER, ...SUBSTITUTED_VOICE_HEADER } },
    async run(context) {
      const { caller, id, input, reply } = context;
      const accountId = caller.account.id;
      const corpus = await corpora.find(accountId, id);
      if (corpus === null) throw new AppError('not_found', 'There is no corpus with this id.');
      refuseLongList(corpus);
      const order = { corpus, accountId, voice: input.voice ?? null, signal: abortOnDisconnect(reply) };
      const make = async (sounds: readonly Uint8Array[], headers = {}) => {
        const bytes = await workers.run(makeDeck, deckOf(corpus, sounds), accountId, order.signal);
        return { bytes, headers };
      };
      if (input.sound === false) return make([]);
      const amount = COST_PER_CHARACTER.file * corpus.entries.reduce((sum, { text }) => sum + characterCount(text), 0);
      return context.charge(amount, async (charged) => {
        const { sounds, headers } = await speakWords(deps, order);
        return make(sounds, { ...headers, 'X-Characters-Charged': charged });
      });
    },
    answer: ({ bytes, headers }, { reply }) =>
      reply
        .type(DECK_TYPE)
        .headers(headers)
        .header('content-disposition', 'attachment; filename="words.apkg"')
        .send(Buffer.from(bytes)),
  });
}

function refuseLongList({ entries }: Corpus): void {
  if (entries.length > 0 && entries.length <= MAX_CARDS) return;
  const problem = entries.length === 0 ? 'has no words' : `has ${entries.length} words`;
  throw new AppError('invalid_request', `A deck may have 1 to ${MAX_CARDS} cards; the corpus ${problem}.`);
}

/** Speaks each word, as the corpus says that it is read. */
async function speakWords(deps: DeckDeps, { corpus, accountId, voice, signal }: DeckOrder) {
  const { voices, speech, config } = deps;
  const { language, entries } = corpus;
  const query = { accountId, sent: voice, language, aliases: config.voiceAliases };
  const found = await findOrSubstituteVoice(voices, query);
  const model = speech.chooseModel(language, 'auto', found.voice);
  const sounds: Uint8Array[] = [];
  const order = { accountId, language, voice: found.voice, model: null, corpusIds: [corpus.id] };
  for (const entry of entries) {
    const script = { text: entry.text, document: null, characters: characterCount(entry.text) };
    const { text } = await castScript(deps, script, order);
    const input = { accountId, text, model, voice: found.voice, style: { ...DEFAULT_STYLE, temperature: 0 } };
    await using made = await speech.makeFile(await prepareSpeech({ voices }, input), SOUND, signal);
    sounds.push(await readFile(made.path));
  }
  return { sounds, headers: found.headers };
}

function deckOf({ id, name, language, entries }: Corpus, sounds: readonly Uint8Array[]) {
  const isCantonese = language !== 'english';
  const sentences = entries.map((entry, index): DeckSentence => ({
    key: `${id} ${entry.text}`,
    text: entry.text,
    words: [],
    translation: null,
    startMs: index,
    endMs: index,
    sound: sounds[index] ?? null,
    ...(entry.jyutping === null ? {} : { pieces: piecesOf(entry.text, entry.jyutping) }),
  }));
  return { name, createdAtMs: Date.now(), sentences, recordingPath: null, isCantonese };
}

/** One piece for each character if it has one syllable, else the whole word. */
function piecesOf(text: string, jyutping: string): NonNullable<DeckSentence['pieces']> {
  const characters = [...text];
  const syllables = jyutping.split(' ');
  if (characters.length !== syllables.length) return [{ text, jyutping }];
  return characters.map((character, index) => ({ text: character, jyutping: syllables[index]! }));
}
