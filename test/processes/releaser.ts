import { createInterface } from 'node:readline'
import { createEngine } from '@halyard/core'
import { openStorage } from '../../packages/cli/src/open-storage.ts'

/** Performs the steps of automated releases until the process is killed, and prints a line before each run. */
async function performSteps(storageOption: string, clockOffset: number): Promise<void> {
  const storage = await openStorage(storageOption)
  const engine = createEngine({ storage, clock: () => Date.now() + clockOffset })
  for (;;) {
    const { delivered } = await engine.runDueTasks({ limit: 1 })
    if (delivered > 0) console.log('step')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

// All modules are loaded before the line `go` arrives, so that a killed process is replaced immediately.
const [, , storageOption = '', clockOffset = '0'] = process.argv
const lines = createInterface({ input: process.stdin })
lines.once('line', () => void performSteps(storageOption, Number(clockOffset)))
// Ends with its parent process.
lines.once('close', () => process.exit())
