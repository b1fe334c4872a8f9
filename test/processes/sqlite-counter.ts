import type { AccountStorage, Change } from '@halyard/core/storage'
import { createSqliteStorage } from '@halyard/storage-sqlite'
import Database from 'libsql'
import { sendReport } from './send-report.ts'

/** A message of the process: it has committed its n-th increment, or it has read something older than its own write. */
export type CounterReport = { readonly committed: number } | { readonly stale: string }

const counter = { collection: 'counters', scope: '', key: 'shared' }

/**
 * Adds 1 to the shared counter, and a sample and a key that name the increment. Repeats this until no other process was
 * faster.
 */
async function increment(account: AccountStorage, name: string): Promise<number> {
  for (;;) {
    const stored = await account.get(counter)
    const value = Number(stored?.body ?? 0) + 1
    const count: Change = stored
      ? { do: 'replace', id: counter, version: stored.version, body: value, fields: { value } }
      : { do: 'insert', id: counter, body: value, fields: { value } }
    const { outcome } = await account.commit([
      count,
      { do: 'add-keys', set: { name: 'names', scope: '' }, keys: [name] },
      {
        do: 'append',
        series: { name: 'times', scope: '' },
        samples: [{ id: name, at: value, label: '', values: [value], body: null }],
      },
    ])
    if (outcome === 'committed') return value
  }
}

async function run(file: string, prefix: string, report: (report: CounterReport) => Promise<void>): Promise<void> {
  const storage = createSqliteStorage({ database: new Database(file) })
  await storage.migrate()
  const account = storage.account('acme')
  for (let n = 1; ; n++) {
    const name = `${prefix}-${n}`
    const value = await increment(account, name)
    await report({ committed: n })
    const seen = Number((await account.get(counter))?.body)
    if (seen < value || !(await account.hasKey({ name: 'names', scope: '' }, name))) {
      await report({ stale: `${name}: read ${seen} after ${value}` })
    }
  }
}

// The open channel to its parent keeps the process alive, and the process ends with its parent.
const [, , file = '', prefix = ''] = process.argv
process.once('disconnect', () => process.exit())
await run(file, prefix, sendReport)
