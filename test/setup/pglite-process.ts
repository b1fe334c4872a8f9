import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Report } from '../processes/pglite-writer.ts'
import { bundledProgram } from './bundled-program.ts'

export interface PgliteProcess {
  readonly pid: number
  /** Returns the next message of the process; undefined when it has ended and all messages were returned. */
  next(): Promise<Report | undefined>
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>
}

/**
 * Starts a Node process that opens a data directory, reports the result and keeps running.
 *
 * @param writes prefix of the names that it commits one after the other until it is killed; undefined: it writes
 *   nothing.
 */
export function startPgliteProcess(dataDir: string, writes?: string): PgliteProcess {
  const { file, nodeOptions } = bundledProgram('test/processes/pglite-writer.ts')
  const child = fork(file, [dataDir, ...(writes === undefined ? [] : [writes])], { execArgv: [...nodeOptions] })
  const reports = readReports(child)
  return {
    pid: child.pid ?? 0,
    next: async () => (await reports.next()).value,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function* readReports(child: ChildProcess): AsyncGenerator<Report, undefined> {
  const pendingReports: Report[] = []
  let wake = () => {}
  let ended = false
  child.on('message', (report: Report) => {
    pendingReports.push(report)
    wake()
  })
  // Emitted after the last message, unlike `exit`.
  child.once('close', () => {
    ended = true
    wake()
  })
  for (;;) {
    const report = pendingReports.shift()
    if (report) yield report
    else if (ended) return undefined
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}
