// #region open
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const environment = { projectKey: 'shop', environmentKey: 'production' }
// #endregion

const as = (await engine.bootstrap())?.token as string
const change = (...instructions: object[]) =>
  engine.api.patchFlag(
    { projectKey: 'shop', flagKey: 'checkout', body: { environmentKey: 'production', instructions } as never },
    { as },
  )
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
await engine.api.createSegment({ ...environment, body: { key: 'beta', name: 'Beta testers' } }, { as })
const created = await engine.api.createFlag({ projectKey: 'shop', body: { key: 'checkout', name: 'Checkout' } }, { as })
const [trueVariation, falseVariation] = created.variations.map(({ _id }) => _id) as [string, string]
const inBeta = [{ contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['beta'], negate: false }]
await change(
  { kind: 'turnFlagOn' },
  { kind: 'addRule', clauses: inBeta, variationId: trueVariation },
  { kind: 'updateFallthroughVariationOrRollout', variationId: falseVariation },
)

// #region evaluate
const flags = engine.evaluator(environment)
await flags.ready()

const ann = { kind: 'user', key: 'ann', country: 'de' }
const { value, reason } = flags.evaluate('checkout', ann, false)
console.log(value, reason)
// #endregion

// #region change
const body = [{ op: 'add', path: '/included/-', value: 'ann' }]
await engine.api.patchSegment({ ...environment, segmentKey: 'beta', body }, { as })
console.log(flags.evaluate('checkout', ann, false).value)
// #endregion

// #region multi
const visit = {
  kind: 'multi',
  user: { key: 'bob', address: { city: 'Rome' } },
  device: { key: 'd-71', os: 'ios', version: '2.1.0' },
}
console.log(flags.evaluate('checkout', visit, false).reason.kind)
// #endregion

// #region all
for (const [key, { value, variationIndex }] of Object.entries(flags.evaluateAll(ann))) {
  console.log(key, value, variationIndex)
}
// #endregion

// #region big
await flags.lookUpBigSegments(ann)
// #endregion

// #region explain
console.log(flags.explain('checkout', { kind: 'user', key: 'bob' })?.text)
// #endregion
