// Numbers of the command line.
import { InvalidArgumentError } from 'commander';

export function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('Must be a whole number of at least 1.');
  return Number(value);
}

export function numbers(value: string): number[] {
  return value.split(',').map(wholeNumber);
}

export function seconds(value: string): number {
  const number = Number(value);
  if (!(number >= 0.5 && number <= 60)) throw new InvalidArgumentError('Must be a number from 0.5 to 60.');
  return number;
}
