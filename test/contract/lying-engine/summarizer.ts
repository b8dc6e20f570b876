import { setImmediate } from 'node:timers/promises';
import { AppError, summaryFailed } from '@jyutsing/contracts/errors';
import type { EngineEnv } from '@jyutsing/contracts/engine';
import type { Summarizer, SummarizerEngine, SummaryRequest } from '@jyutsing/contracts/summarizer';
import { detectTranscriptLanguage, summarizableLanguages } from '@jyutsing/text/summary/languages';

/**
 * A toy summarizer that keeps the contract unless `settings.LIE` names a rule, which it then
 * breaks. Returns the second, third and last but one sentence of the transcript.
 */
export const engine: SummarizerEngine = {
  ability: 'summarizer',
  name: 'lying-engine',
  models: ({ settings }) => [
    {
      name: 'lying-engine',
      version: settings['LIE'] === 'the engine is named after its folder and has one versioned model' ? '' : '1',
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
  let previous = '';
  let lastTranscript = '';
  return {
    async summarize(request, signal) {
      if (!isLie('an abort rejects with its reason')) signal.throwIfAborted();
      const { transcript, language, title } = request;
      lastTranscript = transcript;
      // Yields between pieces, like engines that read piece by piece.
      for (let piece = 0; piece < transcript.length; piece += PIECE_CHARACTERS) await setImmediate();
      if (!isLie('an abort rejects with its reason')) signal.throwIfAborted();
      if (isLie('the request is not modified')) Object.assign(request, { title: '' });
      const isInstructed = /HACKED/.test(`${transcript} ${title}`);
      if (isLie('instructions in a transcript or a title are not followed') && isInstructed) return 'HACKED';
      // Faults of engines that keep state between requests.
      if (isLie('concurrent requests are independent')) return extract({ ...request, transcript: lastTranscript });
      if (isLie('the summary of three hours of speech is short')) return transcript;
      if (isLie('a transcript is summarized in its own language') && language === 'korean') return previous;
      const canGive = summarizableLanguages(detectTranscriptLanguage(transcript)).includes(language);
      if (isLie('another language is written as requested, or refused with summary_failed and a reason') && !canGive) {
        return extract(request);
      }
      const summary = canGive ? extract(request) : '';
      if (isLie('a very short transcript is summarized') && transcript.length < 100)
        throw new AppError('engine_failed');
      if (isLie('a transcript without content does not affect later requests') && summary === '') return summary;
      if (summary === '') {
        throw summaryFailed(`the toy cannot write ${language} for this transcript`);
      }
      previous = summary;
      return summary;
    },
    async rewrite({ summary }, signal) {
      if (!isLie('an abort rejects with its reason')) signal.throwIfAborted();
      return isLie('a rewritten summary is in the requested language, or null') ? `${summary} HACKED` : null;
    },
    async close() {
      closings += 1;
      if (closings > 1 && isLie('close can be called twice')) throw new AppError('engine_failed');
    },
  };
}

function extract({ transcript }: SummaryRequest): string {
  const sentences = transcript.match(SENTENCE) ?? [];
  if (sentences.length < 4) return sentences.join('').trim();
  return [sentences.at(1), sentences.at(2), sentences.at(-2)].join('').trim();
}
