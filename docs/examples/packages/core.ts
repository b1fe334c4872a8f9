// #region engine
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const bootstrapResult = await engine.bootstrap()
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as: bootstrapResult?.token ?? '' })
// #endregion
console.log((await engine.api.listProjects({}, { as: { role: 'reader' } })).items.length)
await engine.close()
