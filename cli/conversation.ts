import { styleText } from 'node:util';
import type { Transcript } from '@jyutsing/client';

const COLOURS = ['cyan', 'yellow', 'green', 'magenta', 'blue', 'red'] as const;

/**
 * One line for each turn with its time and, where there are several, its speaker; coloured where
 * the stream shows colours.
 */
export function formatConversation(
  segments: readonly Pick<Transcript['segments'][number], 'start' | 'speaker' | 'text'>[],
  stream: NodeJS.WritableStream,
): string {
  const turns: { start: number; speaker: string; text: string }[] = [];
  for (const { start, speaker, text } of segments) {
    const last = turns.at(-1);
    if (last !== undefined && last.speaker === (speaker ?? '')) last.text += joined(last.text, text);
    else turns.push({ start, speaker: speaker ?? '', text: text.trim() });
  }
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
  const colourOf = (speaker: string) => COLOURS[speakers.indexOf(speaker) % COLOURS.length]!;
  return turns
    .map(({ start, speaker, text }) => {
      const head = `[${formatTime(start)}]${speaker === '' || speakers.length === 1 ? '' : ` ${speaker}`}`;
      return `${styleText(colourOf(speaker), head, { stream: stream as NodeJS.WriteStream })}  ${text}\n`;
    })
    .join('');
}

/** Words in letters need a space between them, Chinese characters none. */
function joined(before: string, after: string): string {
  const isSpaced = /[\p{Script=Latin}\d,.!?]$/u.test(before) && /^[\p{Script=Latin}\d]/u.test(after.trim());
  return `${isSpaced ? ' ' : ''}${after.trim()}`;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Formats a time as `m:ss` or `h:mm:ss`. */
export function formatTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
