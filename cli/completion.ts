import { Argument, type Command } from 'commander';
import { print } from './output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** A command, such as `jyutsing voices`, and the words that may follow it. */
type Place = {
  /** The words after `jyutsing`, each with a space before it; empty for the program itself. */
  path: string;
  commands: { name: string; description: string }[];
  options: (Values & { flag: string; description: string })[];
  /** The values that its arguments may have. */
  values: Values;
};

/** The words that fit a place: fixed ones, or the names that a command lists. */
type Values = { choices: readonly string[]; list: string | null };

/** The commands that list names, by what arguments and values of options are called. */
const LISTS: Readonly<Record<string, string>> = {
  voice: 'voices list',
  model: 'models list',
  account: 'accounts list',
  corpus: 'corpora list',
  ids: 'corpora list',
};
/** The names in the first column of a list, without its head. A failure offers none. */
const namesOf = (list: string) => `jyutsing ${list} 2>/dev/null | tail -n +2 | cut -d ' ' -f 1`;

/** `completion <shell>`. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  jyutsing completion bash > ~/.local/share/bash-completion/completions/jyutsing
  echo 'source <(jyutsing completion zsh)' >> ~/.zshrc
  jyutsing completion fish > ~/.config/fish/completions/jyutsing.fish`,
    )
    .action((shell: Shell, _options: object, command: Command) => {
      const places = placesOf(program, '');
      const script = shell === 'fish' ? fishScript(places) : bashScript(places, shell);
      print(command, { shell, script }, () => script);
    });
}

function placesOf(command: Command, path: string): Place[] {
  const help = command.createHelp();
  const shared = path === '' ? [] : command.parent === null ? [] : topOf(command).options;
  const place: Place = {
    path,
    commands: help
      .visibleCommands(command)
      .map((subcommand) => ({ name: subcommand.name(), description: subcommand.description() })),
    options: [...new Set([...help.visibleOptions(command), ...shared])].flatMap(
      ({ flags, long, short, description, argChoices: choices = [] }) => {
        const list = LISTS[/[<[](\w+)/.exec(flags)?.[1] ?? ''] ?? null;
        return [long, short].flatMap((flag) => (flag === undefined ? [] : [{ flag, description, choices, list }]));
      },
    ),
    values: {
      choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
      list: command.registeredArguments.flatMap((argument) => LISTS[argument.name()] ?? [])[0] ?? null,
    },
  };
  return [place, ...command.commands.flatMap((subcommand) => placesOf(subcommand, `${path} ${subcommand.name()}`))];
}

function topOf(command: Command): Command {
  return command.parent === null ? command : topOf(command.parent);
}

/** zsh reads the same script. File names are completed where nothing else fits. */
function bashScript(places: readonly Place[], shell: 'bash' | 'zsh'): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const words = places.map(
    ({ path, commands, values, options }) =>
      `    "${path}") words="${[...commands.map(({ name }) => name), ...values.choices, ...options.map(({ flag }) => flag)].join(' ')}"${
        values.list === null ? '' : ` list="${values.list}"`
      } ;;`,
  );
  const choices = places.flatMap(({ path, options }) =>
    options
      .filter((option) => option.choices.length > 0 || option.list !== null)
      .map(
        (option) => `    "${path} ${option.flag}") words="${option.choices.join(' ')}" list="${option.list ?? ''}" ;;`,
      ),
  );
  return `${shell === 'zsh' ? 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n' : ''}_jyutsing() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" list="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${paths.join('|')}) path="$path $word" ;;
    esac
  done
  case "$path" in
${words.join('\n')}
  esac
  case "$path $previous" in
${choices.join('\n')}
  esac
  case "$cur" in
    -*) ;;
    *) if [ -n "$list" ]; then words="$words $(${namesOf('$list')})"; fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _jyutsing jyutsing`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, values: argumentValues, options }) => {
    const [first, ...rest] = path.trim().split(' ');
    const inside =
      path === ''
        ? '__fish_use_subcommand'
        : [first, ...rest].map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    return [
      ...commands.map(
        ({ name, description }) => `complete -c jyutsing -f -n '${inside}' -a ${name} -d ${quote(description)}`,
      ),
      ...(isFree(argumentValues) ? [] : [`complete -c jyutsing -f -n '${inside}' -a ${wordsOf(argumentValues)}`]),
      ...options.map(({ flag, description, ...optionValues }) => {
        const name = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
        const values = isFree(optionValues) ? '' : ` -x -a ${wordsOf(optionValues)}`;
        return `complete -c jyutsing -n '${inside}' ${name}${values} -d ${quote(description)}`;
      }),
    ];
  });
  return lines.join('\n');
}

const isFree = ({ choices, list }: Values) => choices.length === 0 && list === null;

/** The words for fish, which runs what stands in brackets when they are needed. */
const wordsOf = ({ choices, list }: Values) =>
  quote([...choices, ...(list === null ? [] : [`(${namesOf(list)})`])].join(' '));

/** A word for fish. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
