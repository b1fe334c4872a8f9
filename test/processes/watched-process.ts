import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { root } from '../root.ts'

/** A Node process that the tests start and whose output they read while it runs. */
export interface WatchedProcess {
  readonly pid: number
  /** Returns everything printed so far. */
  out(): string
  err(): string
  /** Resolves with the first match in the output; rejects when the process ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  /** Writes a line to the standard input of the process. */
  writeLine(line: string): void
  /** Resolves when the process has ended and all of its output has arrived: exit code, or undefined after a signal. */
  readonly ended: Promise<number | undefined>
}

/**
 * Starts Node at the top of the repository.
 *
 * @param name name of the process in the error for an early end.
 * @param args arguments of Node.
 * @param options `env`: environment variables in addition to PATH, HOME and TMPDIR of this process; `input`: whether
 *   the test writes to its standard input, which otherwise is empty.
 */
export function watchProcess(
  name: string,
  args: readonly string[],
  { env = {}, input = true }: { readonly env?: Readonly<Record<string, string>>; readonly input?: boolean } = {},
): WatchedProcess {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...env },
    stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  // The process may end before it has read its input.
  child.stdin?.on('error', () => {})
  return {
    ...watchOutput(name, child.stdout as Readable, child.stderr as Readable, waitForEnd(child)),
    pid: child.pid as number,
    signal: (signal) => void child.kill(signal),
    writeLine: (line) => void child.stdin?.write(`${line}\n`),
  }
}

/**
 * Collects the output of a program while it runs.
 *
 * @param name name of the program in the error for an early end.
 * @param end resolves with the exit code when all of the output has arrived; undefined after a signal.
 */
export function watchOutput(
  name: string,
  stdout: Readable,
  stderr: Readable,
  end: Promise<number | undefined>,
): Pick<WatchedProcess, 'out' | 'err' | 'printed' | 'ended'> {
  const out = collectOutput(stdout)
  const err = collectOutput(stderr)
  let hasEnded = false
  const ended = end.finally(() => {
    hasEnded = true
    out.wake()
  })
  return {
    out: out.text,
    err: err.text,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(out.text())
          if (match || hasEnded) out.listeners.delete(check)
          if (match) resolve(match)
          else if (hasEnded) reject(new Error(earlyEndMessage(name, pattern, out.text(), err.text())))
        }
        out.listeners.add(check)
        check()
      }),
  }
}

const earlyEndMessage = (name: string, pattern: RegExp, out: string, err: string) =>
  `${name} ended without ${pattern}:\n${out.slice(-2000)}\n${err.slice(-2000)}`

function waitForEnd(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? undefined)))
}

/** Collects the output of a stream and notifies listeners of each new chunk. */
function collectOutput(stream: Readable) {
  let text = ''
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    notify()
  })
  return { text: () => text, listeners, wake: notify }
}
