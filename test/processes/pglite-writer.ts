import type { Change } from '@halyard/core/storage'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { sendReport } from './send-report.ts'

/** A message of the process: it has opened the data directory, the storage refused to open it, or a commit is done. */
export type Report = { readonly opened: true } | { readonly refused: string } | { readonly committed: string }

/** Returns one batch: two documents, a key and a sample, which are stored completely or not at all. */
function changesNamed(name: string): Change[] {
  const insert = (scope: string): Change => ({
    do: 'insert',
    id: { collection: 'pairs', scope, key: name },
    body: name,
    fields: {},
  })
  return [
    insert('left'),
    insert('right'),
    { do: 'add-keys', set: { name: 'names', scope: '' }, keys: [name] },
    {
      do: 'append',
      series: { name: 'times', scope: '' },
      samples: [{ id: name, at: 1, label: '', values: [], body: null }],
    },
  ]
}

async function run(
  dataDir: string,
  writes: string | undefined,
  report: (report: Report) => Promise<void>,
): Promise<void> {
  const storage = createPgliteStorage({ dataDir })
  try {
    await storage.migrate()
  } catch (error) {
    return report({ refused: String(error) })
  }
  await report({ opened: true })
  for (let n = 0; writes !== undefined; n++) {
    const name = `${writes}-${n}`
    const { outcome } = await storage.account('acme').commit(changesNamed(name))
    if (outcome !== 'committed') throw new Error(`${name}: ${outcome}`)
    await report({ committed: name })
  }
}

// The open channel to its parent keeps the process alive, and the process ends with its parent.
const [, , dataDir = '', writes] = process.argv
process.once('disconnect', () => process.exit())
await run(dataDir, writes, sendReport)
