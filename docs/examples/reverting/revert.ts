import { ApiError, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const { api } = engine
const as = (await engine.bootstrap())?.token as string
await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await api.createFlag({ projectKey: 'shop', body: { key: 'pay', name: 'Pay' } }, { as })
const pay = { projectKey: 'shop', flagKey: 'pay' }
const change = (...instructions: object[]) =>
  api.patchFlag({ ...pay, body: { environmentKey: 'production', instructions } as never }, { as })

// #region revert
await change({ kind: 'turnFlagOn' }, { kind: 'updateName', value: 'Payment' })

const [entry] = (await api.listChangeLog({ limit: 1 }, { as })).items
console.log(entry?.description)
await api.revertChangeLogEntry({ id: entry?._id ?? '', body: { comment: 'too early' } }, { as })

const flag = await api.getFlag(pay, { as })
console.log(flag.name, flag.environments?.production?.on)
// #endregion

// #region conflict
await change({ kind: 'updateDescription', value: 'Pays the cart' })
const [described] = (await api.listChangeLog({ limit: 1 }, { as })).items
await change({ kind: 'updateDescription', value: 'Pays the order' })

try {
  await api.revertChangeLogEntry({ id: described?._id ?? '' }, { as })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.code, error.conflicts)
}
// #endregion

// #region deletion
await api.deleteFlag(pay, { as })
const [deletion] = (await api.listChangeLog({ limit: 1 }, { as })).items
await api.revertChangeLogEntry({ id: deletion?._id ?? '' }, { as })
console.log((await api.getFlag(pay, { as })).description)
// #endregion
