import { createInterface } from 'node:readline'
import { createEngine } from '@halyard/core'
import { openStorage } from '../../packages/cli/src/open-storage.ts'

/**
 * Prints each change of a storage as a line of JSON until the process is killed.
 *
 * @param after position of the last change that was printed by another process; empty for the oldest.
 */
async function follow(storageOption: string, after: string): Promise<void> {
  const engine = createEngine({ storage: await openStorage(storageOption) })
  for await (const { id, position } of engine.changes(after === '' ? {} : { after })) {
    process.stdout.write(`${JSON.stringify({ id, position })}\n`)
  }
}

// All modules are loaded before the line with the position arrives, so that a killed process is replaced immediately.
const [, , storageOption = ''] = process.argv
const lines = createInterface({ input: process.stdin })
lines.once('line', (after) => void follow(storageOption, after))
// Ends with its parent process.
lines.once('close', () => process.exit())
