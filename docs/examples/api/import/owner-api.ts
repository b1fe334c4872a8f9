import { ownerApi } from '@halyard/import'
import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
const project = await ownerApi(engine).createProject({ body: { key: 'web', name: 'Web shop' } })
console.log(project.name) // Web shop
