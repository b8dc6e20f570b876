import { InvalidArgumentError } from 'commander';

/** Parses the value of an option. Throws commander's error for anything but 1, 2, 3 … */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return value;
}
