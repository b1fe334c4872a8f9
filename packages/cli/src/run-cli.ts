import { isCliError } from './cli-error.ts'
import type { Command, Terminal } from './command.ts'
import { serveCommand } from './serve-command.ts'

/**
 * Runs one command line to its end.
 *
 * @param args the arguments after `halyard`.
 * @returns the exit code: 0, 1 after a failure that was reported in one line, 130 when it was interrupted.
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
 * console.log(code) // 1
 * ```
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const commands = await commandsFor(args)
  const name = Object.keys(commands).find((words) => words.split(' ').every((word, i) => args[i] === word))
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || !command) return printUsage(commands, args, terminal)
  const rest = args.slice(name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.stdout.write(`halyard ${command.usage}\n${command.summary}\n\n${command.options.join('\n')}\n`)
    return 0
  }
  try {
    await command.run(rest, terminal)
    return 0
  } catch (error) {
    return printFailure(error, terminal)
  }
}

type Commands = Readonly<Record<string, Command>>

/** Returns the commands among which the arguments name one. A server starts without the code of the other commands. */
async function commandsFor([first]: readonly string[]): Promise<Commands> {
  return first === 'serve' ? { serve: serveCommand } : (await import('./commands.ts')).commands
}

function printUsage(commands: Commands, args: readonly string[], { stdout, stderr }: Terminal): number {
  const isRequested = args.length === 0 || ['help', '--help', '-h'].includes(args[0] as string)
  const list = Object.values(commands).map(({ usage, summary }) => `  halyard ${usage}\n      ${summary}`)
  const help = `Feature management as a library, served over HTTP.\n\n${list.join('\n')}\n\nOptions of a command: halyard <command> --help\n`
  if (isRequested) stdout.write(help)
  else stderr.write(`halyard: unknown command "${args.join(' ')}"\n\n${help}`)
  return isRequested ? 0 : 1
}

async function printFailure(error: unknown, { stderr, signal }: Terminal): Promise<number> {
  if (signal.aborted) {
    const { isInterruption } = await import('@halyard/import')
    const outcome = isInterruption(error)
      ? error.message
      : 'completed work is stored; run the command again to continue'
    stderr.write(`halyard: interrupted; ${outcome}\n`)
    return 130
  }
  stderr.write(`halyard: ${isCliError(error) ? error.message : lineOf(error)}\n`)
  return 1
}

/** Returns an unhandled error as one line too; its own message is the best information there is. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const errors = (error as { errors?: readonly { attribute: string; reason: string }[] }).errors
  const detail = Array.isArray(errors)
    ? `: ${errors.map((detail) => `${detail.attribute} ${detail.reason}`).join(', ')}`
    : ''
  return `${error.message.split('\n')[0]}${detail}`
}
