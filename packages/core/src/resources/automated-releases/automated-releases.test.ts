import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, failureOf, flagProject, start, validationErrorOf } from '../flags/test/flag-project.ts'

const hour = 3_600_000
const stages = [
  { allocation: 1_000, durationMillis: hour },
  { allocation: 50_000, durationMillis: 2 * hour },
]
const production = { projectKey: 'web', environmentKey: 'production', flagKey: 'checkout' }

/**
 * Makes a project with the boolean flag `checkout` and a policy that releases in stages. `policy` overrides properties
 * of the policy; with `false`, the project has no policy.
 */
async function releasedProject(policy: object | false = {}) {
  const project = await flagProject()
  const { api, as, create, get } = project
  await create('checkout', { tags: ['shop'] })
  const addPolicy = (key: string, overrides: object) => {
    const body = { key, name: key, releaseMethod: 'progressive-release', ...overrides }
    return api.createReleasePolicy({ projectKey: 'web', body: body as never }, { as })
  }
  if (policy) await addPolicy('usual', { progressiveReleaseConfig: { stages }, ...policy })
  const [on, off] = (await get('checkout')).variations.map(({ _id }) => _id) as [string, string]
  const start = {
    kind: 'startAutomatedRelease',
    releaseKind: 'progressive',
    originalVariationId: off,
    targetVariationId: on,
    stages,
  }
  return {
    ...project,
    addPolicy,
    on,
    off,
    start,
    config: async () => (await get('checkout')).environments?.production,
    turnOn: (caller: As = as) => project.instruct('checkout', [{ kind: 'turnFlagOn' }], {}, caller),
    list: async () => (await api.listAutomatedReleases(production, { as })).items,
    lines: async () => (await api.listChangeLog({ limit: 20 }, { as })).items.map(({ titleVerb }) => titleVerb),
    after: async (ms: number) => {
      project.pass(ms)
      return project.engine.runDueTasks()
    },
  }
}

const rollout = (weight: number) => ({
  rollout: {
    variations: [
      { variation: 0, weight },
      { variation: 1, weight: 100_000 - weight },
    ],
    contextKind: 'user',
  },
})

describe('turning on a flag under a progressive policy', () => {
  it('serves the first stage, and each further stage at its time', async () => {
    const { turnOn, config, list, after } = await releasedProject()
    await turnOn()
    const running = { kind: 'progressive', status: 'running', latestStageIndex: 0, releasePolicyKey: 'usual' }
    expect(await config()).toMatchObject({
      on: true,
      fallthrough: rollout(1_000),
      automatedReleases: [{ ...running, nextStepAt: String(start + hour) }],
    })
    expect(await after(hour - 1)).toMatchObject({ delivered: 0 })
    expect(await after(1)).toMatchObject({ delivered: 1, failed: 0 })
    expect(await config()).toMatchObject({
      fallthrough: rollout(50_000),
      automatedReleases: [{ latestStageIndex: 1, nextStepAt: String(start + 3 * hour) }],
    })
    await after(2 * hour)
    const completed = await config()
    expect(completed?.fallthrough).toEqual({ variation: 0 })
    expect(completed).not.toHaveProperty('automatedReleases')
    expect(await list()).toMatchObject([{ status: 'completed', endedAt: String(start + 3 * hour) }])
    expect(await after(hour)).toEqual({ delivered: 0, failed: 0, more: false })
  })

  it('serves each late stage for its whole duration, and skips none', async () => {
    const { turnOn, config, after, engine } = await releasedProject()
    await turnOn()
    await after(10 * hour)
    await engine.runDueTasks()
    expect(await config()).toMatchObject({
      fallthrough: rollout(50_000),
      automatedReleases: [{ nextStepAt: String(start + 12 * hour) }],
    })
  })

  it('writes to the change log what the engine did and why, with the author of the release', async () => {
    const { turnOn, after, lines, api, as, memberId, instruct } = await releasedProject()
    await turnOn()
    await after(hour)
    const [step] = (await api.listChangeLog({ limit: 1 }, { as })).items
    expect(step).toMatchObject({ member: { _id: memberId } })
    await instruct('checkout', [{ kind: 'turnFlagOff' }])
    expect((await lines()).slice(0, 3)).toEqual([
      'turned off checkout in Production; stopped the progressive release of checkout in Production: the flag was turned off',
      'moved the progressive release of checkout in Production to stage 2 of 2 with 50 % of contexts',
      'turned on checkout in Production; started the progressive release of checkout in Production with 1 % of contexts',
    ])
  })

  it('uses documented stages when the policy has no stages', async () => {
    const { turnOn, config } = await releasedProject({ progressiveReleaseConfig: undefined })
    await turnOn()
    expect((await config())?.automatedReleases?.[0]?.stages).toEqual([
      { allocation: 1_000, durationMillis: hour },
      { allocation: 10_000, durationMillis: hour },
      { allocation: 50_000, durationMillis: hour },
    ])
  })

  it('assigns variations by the context kind that the policy names', async () => {
    const { turnOn, config } = await releasedProject({
      progressiveReleaseConfig: { rolloutContextKindKey: 'org', stages },
    })
    await turnOn()
    expect((await config())?.fallthrough.rollout?.contextKind).toBe('org')
  })

  it('requires the right to change the default rule', async () => {
    const { turnOn, config } = await releasedProject()
    const caller = (...actions: string[]): As => ({
      policy: [allow(['viewProject'], ['proj/*']), allow(actions, ['proj/web:env/production:flag/checkout'])],
    })
    expect(await failureOf(turnOn(caller('updateOn')))).toMatchObject({ code: 'forbidden' })
    await turnOn(caller('updateOn', 'updateFallthrough'))
    expect((await config())?.fallthrough).toEqual(rollout(1_000))
  })

  it('starts the release again when the flag was turned off during it', async () => {
    const { turnOn, instruct, config, after } = await releasedProject()
    await turnOn()
    await after(hour)
    await instruct('checkout', [{ kind: 'turnFlagOff' }])
    await turnOn()
    expect(await config()).toMatchObject({ fallthrough: rollout(1_000), automatedReleases: [{ latestStageIndex: 0 }] })
  })
})

