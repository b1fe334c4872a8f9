import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, clause, failureOf, flagProject } from '../../flags/test/flag-project.ts'

const aspects = [
  'updateOn',
  'updatePrerequisites',
  'updateTargets',
  'updateRules',
  'updateFallthrough',
  'updateOffVariation',
] as const

const flagInProduction = { projectKey: 'web', environmentKey: 'production', flagKey: 'f' }

/** Creates the flags `f` and `base`, and applies the steps to `f` in an environment. */
async function project(steps: Readonly<Record<'test' | 'production', readonly number[]>>) {
  const base = await flagProject()
  const { api, as, create, instruct } = base
  await api.patchApprovalRequestSettings(
    { projectKey: 'web', body: { environmentKey: 'production', canReviewOwnRequest: true } as never },
    { as },
  )
  const [baseVariation] = (await create('base')).variations
  const values = ['low', 'middle', 'high'].map((value) => ({ value }))
  const created = await create('f', { variations: values, defaults: { onVariation: 0, offVariation: 2 } })
  const [low, middle, high] = created.variations.map(({ _id }) => _id) as [string, string, string]
  const instructions = [
    { kind: 'turnFlagOn' },
    { kind: 'turnFlagOff' },
    { kind: 'addPrerequisite', key: 'base', variationId: baseVariation?._id },
    { kind: 'replaceTargets', targets: [{ values: ['ann', 'bob'], variationId: low }] },
    { kind: 'replaceTargets', targets: [{ contextKind: 'device', values: ['p1'], variationId: high }] },
    { kind: 'addRule', clauses: [clause({ values: ['de'] })], variationId: middle, description: 'Germany' },
    { kind: 'addRule', clauses: [clause({ values: ['at'] })], rolloutWeights: { [low]: 30_000, [high]: 70_000 } },
    { kind: 'replaceRules', rules: [] },
    { kind: 'updateFallthroughVariationOrRollout', variationId: middle },
    {
      kind: 'updateFallthroughVariationOrRollout',
      rolloutWeights: { [low]: 1_000, [middle]: 99_000 },
      rolloutContextKind: 'device',
      rolloutBucketBy: 'model',
    },
    { kind: 'updateOffVariation', variationId: middle },
  ]
  for (const environmentKey of ['test', 'production'] as const) {
    for (const step of steps[environmentKey]) {
      await instruct('f', [instructions[step % instructions.length] as object], { environmentKey })
    }
  }
  return base
}

/** Returns the targeting of `f` in production, without ids of rules and clauses, which differ between copies. */
async function targetingOf({ get }: Awaited<ReturnType<typeof project>>) {
  const { on, prerequisites, targets, contextTargets, rules, fallthrough, offVariation } =
    (await get('f')).environments?.production ?? ({} as never)
  const withoutIds = (rules ?? []).map(({ _id, clauses, ...rule }) => ({
    ...rule,
    clauses: clauses.map(({ _id: __, ...rest }) => rest),
  }))
  return { on, prerequisites, targets, contextTargets, rules: withoutIds, fallthrough, offVariation }
}

const steps = fc.array(fc.nat({ max: 10 }), { maxLength: 5 })

describe('an approval request for a copy', () => {
  it('has the effect of an immediate copy when it is applied', async () => {
    const selection = fc.oneof(
      fc.constant({}),
      fc.subarray([...aspects]).map((includedActions) => ({ includedActions })),
      fc.subarray([...aspects]).map((excludedActions) => ({ excludedActions })),
    )
    let applied = 0
    await fc.assert(
      fc.asyncProperty(fc.record({ test: steps, production: steps }), selection, async (both, selected) => {
        const [requested, copied] = [await project(both), await project(both)]
        const source = { key: 'test' }
        const body = { source, target: { key: 'production' }, ...selected }
        await copied.api.copyFlag({ projectKey: 'web', flagKey: 'f', body }, { as: copied.as })
        const { api, as } = requested
        const request = { description: 'As tested', source, ...selected }
        const outcome = await api.createFlagCopyApprovalRequest({ ...flagInProduction, body: request }, { as }).then(
          ({ _id }) => _id,
          ({ code }: { code: string }) => ({ code }),
        )
        if (typeof outcome === 'string') {
          applied++
          await api.reviewApprovalRequest({ id: outcome, body: { kind: 'approve' } }, { as })
          await api.applyApprovalRequest({ id: outcome, body: {} }, { as })
        } else expect(outcome).toEqual({ code: 'invalid_request' })
        expect(await targetingOf(requested)).toEqual(await targetingOf(copied))
      }),
      {
        // Every step occurs in this example.
        examples: [[{ test: [0, 2, 3, 5, 6, 9, 10], production: [1, 4, 8] }, {}]],
        numRuns: process.env.HALYARD_LONG_TESTS ? 200 : 10,
      },
    )
    expect(applied).toBeGreaterThan(3)
  })

  it('requires the rights to copy from the source and to request an approval, and reports an unknown source', async () => {
    const { api, as } = await project({ test: [0], production: [] })
    const call = (key: string, caller: As = as, others: object = {}) =>
      api.createFlagCopyApprovalRequest(
        { ...flagInProduction, body: { description: 'As tested', source: { key, ...others } } },
        { as: caller },
      )
    const parts = [
      allow(['createApprovalRequest'], ['proj/web:env/production:flag/f']),
      allow(['copyFlagConfigFrom'], ['proj/web:env/test:flag/f']),
      allow(['viewProject'], ['proj/web']),
    ]
    for (const missing of parts) {
      const policy = parts.filter((statement) => statement !== missing)
      expect((await failureOf(call('test', { policy }))).code).toBe('forbidden')
    }
    for (const key of ['production', 'none']) {
      expect((await failureOf(call(key))).errors).toMatchObject([{ attribute: 'source.key' }])
    }
    expect((await failureOf(call('test', as, { version: 7 }))).code).toBe('optimistic_locking_error')
    expect((await call('test', as)).instructions).toEqual([{ kind: 'turnFlagOn' }])
  })
})
