import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program that is asked over HTTP. */
export interface Serving {
  readonly port: number
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly cwd?: string
  /** Beside `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>
}

/** How the port is told in what a program writes: as a part of an address, or as a member of JSON. */
const told = /https?:\/\/[\w.]+:(\d+)|"port":\s?(\d+)/

/**
 * Starts a program that serves HTTP on this machine, and waits until it tells its port.
 *
 * @throws Error with what the program wrote, when it ends before.
 */
export async function serveProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProgramOptions = {},
): Promise<Serving> {
  const { PATH = '', HOME = '/' } = process.env
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Whoever runs the tests may be ended in the middle of them.
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  async function stop() {
    process.off('exit', end)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    end()
    await ended
  }
  return { port: await portOf(child), stop }
}

function portOf(child: ChildProcess): Promise<number> {
  const lines: string[] = []
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface(stream).on('line', (line) => {
        lines.push(line)
        const [, inAddress, inJson] = told.exec(line) ?? []
        if (inAddress ?? inJson) resolve(Number(inAddress ?? inJson))
      })
    }
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended (${code}): ${lines.join('\n')}`)))
  })
}
