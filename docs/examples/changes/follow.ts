import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = { role: 'owner' } as const
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })

// #region follow
let position: string | undefined
const stop = new AbortController()

for await (const change of engine.changes({ after: position ?? 0, signal: stop.signal })) {
  console.log(change.operation, change.sentences.join(', '))
  position = change.position
  if (change.operation === 'createFlag') stop.abort()
}
// #endregion
