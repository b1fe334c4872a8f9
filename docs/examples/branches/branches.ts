import { ApiError, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = { role: 'owner' } as const
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })

// #region branch
const production = { projectKey: 'web', environmentKey: 'production' }
const preview = await engine.branch('pr-123', { expiresIn: 7 * 24 * 60 * 60 * 1000 })
await preview.api.patchFlag(
  {
    projectKey: 'web',
    flagKey: 'checkout',
    body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
  },
  { as },
)
for (const each of [engine, preview]) {
  await each.evaluator(production).ready()
  console.log(each.evaluate('checkout', { kind: 'user', key: 'ann' }, false, production).value)
}
// #endregion

// #region keys
const { sdkKey } = await preview.sdkKeys(production)
console.log(sdkKey.endsWith('.pr-123'))
// #endregion

// #region merge
const { documents, changes } = await preview.diff()
console.log(documents.map(({ resource }) => resource).join(', '))
console.log(changes.flatMap(({ sentences }) => sentences).join(', '))
try {
  await preview.merge({ as })
} catch (error) {
  if (!(error instanceof ApiError && error.conflicts)) throw error
  for (const { resource, path, base, theirs, yours } of error.conflicts)
    console.log(resource, path, base, theirs, yours)
}
console.log(engine.evaluate('checkout', { kind: 'user', key: 'ann' }, false, production).value)
console.log((await engine.branches.list()).length)
// #endregion
