import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

it('loopback is what no other machine reaches, however it is written', () => {
  const local = [
    '127.0.0.1',
    '127.8.9.1',
    'localhost',
    'LOCALHOST',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
  ];
  const distant = ['0.0.0.0', '::', '10.0.0.1', '192.168.1.4', 'speech.example', '::ffff:10.0.0.1', '', '128.0.0.1'];
  expect(local.filter((host) => !isLoopback(host))).toEqual([]);
  expect(distant.filter(isLoopback)).toEqual([]);
});
