import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A running program that serves HTTP. */
export interface Serving {
  readonly port: number
  stop(): Promise<void>
}

export interface ProgramOptions {
  readonly cwd?: string
  /** Environment variables in addition to `PATH` and `HOME`. */
  readonly env?: Readonly<Record<string, string>>
}

/** Matches the port in the output of a program: as a part of an address, or as a JSON property. */
const portPattern = /https?:\/\/[\w.]+:(\d+)|"port":\s?(\d+)/

/**
 * Starts a program that serves HTTP on this machine, and waits until it prints its port.
 *
 * @throws Error with the output of the program, when the program ends before it prints its port.
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
  // The process that runs the tests may be killed in the middle of them.
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
        const [, inAddress, inJson] = portPattern.exec(line) ?? []
        if (inAddress ?? inJson) resolve(Number(inAddress ?? inJson))
      })
    }
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended (${code}): ${lines.join('\n')}`)))
  })
}
