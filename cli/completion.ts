import { Argument, type Command } from 'commander';
import { print } from './output.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** A command, such as `jyutsing voices`, and the words that may follow it. */
type Place = {
  /** The words after `jyutsing`, each with a space before it; empty for the program itself. */
  path: string;
  commands: { name: string; description: string }[];
  options: { flag: string; description: string; choices: readonly string[] }[];
  /** The values that its arguments may have. */
  choices: readonly string[];
};

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
      ({ long, short, description, argChoices: choices = [] }) =>
        [long, short].flatMap((flag) => (flag === undefined ? [] : [{ flag, description, choices }])),
    ),
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
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
    ({ path, commands, choices, options }) =>
      `    "${path}") words="${[...commands.map(({ name }) => name), ...choices, ...options.map(({ flag }) => flag)].join(' ')}" ;;`,
  );
  const choices = places.flatMap(({ path, options }) =>
    options
      .filter((option) => option.choices.length > 0)
      .map((option) => `    "${path} ${option.flag}") words="${option.choices.join(' ')}" ;;`),
  );
  return `${shell === 'zsh' ? 'autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n' : ''}_jyutsing() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" word
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
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _jyutsing jyutsing`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, choices: argumentChoices, options }) => {
    const [first, ...rest] = path.trim().split(' ');
    const inside =
      path === ''
        ? '__fish_use_subcommand'
        : [first, ...rest].map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ');
    return [
      ...commands.map(
        ({ name, description }) => `complete -c jyutsing -f -n '${inside}' -a ${name} -d ${quote(description)}`,
      ),
      ...(argumentChoices.length === 0
        ? []
        : [`complete -c jyutsing -f -n '${inside}' -a ${quote(argumentChoices.join(' '))}`]),
      ...options.map(({ flag, description, choices }) => {
        const name = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
        const values = choices.length === 0 ? '' : ` -x -a ${quote(choices.join(' '))}`;
        return `complete -c jyutsing -n '${inside}' ${name}${values} -d ${quote(description)}`;
      }),
    ];
  });
  return lines.join('\n');
}

/** A word for fish. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
