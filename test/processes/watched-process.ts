import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { root } from '../root.ts'

/** A Node process of ours whose output is read as it comes. */
export interface WatchedProcess {
  readonly pid: number
  /** Everything printed so far. */
  out(): string
  err(): string
  /** Resolves with the first match in what was printed; rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  /** Writes a line to whoever reads the process's input. */
  tell(line: string): void
  /** Resolves once it is gone and all that it printed has arrived: exit code, or undefined after a signal. */
  readonly ended: Promise<number | undefined>
}

/**
 * Starts Node at the top of the repository.
 *
 * @param name what it is called where it ends too early.
 * @param args of Node.
 * @param options `env` besides the path, the home and the folder for temporary files of this process; `input`: whether it
 *   can be told something, and else finds its input at its end.
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
  const out = readAll(child.stdout as Readable)
  const err = readAll(child.stderr as Readable)
  // Its end may come before it has read what it was told.
  child.stdin?.on('error', () => {})
  let over = false
  const ended = endOf(child).finally(() => {
    over = true
    out.wake()
  })
  return {
    pid: child.pid as number,
    out: out.text,
    err: err.text,
    ended,
    signal: (signal) => void child.kill(signal),
    tell: (line) => void child.stdin?.write(`${line}\n`),
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(out.text())
          if (found || over) out.listeners.delete(look)
          if (found) resolve(found)
          else if (over) reject(new Error(earlyEnd(name, pattern, out.text(), err.text())))
        }
        out.listeners.add(look)
        look()
      }),
  }
}

const earlyEnd = (name: string, pattern: RegExp, out: string, err: string) =>
  `${name} ended without ${pattern}:\n${out.slice(-2000)}\n${err.slice(-2000)}`

function endOf(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? undefined)))
}

/** All that comes out of a stream, and who is told when there is more. */
function readAll(stream: Readable) {
  let text = ''
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of listeners) listener()
  }
  stream.setEncoding('utf8').on('data', (more: string) => {
    text += more
    wake()
  })
  return { text: () => text, listeners, wake }
}
