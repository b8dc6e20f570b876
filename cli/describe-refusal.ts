import type { Command } from 'commander';
import type { JyutsingError } from '@jyutsing/client';

/** One sentence about what the service said, or that it did not answer. */
export function describeRefusal({ code, message, requestId, status }: JyutsingError, command: Command): string {
  if (code === 'missing_api_key') return 'The service wants an API key: pass --key, or set JYUTSING_API_KEY.';
  const sentence = nameOptions(message, command);
  return status !== null && status >= 500 && requestId !== null ? `${sentence} (request ${requestId})` : sentence;
}

/** Fields of requests whose option or argument has another name. */
const NAMES: Readonly<Record<string, string>> = {
  audio: 'recording',
  corpus_ids: 'corpora',
  data_url: 'recordings',
  diarization_threshold: 'diarizationThreshold',
  lang: 'language',
  model_id: 'model',
  sample_rate: 'rate',
  subtitleLanguage: 'subtitles',
  summaryLanguage: 'language',
  voice_id: 'voice',
};

const COMMANDS: Readonly<Record<string, string>> = {
  'GET /api/voices': '`jyutsing voices list`',
  'POST /api/voices': '`jyutsing voices create`',
  'POST /api/tts': '`jyutsing speak --out`',
};

/** A sentence of the service with options of the command in place of fields of a request. */
export function nameOptions(sentence: string, command: Command): string {
  return sentence
    .replaceAll(/\b(?:GET|POST) \/[\w/-]+/g, (path) => COMMANDS[path] ?? path)
    .replaceAll(/send the field "(\w+)" with the value true/g, (whole, field: string) => {
      const name = nameOf(field, command);
      return name === null ? whole : `add ${name}`;
    })
    .replaceAll(/(?:the (?:form )?field |(?<=\bset ))"(\w+)"/gi, (whole, field: string) => {
      return nameOf(field, command) ?? whole;
    })
    .replaceAll(/(send |(?<=\bor ))(\w+)=(\w+)/g, (whole, send: string, field: string, value: string) => {
      const name = nameOf(field, command);
      return name === null ? whole : `${send === '' ? '' : 'use '}${name} ${value}`;
    });
}

/** How the help shows what a field is made of; null when it is none of this command. */
function nameOf(field: string, { options, registeredArguments }: Command): string | null {
  const name = NAMES[field] ?? field;
  const option = options.find((candidate) => candidate.attributeName() === name);
  if (option?.long !== undefined) return option.long;
  return registeredArguments.some((argument) => argument.name() === name) ? `<${name}>` : null;
}
