import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const account = await engine.bootstrap()
const as = account?.token ?? ''
const project = await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
console.log(project.key) // web
await engine.close()
