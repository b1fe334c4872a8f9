import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A server in a process of its own. */
export interface RunningServer {
  readonly port: number
  /** Time from the start of the process to its first response, ms. */
  readonly startMs: number
  /** Returns the resident memory, MB. */
  memory(): number
  stop(): Promise<void>
}

const maxWaitMs = 300_000

/**
 * Sends requests to a server that was just started until it responds.
 *
 * @param path path of its health endpoint, or of another call.
 * @param headers headers of the call. Default: no headers.
 * @throws Error when the process ends before that, or takes more than five minutes.
 */
export async function waitForServer(
  child: ChildProcess,
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const startTime = performance.now()
  while (!(await isHealthy(`http://127.0.0.1:${port}${path}`, headers))) {
    if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}`)
    if (performance.now() - startTime > maxWaitMs) {
      child.kill('SIGKILL')
      throw new Error('the server did not respond within five minutes')
    }
    await pause(2)
  }
  return {
    port,
    startMs: performance.now() - startTime,
    memory: () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1000,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function isHealthy(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    const { ok, body } = await fetch(url, { headers })
    await body?.cancel()
    return ok
  } catch {
    return false
  }
}
