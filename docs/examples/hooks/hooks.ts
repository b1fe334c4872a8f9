// #region engine
import { ApiError, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

let isFrozen = false
const engine = createEngine({
  storage: createMemoryStorage(),
  hooks: {
    beforeCommit({ resources }) {
      const isProduction = resources.some(({ resource }) => resource.includes('env/production'))
      if (isFrozen && isProduction) throw new ApiError('forbidden', { message: 'Production is frozen until Monday' })
    },
    afterCommit({ sentences, caller }) {
      console.log(`${caller.id}: ${sentences.join(', ')}`)
    },
  },
})
// #endregion

const as = { role: 'owner' } as const
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })

// #region refusal
isFrozen = true
try {
  await engine.api.patchFlag(
    {
      projectKey: 'web',
      flagKey: 'checkout',
      body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
    },
    { as },
  )
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  console.log(error.status, error.message)
}
// #endregion
