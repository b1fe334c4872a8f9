import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const as = (await engine.bootstrap())?.token as string
await engine.api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
const environment = { projectKey: 'shop', environmentKey: 'production' }
await engine.api.createSegment({ ...environment, body: { key: 'beta', name: 'Beta testers' } }, { as })
const { variations } = await engine.api.createFlag({ projectKey: 'shop', body: { key: 'pay', name: 'Pay' } }, { as })
const [trueVariation, falseVariation] = variations.map(({ _id }) => _id) as [string, string]
const inBeta = [{ contextKind: 'user', attribute: '', op: 'segmentMatch', values: ['beta'], negate: false }] as const
await engine.api.patchFlag(
  {
    projectKey: 'shop',
    flagKey: 'pay',
    body: {
      environmentKey: 'production',
      instructions: [
        { kind: 'turnFlagOn' },
        { kind: 'addRule', clauses: inBeta, variationId: trueVariation },
        { kind: 'updateFallthroughVariationOrRollout', variationId: falseVariation },
      ],
    },
  },
  { as },
)
await engine.api.createWebhook(
  { body: { name: 'Chat', url: 'https://chat.example.com/hook', on: true, sign: true } },
  { as },
)

// #region flag
const ann = { kind: 'user', key: 'ann', country: 'de' }
const bob = { kind: 'user', key: 'bob', country: 'fr' }

const simulation = await engine.simulate(
  {
    projectKey: 'shop',
    environmentKey: 'production',
    flagKey: 'pay',
    instructions: [{ kind: 'addTargets', values: ['ann'], variationId: trueVariation }],
    contexts: [ann, bob],
  },
  { as },
)
for (const { context, before, after, changed } of simulation.contexts) {
  console.log(context.key, before.value, after.value, changed ? `changes: ${after.reason.kind}` : 'stays')
}
// #endregion

// #region why
console.log(simulation.contexts[0]?.why?.after)
// #endregion

// #region other-results
const { segments, webhooks, approvals, changeLogEntry } = simulation
console.log('segments', segments.map(({ key }) => key).join())
console.log('webhooks', webhooks.map(({ host }) => host).join())
console.log('rights', changeLogEntry?.accesses.map(({ action }) => action).join())
console.log(approvals.required ? approvals.why : 'no approval is needed')
// #endregion

// #region segment
const segmentSimulation = await engine.simulate(
  {
    projectKey: 'shop',
    environmentKey: 'production',
    segmentKey: 'beta',
    patch: [{ op: 'add', path: '/included/-', value: 'bob' }],
    contexts: [ann, bob],
  },
  { as },
)
for (const { context, before, after } of segmentSimulation.contexts)
  console.log(context.key, before.member, after.member)
for (const { key, changed } of segmentSimulation.flags) console.log(key, changed)
// #endregion
