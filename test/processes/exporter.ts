import { createInterface } from 'node:readline'
import { createEngine } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { dataExporters } from '@halyard/data-export'
import { openStorage } from '../../packages/cli/src/open-storage.ts'

/** Sends all events that wait for destinations, until the process is killed. */
async function exportAll(storageOption: string, clockOffset: number): Promise<void> {
  const exporters = dataExporters({ http: { send: fetchSender({ allowPrivate: true }) } })
  const storage = await openStorage(storageOption)
  const engine = createEngine({ storage, exporters, clock: () => Date.now() + clockOffset })
  for (;;) {
    await engine.runDueTasks({ limit: 20 })
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

// All modules are loaded before the line `go` arrives, so that a killed exporter is replaced immediately.
const [, , storageOption = '', clockOffset = '0'] = process.argv
const lines = createInterface({ input: process.stdin })
lines.once('line', () => void exportAll(storageOption, Number(clockOffset)))
// Ends with its parent process.
lines.once('close', () => process.exit())