describe('the policy that applies', () => {
  const serves = async (policies: readonly (readonly [string, object])[], tags = ['shop']) => {
    const { addPolicy, turnOn, config, patch } = await releasedProject(false)
    for (const [key, overrides] of policies) await addPolicy(key, overrides)
    await patch('checkout', [{ op: 'replace', path: '/tags', value: tags }])
    await turnOn()
    const { fallthrough, automatedReleases } = (await config()) ?? {}
    return automatedReleases?.[0]?.releasePolicyKey ?? fallthrough
  }
  const immediate = { releaseMethod: 'immediate-release' }
  const inScope = (environmentKeys: string[], flagTagKeys: string[] = []) => ({
    scope: { environmentKeys, flagTagKeys },
  })

  it('is the policy with the highest rank among those whose scope matches the environment and a tag of the flag', async () => {
    const policies = [
      ['other-environment', inScope(['test'])],
      ['other-tag', inScope(['production'], ['data'])],
      ['both', inScope(['test', 'production'], ['data', 'shop'])],
      ['later', inScope(['production'])],
      ['default', {}],
    ] as const
    expect(await serves(policies)).toBe('both')
    expect(await serves(policies, [])).toBe('later')
  })

  it('is the default when no scope matches', async () => {
    expect(
      await serves([
        ['scoped', inScope(['test'])],
        ['default', {}],
      ]),
    ).toBe('default')
  })

  it('serves the new variation immediately when the policy requires that, or when there is no policy', async () => {
    expect(
      await serves([
        ['now', { ...immediate, ...inScope([], ['shop']) }],
        ['default', {}],
      ]),
    ).toEqual({ variation: 0 })
    expect(await serves([['scoped', inScope(['test'])]])).toEqual({ variation: 0 })
  })
})

