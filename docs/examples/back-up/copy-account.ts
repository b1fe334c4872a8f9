import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

await using source = createEngine({ storage: createMemoryStorage() })
await source.bootstrap({ token: 'an-administrator' })
await source.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as: 'an-administrator' })

// #region copy
await using target = createEngine({ storage: createMemoryStorage() })
const { records, secrets, token = '' } = await target.import(source.export())

console.log(records.document > 0, secrets.renewed, secrets.leftOut)
const { items } = await target.api.listProjects({}, { as: token })
console.log(items.map(({ key }) => key))
// #endregion
