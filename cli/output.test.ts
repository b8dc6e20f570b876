import { Command, InvalidArgumentError } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addKeyCommands } from './keys.ts';
import { formatTable, print } from './output.ts';

afterEach(() => vi.restoreAllMocks());

/** Returns what a command with these options writes. */
async function written(options: string[]): Promise<string> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  const program = new Command().option('--json');
  program
    .command('show')
    .action((_options: object, command: Command) => print(command, { 名: ['a', 1] }, () => 'a table'));
  await program.parseAsync(['node', 'x', ...options]);
  return text;
}

/** The commander option parses while the command line is read, before anything else is done. */
const parse = (scopes: string) => {
  const program = new Command();
  addKeyCommands(program);
  const create = program.commands[0]!.commands.find((command) => command.name() === 'create')!;
  return create.options.find(({ long }) => long === '--scopes')!.parseArg!(scopes, undefined);
};

describe('a table', () => {
  it('has columns as wide as their widest cell, and no spaces at the end of a line', () => {
    expect(
      formatTable(
        ['id', 'name'],
        [
          ['1', 'long name'],
          ['long id', 'x'],
        ],
      ),
    ).toBe(['id       name', '1        long name', 'long id  x'].join('\n'));
  });

  it('has its numbers on the right', () => {
    expect(
      formatTable(
        ['used', 'of'],
        [
          [5, 100],
          [12_345, 7],
        ],
      ),
    ).toBe(['used   of ', '    5  100', '12345    7'].map((line) => line.trimEnd()).join('\n'));
  });

  it('counts two columns for each Chinese character', () => {
    const lines = formatTable(
      ['name', 'plan'],
      [
        ['陳大文', 'free'],
        ['𠮷', 'pro'],
        ['Ann', 'x'],
        ['，', 'y'],
      ],
    ).split('\n');
    expect(lines).toEqual(['name    plan', '陳大文  free', '𠮷      pro', 'Ann     x', '，      y']);
  });

  it('without rows says so', () => {
    expect(formatTable(['id'], [])).toBe('(none)');
  });
});

describe('the output of a command', () => {
  it('is a table, or JSON that can be read again', async () => {
    expect(await written(['show'])).toBe('a table\n');
    vi.restoreAllMocks();
    const json = await written(['--json', 'show']);
    expect(JSON.parse(json)).toEqual({ 名: ['a', 1] });
    expect(json.endsWith('}\n')).toBe(true);
  });
});

describe('the scopes of a new key', () => {
  it.each([
    ['stt', ['stt']],
    ['tts,stt', ['stt', 'tts']],
    [' stt , admin ', ['stt', 'admin']],
    ['stt,stt', ['stt']],
  ])('"%s" are %j', (text, scopes) => {
    expect(parse(text)).toEqual(scopes);
  });

  it.each(['', ',', 'stt,', 'STT', 'all', 'stt tts', 'stt,__proto__'])('are not "%s"', (text) => {
    expect(() => parse(text)).toThrow(InvalidArgumentError);
  });
});