describe('a change of the variation that a rule serves under a progressive policy', () => {
  const rule = { attribute: 'plan', op: 'in', values: ['pro'] }

  it('releases the new variation of the default rule and of others in stages', async () => {
    const { addPolicy, instruct, config, on, off, list } = await releasedProject(false)
    await instruct('checkout', [{ kind: 'turnFlagOn' }, { kind: 'addRule', clauses: [rule], variationId: off }])
    await addPolicy('usual', { progressiveReleaseConfig: { stages } })
    const ruleId = (await config())?.rules?.[0]?._id
    await instruct('checkout', [{ kind: 'updateRuleVariationOrRollout', ruleId, variationId: on }])
    await instruct('checkout', [{ kind: 'updateFallthroughVariationOrRollout', variationId: off }])
    const { rules, fallthrough } = (await config()) ?? {}
    expect(rules?.[0]).toMatchObject(rollout(1_000))
    expect(fallthrough?.rollout?.variations).toEqual([
      { variation: 1, weight: 1_000 },
      { variation: 0, weight: 99_000 },
    ])
    expect((await list()).map((release) => release.ruleId)).toEqual([undefined, ruleId])
  })

  it('leaves rollouts and new rules as the caller defined them', async () => {
    const { turnOn, instruct, config, on, off, after } = await releasedProject({
      progressiveReleaseConfig: { stages: [{ allocation: 5, durationMillis: 1 }] },
    })
    await turnOn()
    await after(1)
    const rolloutWeights = { [on]: 30_000, [off]: 70_000 }
    await instruct('checkout', [
      { kind: 'updateFallthroughVariationOrRollout', rolloutWeights },
      { kind: 'addRule', clauses: [rule], variationId: off },
    ])
    const { automatedReleases, fallthrough, rules } = (await config()) ?? {}
    expect(automatedReleases).toBeUndefined()
    expect([fallthrough, rules?.[0]?.variation]).toEqual([rollout(30_000), 1])
  })
})

describe('startAutomatedRelease', () => {
  it('releases a variation without a policy, and changes nothing when it is repeated', async () => {
    const { instruct, start: instruction, config } = await releasedProject(false)
    await instruct('checkout', [{ kind: 'turnFlagOn' }, instruction])
    const before = await config()
    expect(before).toMatchObject({ on: true, fallthrough: rollout(1_000), automatedReleases: [{ status: 'running' }] })
    await instruct('checkout', [instruction])
    expect(await config()).toEqual(before)
  })

  it('adds a rule with the requested clauses, and releases the variation by that rule', async () => {
    const { instruct, start: instruction, config, after } = await releasedProject(false)
    const clauses = [{ attribute: 'plan', op: 'in', values: ['pro'] }]
    await instruct('checkout', [{ ...instruction, clauses, description: 'Pro' }])
    const { rules, automatedReleases } = (await config()) ?? {}
    expect(rules).toMatchObject([{ description: 'Pro', ...rollout(1_000) }])
    expect(automatedReleases?.[0]?.ruleId).toBe(rules?.[0]?._id)
    await after(hour)
    expect((await config())?.rules).toMatchObject([rollout(50_000)])
  })

  it('completes immediately without stages', async () => {
    const { instruct, start: instruction, config, list } = await releasedProject(false)
    await instruct('checkout', [{ ...instruction, stages: [] }])
    expect((await config())?.fallthrough).toEqual({ variation: 0 })
    expect(await list()).toMatchObject([{ status: 'completed' }])
  })

  it.each<[string, object, string, RegExp]>([
    ['an unknown variation', { targetVariationId: 'none' }, 'instructions.0.targetVariationId', /must be the _id/],
    ['an unknown rule', { ruleId: 'none' }, 'instructions.0.ruleId', /must be the _id of a rule/],
    ['metrics', { metrics: [{ key: 'm' }] }, 'instructions.0.metrics', /except when the release kind is guarded/],
    ['clauses for an existing rule', { ruleId: 'r', clauses: [] }, 'instructions.0.clauses', /left out/],
    [
      'stages that shrink',
      { stages: stages.toReversed() },
      'instructions.0.stages',
      /must have allocations that do not decrease/,
    ],
  ])('rejects %s', async (_, overrides, attribute, reason) => {
    const { instruct, start: instruction } = await releasedProject(false)
    const error = await validationErrorOf(instruct('checkout', [{ ...instruction, ...overrides }]))
    expect(error).toEqual({ attribute, reason: expect.stringMatching(reason) })
  })

  it('rejects a second release of a rule, and a release between equal variations', async () => {
    const { instruct, start: instruction, on } = await releasedProject(false)
    expect(await validationErrorOf(instruct('checkout', [{ ...instruction, originalVariationId: on }]))).toMatchObject({
      attribute: 'instructions.0.targetVariationId',
    })
    await instruct('checkout', [instruction])
    expect(await validationErrorOf(instruct('checkout', [{ ...instruction, stages: [] }]))).toMatchObject({
      attribute: 'instructions.0.ruleId',
    })
  })
})

