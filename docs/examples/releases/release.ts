import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

let now = Date.UTC(2026, 0, 5)
const engine = createEngine({ storage: createMemoryStorage(), clock: () => now })
const { api } = engine
const as = (await engine.bootstrap())?.token as string
await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await api.createFlag({ projectKey: 'shop', body: { key: 'pay', name: 'Pay' } }, { as })
const pay = { projectKey: 'shop', flagKey: 'pay' }
const change = (...instructions: object[]) =>
  api.patchFlag({ ...pay, body: { environmentKey: 'production', instructions } as never }, { as })

const hour = 3_600_000
async function afterAnHour() {
  now += hour
  await engine.runDueTasks()
}

// #region policy
await api.createReleasePolicy(
  {
    projectKey: 'shop',
    body: {
      key: 'careful',
      name: 'Careful',
      releaseMethod: 'progressive-release',
      scope: { environmentKeys: ['production'] },
      progressiveReleaseConfig: {
        stages: [
          { allocation: 1_000, durationMillis: hour },
          { allocation: 50_000, durationMillis: hour },
        ],
      },
    },
  },
  { as },
)
await change({ kind: 'turnFlagOn' })

const { environments } = await api.getFlag(pay, { as })
const [release] = environments?.production?.automatedReleases ?? []
console.log(release?.status, release?.stages[release.latestStageIndex]?.allocation)
// #endregion

// #region hold
await change({ kind: 'holdAutomatedRelease' })
await change({ kind: 'resumeAutomatedRelease' })
// #endregion

// #region steps
await afterAnHour()
await afterAnHour()
const { items } = await api.listChangeLog({ limit: 2 }, { as })
for (const { titleVerb } of items) console.log(titleVerb)
// #endregion
