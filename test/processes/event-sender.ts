import { createInterface } from 'node:readline'
import { createEngine } from '@halyard/core'
import { openStorage } from '../../packages/cli/src/open-storage.ts'
import { eventsOfReport } from './numbered-reports.ts'

/** Number of reports that are sent at the same time. */
const concurrency = 3

/**
 * Sends numbered reports of events like an SDK, and prints the number of each after its response: with `flushMs: 0` the
 * response comes after the commit.
 */
async function sendReports(storageOption: string, apiKey: string, at: number, [from, until]: number[]): Promise<void> {
  const engine = createEngine({ storage: await openStorage(storageOption), rateLimit: false, sdk: { flushMs: 0 } })
  let next = from as number
  async function sendNext(): Promise<void> {
    for (let report = next++; report < (until as number); report = next++) {
      const headers: Readonly<Record<string, string>> = {
        authorization: apiKey,
        'x-launchdarkly-payload-id': `report-${report}`,
      }
      const body = { kind: 'parsed', value: eventsOfReport(report, at) } as const
      const request = { method: 'POST', path: '/bulk', query: '', header: (name: string) => headers[name], body }
      const response = await engine.sdk.handle(request)
      if (response?.status === 202) console.log(report)
      else throw new Error(`report ${report}: ${response?.status}`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, sendNext))
}

// All modules are loaded before the line with the numbers arrives, so that a killed process is replaced immediately.
const [, , storageOption = '', apiKey = '', at = ''] = process.argv
const lines = createInterface({ input: process.stdin })
lines.once('line', (line) => void sendReports(storageOption, apiKey, Number(at), line.split(' ').map(Number)))
// Ends with its parent process.
lines.once('close', () => process.exit())
