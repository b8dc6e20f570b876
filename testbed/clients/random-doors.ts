import { wav } from './requests.ts';

/** Makes the same inputs for the same sequence of random numbers of 0 to 1. */
type Random = () => number;

const pickOf =
  (random: Random) =>
  <Item>(items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)]!;

const LONG = 'x'.repeat(3_000);
const VALUES = [null, '', 'jyutping', 'speak', LONG, -1, 1e300, [], {}, true, '\u{d800}', '__proto__', 'UklGRg=='];

/** A JSON-RPC message for /mcp, or something that is none. */
export function randomMcpMessage(random: Random): unknown {
  const pick = pickOf(random);
  const methods = [
    'initialize',
    'tools/list',
    'tools/call',
    'tools/call',
    'resources/read',
    'resources/list',
    'ping',
    'notifications/cancelled',
    '',
    5,
  ];
  const names = ['name', 'arguments', 'uri', 'requestId', 'protocolVersion', 'capabilities', 'clientInfo', '_meta'];
  const tools = ['transcribe', 'speak', 'score', 'jyutping', 'summarize', 'search'];
  const fields = ['file', 'url', 'text', 'language', 'format', 'query', 'limit', 'request_id', 'voice'];
  const someOf = (among: readonly string[], valueOf: () => unknown) =>
    Object.fromEntries(among.filter(() => random() < 0.4).map((name) => [name, valueOf()]));
  const params = someOf(names, () => pick<unknown>([...VALUES, { text: pick(VALUES) }]));
  if (random() < 0.5) params['name'] = pick(tools);
  if (random() < 0.5) params['arguments'] = someOf(fields, () => pick<unknown>(VALUES));
  const message = { jsonrpc: pick(['2.0', '2.0', '1.0']), id: pick([1, 'a', null, {}]), method: pick(methods), params };
  return random() < 0.1 ? pick<unknown>([[], [message], null, 'x']) : message;
}

/** A frame for the WebSocket /v1/speak. */
export function randomSpeakFrame(random: Random): string | Buffer {
  const pick = pickOf(random);
  if (random() < 0.1) return pick<string | Buffer>(['[', 'null', Buffer.alloc(9), '{"type":', '"'.repeat(2_000)]);
  const texts = ['早晨。', '', '<speak>', '😀', 'x'.repeat(6_000), '\u{d800}', '1. 2. 3.', '<think>', null, 5, ['早']];
  return JSON.stringify({ type: pick(['Speak', 'Speak', 'Flush', 'Clear', 'Sing', 7, null]), text: pick(texts) });
}

/** A frame for the WebSocket /v2/speak. */
export function randomTurnFrame(random: Random): string | Buffer {
  if (random() < 0.5) return randomSpeakFrame(random);
  const pick = pickOf(random);
  const offsets = [...VALUES, { type: 'time_ms', value: pick([-1, 0, 5, 1e9, 'x', null]) }];
  return JSON.stringify({
    type: pick(['Interrupt', 'Configure', 'Flush']),
    playback_offset: pick<unknown>(offsets),
    speed: pick([...VALUES, 0.9, 1.5]),
  });
}

/** A frame for the WebSocket /v2/listen: sound of any length, control messages, and neither. */
export function randomFluxFrame(random: Random): string | Buffer {
  const pick = pickOf(random);
  if (random() < 0.3) return Buffer.from(Array.from({ length: Math.floor(random() * 1_000) }, () => random() * 256));
  const values = [...VALUES, 0.7, 5_000, ['早晨'], [5], { eot_threshold: 2 }, { eot_timeout_ms: 'x' }];
  const message = JSON.stringify({
    type: pick(['Configure', 'ForceEndTurn', 'KeepAlive', 'Sing', 5, null]),
    thresholds: pick(values),
    keyterms: pick(values),
    language_hints: pick(values),
  });
  return random() < 0.2 ? message.slice(0, Math.floor(random() * message.length)) : message;
}

/** The parts of a form for /v1/audio/alignments. */
export function randomAlignment(random: Random): [name: string, value: string | Uint8Array][] {
  const pick = pickOf(random);
  const names = ['file', 'data', 'text', 'language', 'model', 'response_format', 'lang', 'format', 'x'];
  const values = ['', ' ', 'yue', 'srt', '早晨', '\0', '﻿', '\u{d800}', '2026-11-28 $5', LONG, '\n\n。\n好', '<b>'];
  const parts: [string, string | Uint8Array][] = Array.from({ length: Math.floor(random() * 5) }, () => [
    pick(names),
    pick(values),
  ]);
  if (random() < 0.8) parts.push(['file', random() < 0.8 ? wav(1) : Buffer.from(pick(values))]);
  if (random() < 0.8) parts.push(['text', pick(values)]);
  return parts;
}

/** The query and the parts of a form for /asr and /detect-language. */
export function randomWhisperRequest(random: Random): { query: string; parts: [string, string | Uint8Array][] } {
  const pick = pickOf(random);
  const names = ['encode', 'task', 'language', 'output', 'word_timestamps', 'initial_prompt', 'x'];
  const values = ['', 'false', 'true', 'transcribe', 'zh', 'srt', 'json', '\0', '\u{d800}', LONG, '-1', '早晨'];
  const query = new URLSearchParams();
  for (const name of names) if (random() < 0.4) query.append(name, pick(values));
  if (random() < 0.1) query.append('encode', 'false');
  const sound = Buffer.from(Array.from({ length: Math.floor(random() * 400) }, () => random() * 256));
  const parts: [string, string | Uint8Array][] = [[pick(['audio_file', 'audio_file', 'file']), pick([wav(1), sound])]];
  if (random() < 0.2) parts.push(['audio_file', pick<string | Uint8Array>(['text', sound])]);
  return { query: query.toString(), parts };
}
