import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
await engine.given.project('web')
const project = await engine.api.getProject({ projectKey: 'web' }, { as: engine.admin })
console.log(project.key) // web
