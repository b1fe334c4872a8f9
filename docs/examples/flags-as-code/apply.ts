import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = { role: 'owner' } as const
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await engine.api.createFlag({ projectKey: 'shop', body: { key: 'pay', name: 'Pay' } }, { as })

// #region apply
import { applyPlan, parseProjectFile, planFlags, planText, pullFlags } from '@halyard/import'

const target = { api: engine.as(as) }
const text = await pullFlags(target, 'shop')
const edited = text.replace('on: false', 'on: true')

const plan = await planFlags(target, parseProjectFile(edited), { comment: 'Release of payments' })
console.log(planText(plan))
await applyPlan(target, plan)
// #endregion

// #region effects
const ann = { kind: 'user', key: 'ann' }
const evaluator = engine.evaluator({ projectKey: 'shop', environmentKey: 'production' })
await evaluator.ready()
console.log(evaluator.evaluate('pay', ann, true).value)
const off = await pullFlags(target, 'shop')
const next = await planFlags(target, parseProjectFile(off.replace('on: true', 'on: false')))
console.log(planText(next))
// #endregion

// #region changes
const changes = [
  { operation: 'createFlag', parameters: { projectKey: 'shop' }, body: { key: 'search', name: 'Search' } },
  {
    operation: 'patchFlag',
    parameters: { projectKey: 'shop', flagKey: 'search' },
    body: { environmentKey: 'test', instructions: [{ kind: 'turnFlagOn' }] },
  },
]
const { items } = await engine.api.applyChanges({ body: { changes } }, { as })
console.log(items.flatMap(({ sentences }) => sentences))
// #endregion
await engine.close()
