import { InvalidArgumentError } from 'commander';
import { SUMMARY_LANGUAGES } from '@jyutsing/contracts/summarizer';
import { LANGUAGE_CHOICES, LANGUAGES } from '@jyutsing/contracts/transcript';
import { ACCEPTED_CHOICES, ACCEPTED_LANGUAGES, readLanguage } from '@jyutsing/text/language-names';

// Parsers of options. Each returns the value as it is sent and throws commander's error for one
// that the service would refuse.

/** The name or code of one language. */
export function language(text: string): string {
  return languageAmong([...LANGUAGES, 'chinese'], ACCEPTED_LANGUAGES, text);
}

/** The same, or `auto`. */
export function spokenLanguage(text: string): string {
  return languageAmong(LANGUAGE_CHOICES, ACCEPTED_CHOICES, text);
}

/** Codes of the languages that are only summarized. */
const SUMMARY_CODES = /^(?:ja|jpn|ko|kor)(?![a-z])/i;

/** The language of a summary. */
export function summaryLanguage(text: string): string {
  if (SUMMARY_CODES.test(text) || SUMMARY_LANGUAGES.some((language) => language === text.toLowerCase())) return text;
  const names = `${SUMMARY_LANGUAGES.slice(0, -1).join(', ')} or ${SUMMARY_LANGUAGES.at(-1)}`;
  return languageAmong([...LANGUAGES, 'chinese'], names, text);
}

function languageAmong(choices: readonly string[], accepted: string, text: string): string {
  const read = readLanguage(text);
  if (read !== null && choices.includes(read)) return text;
  throw new InvalidArgumentError(`It must be ${accepted}.`);
}

type Bounds = { min: number; max: number; aboveMin?: boolean; isWhole?: boolean };

/** Makes a parser of numbers within bounds. */
export function numberWithin({ min, max, aboveMin = false, isWhole = false }: Bounds): (text: string) => number {
  const range = aboveMin ? `above ${min} and at most ${max}` : `from ${min} to ${max}`;
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const isWithin = (aboveMin ? value > min : value >= min) && value <= max;
    if (isWithin && (!isWhole || Number.isInteger(value))) return value;
    throw new InvalidArgumentError(`It must be a ${isWhole ? 'whole ' : ''}number ${range}.`);
  };
}
