// #region engine
import { createTestEngine } from '@halyard/testing'

const engine = await createTestEngine()
await engine.given.project('web')
// #endregion
console.log((await engine.api.getProject({ projectKey: 'web' }, { as: engine.admin })).key)
