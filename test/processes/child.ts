import { spawn } from 'node:child_process'
import path from 'node:path'
import { root } from '../source-imports.ts'

/** A Node process that runs a file of ours unbuilt. It ends with its parent at the latest. */
export interface Child {
  readonly pid: number
  /** Resolves with the first match in what was printed; rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Whole lines printed so far. */
  lines(): string[]
  /** SIGKILL, and waits until it is gone and all that it printed has arrived. */
  kill(): Promise<void>
  /** Lets go on who waits for a line. */
  tell(line: string): void
}

const running = new Set<Child>()

/** Kills what is still running; for `afterAll`. */
export async function endChildren(): Promise<void> {
  await Promise.all([...running].map((child) => child.kill()))
}

/**
 * @param file from the top of the repository.
 * @param waits whether it reads lines of ours: such a file sees to its end itself.
 */
export function startChild(file: string, args: readonly string[], { waits = false } = {}): Child {
  const ends = waits ? [] : ['--import', path.join(root, 'test/processes/end-with-parent.ts')]
  const node = ['--conditions=@halyard/source', '--import', 'tsx', ...ends, path.join(root, file)]
  const child = spawn(process.execPath, [...node, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  let over = false
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of listeners) listener()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  // Its end may come before it has read what it was told.
  child.stdin.on('error', () => {})
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      over = true
      wake()
      resolve()
    })
  })
  const started: Child = {
    pid: child.pid as number,
    lines: () => out.split('\n').slice(0, -1),
    tell: (line) => void child.stdin.write(`${line}\n`),
    async kill() {
      child.kill('SIGKILL')
      await ended
      running.delete(started)
    },
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(out)
          if (found || over) listeners.delete(look)
          if (found) resolve(found)
          else if (over)
            reject(new Error(`${file} ended without ${pattern}:\n${out.slice(-2000)}\n${err.slice(-2000)}`))
        }
        listeners.add(look)
        look()
      }),
  }
  running.add(started)
  return started
}
