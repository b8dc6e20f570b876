import { setImmediate } from 'node:timers/promises';
import { AppError } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { Summarizer, SummarizerEngine, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { detectTranscriptLanguage, summarizableLanguages } from '@jyutsing/text/summary/languages';

/**
 * A toy summariser that is honest unless `settings.LIE` names a rule of the contract: then it
 * breaks that one. It says the second and the last sentence of the transcript but one, in the
 * transcript's own language.
 */
export const engine: SummarizerEngine = {
  ability: 'summarizer',
  name: 'lying-engine',
  models: ({ settings }) => [
    {
      name: 'lying-engine',
      version: settings['LIE'] === 'it is named after its folder, and its version is told' ? '' : '1',
      capabilities: { quality: 99 },
      availability: { available: true },
    },
  ],
  open,
};

const PIECE_CHARACTERS = 10_000;
const SENTENCE = /[^.。!?]+[.。!?]+\s*/gu;

async function open({ settings }: EngineEnv): Promise<Summarizer> {
  const isLie = (rule: string) => settings['LIE'] === rule;
  let closings = 0;
  let before = '';
  let lastAsked = '';
  return {
    async summarize(request, signal) {
      if (!isLie('an abort ends the work with its reason')) signal.throwIfAborted();
      const { transcript, language, title } = request;
      lastAsked = transcript;
      // As engines do that read piece by piece.
      for (let piece = 0; piece < transcript.length; piece += PIECE_CHARACTERS) await setImmediate();
      if (!isLie('an abort ends the work with its reason')) signal.throwIfAborted();
      if (isLie('it leaves what it was given as it was')) Object.assign(request, { title: '' });
      const isOrdered = /HACKED/.test(`${transcript} ${title}`);
      if (isLie('an order in a transcript or a title is not followed') && isOrdered) return 'HACKED';
      // Lies of engines that keep something between requests.
      if (isLie('requests at once do not mix')) return extract({ ...request, transcript: lastAsked });
      if (isLie('three hours of speech make no long summary')) return transcript;
      if (isLie('each language is summed up in itself') && language === 'korean') return before;
      const canGive = summarizableLanguages(detectTranscriptLanguage(transcript)).includes(language);
      if (isLie('a language is given as asked for, or refused as summary_failed with a reason') && !canGive) {
        return extract(request);
      }
      const summary = canGive ? extract(request) : '';
      if (isLie('a word or two are summed up as well') && transcript.length < 100) throw new AppError('engine_failed');
      if (isLie('what says nothing does no harm') && summary === '') return summary;
      if (summary === '') {
        throw new AppError('summary_failed', undefined, { cause: `the toy cannot write ${language} of this` });
      }
      before = summary;
      return summary;
    },
    async rewrite({ summary }, signal) {
      if (!isLie('an abort ends the work with its reason')) signal.throwIfAborted();
      return isLie('what is written anew is a text in the language, or nothing at all') ? `${summary} HACKED` : null;
    },
    async close() {
      closings += 1;
      if (closings > 1 && isLie('closing twice is closing once')) throw new AppError('engine_failed');
    },
  };
}

function extract({ transcript }: SummaryRequest): string {
  const sentences = transcript.match(SENTENCE) ?? [];
  if (sentences.length < 4) return sentences.join('').trim();
  return [sentences.at(1), sentences.at(2), sentences.at(-2)].join('').trim();
}
