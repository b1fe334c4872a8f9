import { createTestEngine, resourcesOf } from '@halyard/testing'

const engine = await createTestEngine()
await engine.given.project('web')
const resources = await resourcesOf(engine)
console.log(resources.some(([first]) => first?.kind === 'proj' && first.key === 'web')) // true
