import type { Report } from '../processes/pglite-writer.ts'
import { type ReportingProcess, startReportingProcess } from './reporting-process.ts'

export type PgliteProcess = ReportingProcess<Report>

/**
 * Starts a Node process that opens a data directory, reports the result and keeps running.
 *
 * @param writes prefix of the names that it commits one after the other until it is killed; undefined: it writes
 *   nothing.
 */
export function startPgliteProcess(dataDir: string, writes?: string): PgliteProcess {
  const args = [dataDir, ...(writes === undefined ? [] : [writes])]
  return startReportingProcess('test/processes/pglite-writer.ts', args)
}
