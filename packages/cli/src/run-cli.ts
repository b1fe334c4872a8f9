import { isCliError } from './cli-error.ts'
import type { Command, Terminal } from './command.ts'
import { exitCode, exitCodeOf } from './exit-code.ts'
import type { CommandGroup } from './operations/command-name.ts'
import { ownVersion } from './own-version.ts'
import { serveCommand } from './serve-command.ts'

/**
 * Runs one command line to its end.
 *
 * @param args the arguments after `halyard`.
 * @returns the exit code: 0 when the command is done, otherwise a code of `exitCode`. A failure is reported in one
 *   line.
 *
 * @example
 * ```ts
 * import { PassThrough } from 'node:stream'
 * import { runCli } from '@halyard/cli'
 *
 * const { env, stdin, stdout } = process
 * const stderr = new PassThrough()
 * const { signal } = new AbortController()
 * const code = await runCli(['unknown-command'], { env, stdin, stdout, stderr, signal })
 * console.log(code) // 2
 * ```
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const group = await groupFor(args)
  if (group) return runOperation(group, args.slice(1), terminal)
  const commands = await commandsFor(args)
  const name = Object.keys(commands).find((words) => words.split(' ').every((word, i) => args[i] === word))
  const command = name === undefined ? undefined : commands[name]
  if (isVersionRequest(args)) return printVersion(terminal)
  if (name === undefined || !command) return printUsage(commands, args, terminal)
  const rest = args.slice(name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.stdout.write(`halyard ${command.usage}\n${command.summary}\n\n${command.options.join('\n')}\n`)
    return exitCode.done
  }
  try {
    await command.run(rest, terminal)
    return exitCode.done
  } catch (error) {
    return printFailure(error, terminal, command.exitCodeOf ?? (() => exitCode.refused))
  }
}

/** Returns the group of operations that the first argument names. Other commands start without reading operations. */
async function groupFor([first]: readonly string[]): Promise<CommandGroup | undefined> {
  if (first === undefined || first.startsWith('-') || first === 'serve') return undefined
  if (Object.keys(await commandsFor([first])).some((name) => name.split(' ')[0] === first)) return undefined
  return (await import('./operations/command-name.ts')).commandGroups().get(first)
}

async function runOperation(group: CommandGroup, args: readonly string[], terminal: Terminal): Promise<number> {
  const { runGroup } = await import('./operations/run-group.ts')
  try {
    return await runGroup(group, args, terminal)
  } catch (error) {
    return printFailure(error, terminal, exitCodeOf)
  }
}

const isVersionRequest = (args: readonly string[]) => args[0] === '--version' || args[0] === '-V'

async function printVersion({ stdout }: Terminal): Promise<number> {
  stdout.write(`${await ownVersion()}\n`)
  return exitCode.done
}

type Commands = Readonly<Record<string, Command>>

/**
 * Returns the commands from which the arguments select one. The arguments of a server load only its own command, so
 * that it starts without the code of the others.
 */
async function commandsFor([first]: readonly string[]): Promise<Commands> {
  return first === 'serve' ? { serve: serveCommand } : (await import('./commands.ts')).commands
}

async function printUsage(commands: Commands, args: readonly string[], { stdout, stderr }: Terminal): Promise<number> {
  const { commandGroups } = await import('./operations/command-name.ts')
  const groups = [...commandGroups().values()].map(
    ({ name, description }) => `  halyard ${name} <command>\n      ${description}`,
  )
  const isRequested = args.length === 0 || ['help', '--help', '-h'].includes(args[0] as string)
  const list = Object.values(commands).map(({ usage, summary }) => `  halyard ${usage}\n      ${summary}`)
  const help = `Feature management as a library, served over HTTP.\n\n${list.join('\n')}\n\nOperations of the API, of a server (HALYARD_URL, HALYARD_TOKEN) or a storage:\n\n${groups.join('\n')}\n\nOptions of a command: halyard <command> --help\n`
  if (isRequested) stdout.write(help)
  else stderr.write(`halyard: unknown command "${args.join(' ')}"\n\n${help}`)
  return isRequested ? exitCode.done : exitCode.usage
}

async function printFailure(
  error: unknown,
  { stderr, signal }: Terminal,
  codeOf: (error: unknown) => number,
): Promise<number> {
  if (signal.aborted) {
    const { isInterruption } = await import('@halyard/import')
    const outcome = isInterruption(error)
      ? error.message
      : 'completed work is stored; run the command again to continue'
    stderr.write(`halyard: interrupted; ${outcome}\n`)
    return exitCode.interrupted
  }
  stderr.write(`halyard: ${isCliError(error) ? error.message : lineOf(error)}\n`)
  return codeOf(error)
}

/**
 * Returns an unhandled error as one line as well, with the message of the error itself, because there is no better
 * information.
 */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const errors = (error as { errors?: readonly { attribute: string; reason: string }[] }).errors
  const detail = Array.isArray(errors)
    ? `: ${errors.map((detail) => `${detail.attribute} ${detail.reason}`).join(', ')}`
    : ''
  return `${error.message.split('\n')[0]}${detail}`
}
