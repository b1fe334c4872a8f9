import { spawn } from 'node:child_process'
import { createServer } from 'node:net'

export interface ShellOptions {
  readonly cwd: string
  /** Environment variables in addition to `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>
}

/** A command line that runs in a shell, with all processes that it starts. */
export interface RunningShell {
  /** Returns everything printed so far. */
  output(): string
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  /** Kills the shell and its processes. */
  stop(): Promise<void>
}

/** Starts command lines in a shell, which ends with the process of the tests at the latest. */
export function startShell(commands: string, { cwd, env }: ShellOptions): RunningShell {
  const { PATH = '', HOME = '/', TMPDIR = '/tmp' } = process.env
  const child = spawn('sh', ['-e', '-c', commands], {
    cwd,
    env: { PATH, HOME, TMPDIR, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a package manager does not end the programs that it starts.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const end = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch {
      // All processes of the group have ended.
    }
  }
  process.once('exit', end)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  // Without this, each listener would remain on the process of the tests.
  void ended.then(() => process.off('exit', end))
  const stop = async () => {
    end()
    await ended
  }
  return { output: () => output, ended, stop }
}

/**
 * Waits until an address responds with a success.
 *
 * @throws Error with the output when the program ends before it responds.
 */
export async function untilServing(url: string, shell: RunningShell): Promise<void> {
  let hasEnded = false
  void shell.ended.then(() => {
    hasEnded = true
  })
  for (;;) {
    if (hasEnded) throw new Error(`the server of ${url} has ended:\n${shell.output()}`)
    const response = await fetch(url).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Resolves with a port on which no program listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
