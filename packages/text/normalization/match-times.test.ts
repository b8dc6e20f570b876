import { describe, expect, test } from 'vitest';
import { tokenizePiece } from './tokenize.ts';

function timeIn(text: string): string | null {
  const token = tokenizePiece(text, 'cantonese').tokens.find(({ token: { kind } }) => kind === 'time')?.token;
  if (token?.kind !== 'time') return null;
  const { hour, minute, second, isHalf, half, shape } = token;
  return `${token.text}: ${hour}:${minute ?? '_'}:${second ?? '_'} ${half ?? '_'} ${shape}${isHalf ? ' half' : ''}`;
}

describe('a time in digits', () => {
  test.each([
    ['3:30', '3:30: 3:30:_ _ clock'],
    ['03:05', '03:05: 3:5:_ _ clock'],
    ['15:05', '15:05: 15:5:_ _ clock'],
    ['0:00', '0:00: 0:0:_ _ clock'],
    ['24:00', '24:00: 24:0:_ _ clock'],
    ['14:30:05', '14:30:05: 14:30:5 _ clock'],
    ['3：30', '3:30: 3:30:_ _ clock'],
    ['3:30pm', '3:30pm: 3:30:_ pm clock'],
    ['3:30 PM', '3:30 PM: 3:30:_ pm clock'],
    ['3:30 p.m.', '3:30 p.m.: 3:30:_ pm clock'],
    ['9:00 am', '9:00 am: 9:0:_ am clock'],
    ['8am', '8am: 8:_:_ am clock'],
    ['8 AM', '8 AM: 8:_:_ am clock'],
    ['12 p.m.', '12 p.m.: 12:_:_ pm clock'],
    ['3.30pm', '3.30pm: 3:30:_ pm clock'],
    ['3.30 a.m.', '3.30 a.m.: 3:30:_ am clock'],
  ])('%s', (text, time) => {
    expect(timeIn(text)).toBe(time);
  });

  test.each([
    ['25:00', 'no hour 25'],
    ['3:60', 'no minute 60'],
    ['14:30:61', 'no second 61'],
    ['3:5', 'one digit: a score'],
    ['3:300', 'three digits'],
    ['1:23:45:67', 'an address of a network card'],
    ['3.30', 'an amount'],
    ['8a', 'a code'],
    ['8amps', 'a word'],
    ['8 a.', 'no m'],
  ])('%s is none: %s', (text) => {
    expect(timeIn(text)).toBeNull();
  });
});

describe('a time in Chinese', () => {
  test.each([
    ['3點', '3點: 3:_:_ _ chinese'],
    ['3点', '3點: 3:_:_ _ chinese'],
    ['15時', '15時: 15:_:_ _ chinese'],
    ['15时', '15時: 15:_:_ _ chinese'],
    ['3點半', '3點半: 3:_:_ _ chinese half'],
    ['12點半', '12點半: 12:_:_ _ chinese half'],
    ['3點30分', '3點30分: 3:30:_ _ chinese'],
    ['3點5分', '3點5分: 3:5:_ _ chinese'],
    ['3點30分15秒', '3點30分15秒: 3:30:15 _ chinese'],
    ['3點05', '3點05: 3:5:_ _ chinese'],
    ['3點45', '3點45: 3:45:_ _ chinese'],
    ['3點正', '3點: 3:_:_ _ chinese'],
    ['3點整', '3點: 3:_:_ _ chinese'],
    ['24點', '24點: 24:_:_ _ chinese'],
  ])('%s', (text, time) => {
    expect(timeIn(text)).toBe(time);
  });

  test.each(['25點', '3點60分', '3點30分60秒', '99時'])('%s is none', (text) => {
    expect(timeIn(text)).toBeNull();
  });

  test('a number after the hour that counts is not its minutes', () => {
    expect(timeIn('3點20個人')).toBe('3點: 3:_:_ _ chinese');
    expect(timeIn('3點50%')).toBe('3點: 3:_:_ _ chinese');
    expect(timeIn('3點30分鐘')).toBe('3點30: 3:30:_ _ chinese');
  });
});

test('a time does not begin within a word or a number', () => {
  expect(timeIn('A3:30')).toBeNull();
  expect(timeIn('13點')).toBe('13點: 13:_:_ _ chinese');
  expect(timeIn('113點')).toBeNull();
});
