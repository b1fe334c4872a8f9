import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Listening } from '../homes/listening-server.ts'

export interface ProgramOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What tells the port in a line of the output, as its first group. Default: JSON with a member `port`. */
  readonly port?: RegExp
}

/**
 * Starts a program that serves HTTP on this machine, and waits for it to tell its port.
 *
 * @throws Error with what the program wrote, when it ends before.
 */
export async function serveProgram(
  program: string,
  args: readonly string[],
  { cwd, env = {}, port = /"port":\s?(\d+)/ }: ProgramOptions = {},
): Promise<Listening> {
  const { PATH, HOME = '/' } = process.env
  const child = spawn(program, args, {
    cwd,
    env: { PATH, HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Whoever runs the tests may be ended in the middle of them.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  return {
    port: await portOf(child, port),
    async stop() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      end()
      await ended
    },
  }
}

function portOf(child: ChildProcess, pattern: RegExp): Promise<number> {
  const lines: string[] = []
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface(stream).on('line', (line) => {
        lines.push(line)
        const told = pattern.exec(line)?.[1]
        if (told) resolve(Number(told))
      })
    }
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended (${code}): ${lines.join('\n')}`)))
  })
}
