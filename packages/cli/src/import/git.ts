import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { cliError } from '../cli-error.ts'

/** A command of Git, and the directory in which it runs. */
export interface GitCommand {
  readonly directory: string
  readonly args: readonly string[]
}

/**
 * Runs git in a directory and yields its output line by line.
 *
 * @param input lines for its standard input.
 * @throws CliError with git's message when git is missing or fails.
 */
export async function* git(
  { directory, args }: GitCommand,
  signal: AbortSignal,
  input: readonly string[] = [],
): AsyncGenerator<string> {
  const child = spawn('git', ['-C', directory, ...args], { signal, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<number | null | Error>((resolve) => child.once('error', resolve).once('close', resolve))
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text
  })
  // Git may end before it has read everything; its error output is reported below.
  child.stdin.on('error', () => {}).end(input.map((line) => `${line}\n`).join(''))
  let isComplete = false
  try {
    yield* createInterface({ input: child.stdout })
    isComplete = true
  } finally {
    // A caller that stops reading does not need the rest, so git is ended.
    if (!isComplete) child.kill()
  }
  const exit = await ended
  signal.throwIfAborted()
  if (exit instanceof Error) throw cliError('git is not installed, or cannot be started', exit)
  if (exit !== 0)
    throw cliError(`git ${args[0]} in ${directory}: ${errorOutput.trim().split('\n')[0] || `exit code ${exit}`}`)
}
