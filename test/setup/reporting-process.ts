import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { bundledProgram } from './bundled-program.ts'

/** A process that sends reports. */
export interface ReportingProcess<Report> {
  readonly pid: number
  /** Returns the next message of the process; undefined when it has ended and all messages were returned. */
  next(): Promise<Report | undefined>
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>
}

/**
 * Starts a bundled program as a Node process.
 *
 * @param file path of the program from the root of the repository.
 */
export function startReportingProcess<Report>(file: string, args: readonly string[]): ReportingProcess<Report> {
  const program = bundledProgram(file)
  const child = fork(program.file, [...args], { execArgv: [...program.nodeOptions] })
  const reports = readReports<Report>(child)
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

async function* readReports<Report>(child: ChildProcess): AsyncGenerator<Report, undefined> {
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
