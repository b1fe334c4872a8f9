import { PassThrough } from 'node:stream'
import { usageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { commandGroups } from './command-name.ts'
import { optionsOf } from './command-options.ts'
import { groupProgram } from './run-group.ts'

/** The scripts that call `halyard complete` for words, by shell. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_halyard() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(halyard complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _halyard halyard
`,
  zsh: `#compdef halyard
_halyard() {
  local -a candidates
  candidates=("\${(@f)$(halyard complete -- "\${words[@]:1:$((CURRENT - 2))}" 2>/dev/null)}")
  compadd -a candidates
  _files
}
compdef _halyard halyard
`,
  fish: `function __halyard_complete
  set -l words (commandline -opc)
  halyard complete -- $words[2..-1] 2>/dev/null
end
complete -c halyard -a '(__halyard_complete)'
`,
}

/** The command that prints the script of a shell. */
export const completionCommand: Command = {
  usage: 'completion bash|zsh|fish',
  summary: 'print a script that completes commands and options in a shell',
  options: [],
  async run([shell = '', ...rest], terminal) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined || rest.length > 0) throw usageError('the shell must be bash, zsh or fish')
    terminal.stdout.write(script)
  },
}

/**
 * Makes the command that the completion scripts call. It prints the words that may come next on a command line, one in
 * each line.
 *
 * @param commands the commands that are not operations, by their words.
 */
export function completeCommand(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    usage: 'complete -- [words]',
    summary: 'print the words that can follow; for the scripts of `completion`',
    options: [],
    async run(args, terminal) {
      const words = args[0] === '--' ? args.slice(1) : args
      terminal.stdout.write(
        candidatesAfter(words, commands())
          .map((word) => `${word}\n`)
          .join(''),
      )
    },
  }
}

function candidatesAfter(words: readonly string[], commands: Readonly<Record<string, Command>>): string[] {
  const groups = commandGroups()
  const [first, second] = words
  if (first === undefined)
    return [...new Set([...Object.keys(commands).map((name) => name.split(' ')[0] as string), ...groups.keys()])]
  const group = groups.get(first)
  if (!group) return commandCandidates(words, commands)
  const sink = new PassThrough()
  const program = groupProgram(
    group,
    { env: {}, stdout: sink, stderr: sink, signal: new AbortController().signal },
    second,
  )
  if (second === undefined) return program.commands.map((command) => command.name())
  const command = program.commands.find((each) => each.name() === second)
  return command ? Object.keys(optionsOf(command)).map((name) => `--${name}`) : []
}

function commandCandidates(words: readonly string[], commands: Readonly<Record<string, Command>>): string[] {
  const line = words.join(' ')
  const following = Object.keys(commands)
    .filter((name) => name.startsWith(`${line} `))
    .map((name) => name.slice(line.length + 1).split(' ')[0] as string)
  const name = Object.keys(commands).find((each) => `${line} `.startsWith(`${each} `))
  const options = name === undefined ? [] : (commands[name]?.options ?? [])
  return [...following, ...options.flatMap((option) => /--[\w-]+/.exec(option)?.[0] ?? [])]
}