describe('a running release', () => {
  const started = async () => {
    const project = await releasedProject(false)
    await project.instruct('checkout', [{ kind: 'turnFlagOn' }, project.start])
    return project
  }

  it('does not advance while it is held, and continues its stage for the remaining time when it is resumed', async () => {
    const { instruct, after, config } = await started()
    await after(hour / 4)
    await instruct('checkout', [{ kind: 'holdAutomatedRelease' }])
    expect(await after(10 * hour)).toMatchObject({ delivered: 0 })
    expect(await config()).toMatchObject({
      fallthrough: rollout(1_000),
      automatedReleases: [{ status: 'held', reason: 'a caller held it' }],
    })
    await instruct('checkout', [{ kind: 'resumeAutomatedRelease' }])
    expect((await config())?.automatedReleases?.[0]?.nextStepAt).toBe(String(start + 11 * hour))
    await after((3 * hour) / 4)
    expect((await config())?.fallthrough).toEqual(rollout(50_000))
  })

  it('serves the final variation once a caller stops it', async () => {
    const { instruct, after, config, off, list } = await started()
    await instruct('checkout', [{ kind: 'stopAutomatedRelease', finalVariationId: off }])
    expect(await config()).toMatchObject({ on: true, fallthrough: { variation: 1 } })
    expect(await list()).toMatchObject([{ status: 'stopped', reason: 'a caller stopped it' }])
    expect(await after(hour)).toMatchObject({ delivered: 0, failed: 0 })
    expect((await config())?.fallthrough).toEqual({ variation: 1 })
  })

  it.each<[string, (of: { on: string; off: string }) => object, RegExp]>([
    [
      'the default rule was changed by hand',
      ({ on, off }) => ({
        kind: 'updateFallthroughVariationOrRollout',
        rolloutWeights: { [on]: 70_000, [off]: 30_000 },
      }),
      /its rule was changed by hand/,
    ],
    ['the flag was turned off', () => ({ kind: 'turnFlagOff' }), /the flag was turned off/],
  ])('ends when %s, and the change log records the reason', async (_, instructionOf, reason) => {
    const { instruct, after, config, list, lines, on, off } = await started()
    await instruct('checkout', [instructionOf({ on, off })])
    const changed = await config()
    expect(await list()).toMatchObject([{ status: 'stopped', reason: expect.stringMatching(reason) }])
    expect((await lines())[0]).toMatch(reason)
    await after(hour)
    expect(await config()).toEqual(changed)
  })

  it('ends when a JSON Patch changes its rule, and when its rule is removed', async () => {
    const { patch, list, instruct, start: instruction, config, lines } = await started()
    await patch('checkout', [{ op: 'replace', path: '/environments/production/fallthrough', value: { variation: 1 } }])
    expect((await lines())[0]).toMatch(/its rule was changed by hand/)
    await instruct('checkout', [{ ...instruction, clauses: [] }])
    await instruct('checkout', [{ kind: 'removeRule', ruleId: (await config())?.rules?.[0]?._id }])
    expect((await list()).map(({ reason }) => reason)).toEqual(['its rule was removed', 'its rule was changed by hand'])
  })

  it('continues when another part of the flag is changed', async () => {
    const { instruct, after, config } = await started()
    await instruct('checkout', [
      { kind: 'addTags', values: ['x'] },
      { kind: 'updateTrackEvents', trackEvents: true },
    ])
    await after(hour)
    expect((await config())?.fallthrough).toEqual(rollout(50_000))
  })

  it('is not copied to another environment or flag', async () => {
    const { api, as, keysOf, get, after } = await started()
    await api.createFlag({ projectKey: 'web', body: { key: 'copy', name: 'Copy' }, clone: 'checkout' } as never, { as })
    await after(hour)
    expect((await get('copy')).environments?.production).toMatchObject({ on: false })
    expect(
      (await api.listAutomatedReleases({ ...keysOf('copy'), environmentKey: 'production' }, { as })).totalCount,
    ).toBe(0)
  })

  it('is restored by the revert of the change that ended it, under the rights of the caller', async () => {
    const { instruct, api, as, after, config } = await started()
    await instruct('checkout', [{ kind: 'turnFlagOff' }])
    const [entry] = (await api.listChangeLog({ limit: 1 }, { as })).items
    await api.revertChangeLogEntry({ id: entry?._id as string, body: {} }, { as })
    expect(await config()).toMatchObject({ on: true, automatedReleases: [{ status: 'running' }] })
    await after(hour)
    expect((await config())?.fallthrough).toEqual(rollout(50_000))
  })
})
