import { ApiError, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

let now = Date.UTC(2026, 10, 1)
const engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
const as = { role: 'owner' } as const
const flag = { projectKey: 'web', flagKey: 'checkout' }
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
now = Date.UTC(2026, 10, 2)
const instructions = [{ kind: 'turnFlagOn' } as const]
await engine.api.patchFlag({ ...flag, body: { environmentKey: 'production', instructions } }, { as })
await engine.api.deleteFlag(flag, { as })

// #region read
const before = engine.at('2026-11-01T12:00Z')
const { name, environments } = await before.api.getFlag(flag, { as })
console.log(name, environments?.production?.on)
// #endregion

// #region evaluate
const production = { projectKey: 'web', environmentKey: 'production' }
await before.evaluator(production).ready()
console.log(before.evaluate('checkout', { kind: 'user', key: 'ann' }, true, production))
// #endregion

// #region entry
const { items } = await engine.api.listChangeLog({}, { as })
for (const { _id } of items.slice(0, 2)) {
  const { totalCount } = await engine.at({ entry: _id }).as(as).listFlags({ projectKey: 'web' })
  console.log(totalCount)
}
// #endregion

// #region refused
for (const time of ['2026-10-01T12:00Z', '2026-12-01T12:00Z']) {
  try {
    await engine.at(time).api.getFlag(flag, { as })
  } catch (error) {
    if (error instanceof ApiError) console.log(error.message)
  }
}
// #endregion
