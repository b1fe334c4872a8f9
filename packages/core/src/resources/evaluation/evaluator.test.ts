import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { awaitTurns, failureOf, flagProject, start } from '../flags/test/flag-project.ts'

const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann', country: 'de' }
const day = 24 * 60 * 60 * 1000

/**
 * Creates the flag `f` in the project `web`, where it is on and serves true in production, and returns the evaluator of
 * production after its first read.
 */
async function readyEvaluator() {
  const project = await flagProject()
  const flag = await project.create('f')
  const [yes, no] = flag.variations.map(({ _id }) => _id) as [string, string]
  await project.instruct('f', [{ kind: 'turnFlagOn' }])
  const evaluator = project.engine.evaluator(environmentKeys)
  await evaluator.ready()
  const serving = (context: object = ann, key = 'f') => evaluator.evaluate(key, context as never, undefined)
  const segment = (key: string, overrides: object = {}) =>
    project.api.createSegment({ ...environmentKeys, body: { key, name: key, ...overrides } }, { as: project.as })
  const segmentRule = (segmentKey: string, variationId: string) => ({
    kind: 'addRule',
    clauses: [{ contextKind: 'user', attribute: '', op: 'segmentMatch', values: [segmentKey], negate: false }],
    variationId,
  })
  return { ...project, yes, no, evaluator, serving, segment, segmentRule }
}

describe('an evaluator of a deleted environment', () => {
  const recreate = async ({ api, as }: Awaited<ReturnType<typeof readyEvaluator>>) => {
    await api.deleteEnvironment(environmentKeys, { as })
    await api.createEnvironment({ projectKey: 'web', body: { key: 'production', name: 'P', color: '000000' } }, { as })
  }

  it('returns the default with an error, and serves no other environment with the same key', async () => {
    const project = await readyEvaluator()
    const { engine, evaluator, serving } = project
    const deletedResult = {
      value: undefined,
      variationIndex: null,
      reason: { kind: 'ERROR', errorKind: 'ENVIRONMENT_NOT_FOUND' },
    }
    await recreate(project)
    expect(serving()).toEqual(deletedResult)
    expect(evaluator.evaluateAll(ann)).toEqual({})
    expect(evaluator.current).toBe(false)
    expect(await failureOf(evaluator.ready())).toMatchObject({ code: 'not_found' })
    await project.instruct('f', [{ kind: 'turnFlagOn' }])
    expect(serving()).toEqual(deletedResult)
    engine.clearCaches()
    expect(await failureOf(evaluator.ready())).toMatchObject({ code: 'not_found' })
    const other = engine.evaluator(environmentKeys)
    await other.ready()
    expect(other.evaluate('f', ann, undefined).value).toBe(true)
  })

  it('notices the deletion even if its next read happens after a new environment with the key was created', async () => {
    const project = await readyEvaluator()
    project.engine.clearCaches()
    await recreate(project)
    expect(await failureOf(project.evaluator.ready())).toMatchObject({ code: 'not_found' })
  })
})

describe('a new environment with the key of a deleted one', () => {
  it('has new keys, and the default approval settings', async () => {
    const project = await readyEvaluator()
    const { api, as } = project
    const before = await api.getEnvironment(environmentKeys, { as })
    const required = { op: 'replace', path: '/approvalSettings/required', value: true }
    await api.patchEnvironment({ ...environmentKeys, body: [required] as never }, { as })
    await api.deleteEnvironment(environmentKeys, { as })
    const after = await api.createEnvironment(
      { projectKey: 'web', body: { key: 'production', name: 'P', color: '000000' } },
      { as },
    )
    expect(after.approvalSettings).toEqual(before.approvalSettings)
    for (const key of ['_id', 'apiKey', 'mobileKey'] as const) expect(after[key]).not.toBe(before[key])
  })
})

describe('an evaluator', () => {
  it('is not ready before the environment was read, and the first evaluation starts the read', async () => {
    const { engine } = await flagProject()
    const evaluator = engine.evaluator(environmentKeys)
    expect(evaluator.ruleset).toBeUndefined()
    expect(evaluator.evaluate('f', ann, false)).toEqual({
      value: false,
      variationIndex: null,
      reason: { kind: 'ERROR', errorKind: 'CLIENT_NOT_READY' },
    })
    expect(evaluator.evaluateAll(ann)).toEqual({})
    expect(evaluator.explain('f', ann)).toBeUndefined()
    await evaluator.ready()
    expect(evaluator.evaluate('f', ann, false).reason).toEqual({ kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' })
  })

  it('is one object per environment, which engine.evaluate uses too', async () => {
    const { engine, evaluator } = await readyEvaluator()
    expect(engine.evaluator({ ...environmentKeys })).toBe(evaluator)
    expect(engine.evaluate('f', ann, false, environmentKeys)).toEqual({
      value: true,
      variationIndex: 0,
      reason: { kind: 'FALLTHROUGH' },
    })
    expect(Object.keys(engine.evaluateAll(ann, environmentKeys))).toEqual(['f'])
    expect(engine.evaluate('f', ann, false, { ...environmentKeys, environmentKey: 'test' }).reason).toMatchObject({
      errorKind: 'CLIENT_NOT_READY',
    })
  })

  it('rejects ready() for an environment that does not exist, until it is created', async () => {
    const { engine, api, as } = await flagProject()
    const evaluator = engine.evaluator({ projectKey: 'web', environmentKey: 'qa' })
    expect((await failureOf(evaluator.ready())).code).toBe('not_found')
    await api.createEnvironment({ projectKey: 'web', body: { key: 'qa', name: 'QA', color: '417505' } }, { as })
    await evaluator.ready()
    expect(evaluator.ruleset).toBeDefined()
  })

  it('returns the fallback when the value has another type', async () => {
    const { evaluator } = await readyEvaluator()
    const { value, variationIndex, reason } = evaluator.evaluate('f', ann, 'text')
    expect([value, variationIndex, reason]).toEqual(['text', null, { kind: 'ERROR', errorKind: 'WRONG_TYPE' }])
    expect(evaluator.evaluate('f', ann, undefined).value).toBe(true)
  })
})

describe('a change of a flag or segment', () => {
  it('applies immediately in the engine that made it, and in another engine after ready()', async () => {
    const { serving, instruct, storage } = await readyEvaluator()
    const otherEngine = createEngine({ storage })
    const otherEvaluator = otherEngine.evaluator(environmentKeys)
    await otherEvaluator.ready()
    const before = otherEvaluator.ruleset
    await instruct('f', [{ kind: 'turnFlagOff' }])
    expect(serving().reason).toEqual({ kind: 'OFF' })
    await otherEvaluator.ready()
    expect(otherEvaluator.evaluate('f', ann, true)).toEqual({
      value: false,
      variationIndex: 1,
      reason: { kind: 'OFF' },
    })
    expect(otherEvaluator.ruleset).not.toBe(before)
  })

  it('applies immediately in the engine that made it, also when others are made concurrently', async () => {
    const { engine, create, instruct } = await flagProject()
    const evaluator = engine.evaluator(environmentKeys)
    await evaluator.ready()
    const keys = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(
      keys.map(async (key, index) => {
        await awaitTurns(index)
        await create(key)
        expect([key, evaluator.evaluate(key, ann, undefined).reason.kind]).toEqual([key, 'OFF'])
        for (const [kind, reason] of [...Array(3)].flatMap(() => [
          ['turnFlagOn', 'FALLTHROUGH'],
          ['turnFlagOff', 'OFF'],
        ])) {
          await instruct(key, [{ kind }])
          expect([key, evaluator.evaluate(key, ann, undefined).reason.kind]).toEqual([key, reason])
        }
      }),
    )
  })

  it('keeps the ruleset when it has no effect on the environment', async () => {
    const { evaluator, api, as } = await readyEvaluator()
    const before = evaluator.ruleset
    await api.createTeam({ body: { key: 'ops', name: 'Ops' } }, { as })
    await api.createSegment({ ...environmentKeys, environmentKey: 'test', body: { key: 's', name: 's' } }, { as })
    expect(evaluator.ruleset).toBe(before)
  })

  it('of targets, rules, prerequisites and segments changes evaluation', async () => {
    const { create, instruct, serving, segment, segmentRule, yes, no, api, as } = await readyEvaluator()
    await instruct('f', [{ kind: 'addTargets', values: ['bob'], variationId: no }])
    await instruct('f', [{ kind: 'addTargets', contextKind: 'org', values: ['acme'], variationId: no }])
    const bob = { kind: 'user', key: 'bob' }
    const multi = { kind: 'multi', user: ann, org: { key: 'acme' } }
    expect([serving(), serving(bob), serving(multi)].map(({ reason }) => reason.kind)).toEqual([
      'FALLTHROUGH',
      'TARGET_MATCH',
      'TARGET_MATCH',
    ])

    await segment('beta')
    await instruct('f', [segmentRule('beta', no)])
    expect(serving().value).toBe(true)
    const body = [{ op: 'replace', path: '/included', value: ['ann'] }]
    await api.patchSegment({ ...environmentKeys, segmentKey: 'beta', body: body as never }, { as })
    expect(serving()).toMatchObject({ value: false, reason: { kind: 'RULE_MATCH', ruleIndex: 0 } })

    await create('base')
    await instruct('f', [{ kind: 'addPrerequisite', key: 'base', variationId: (await baseVariation())._id }])
    expect(serving()).toMatchObject({ value: false, reason: { kind: 'PREREQUISITE_FAILED', prerequisiteKey: 'base' } })
    await instruct('base', [{ kind: 'turnFlagOn' }])
    expect(serving().reason.kind).toBe('RULE_MATCH')
    expect(yes).not.toBe(no)

    async function baseVariation() {
      const { variations } = await api.getFlag({ projectKey: 'web', flagKey: 'base' }, { as })
      return variations[0] as { _id: string }
    }
  })

  it('that archives or deletes a flag removes it from evaluation', async () => {
    const { instruct, serving, api, as, keysOf } = await readyEvaluator()
    await instruct('f', [{ kind: 'archiveFlag' }])
    expect(serving().reason).toEqual({ kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' })
    await instruct('f', [{ kind: 'restoreFlag' }])
    expect(serving().value).toBe(true)
    await api.deleteFlag(keysOf('f'), { as })
    expect(serving().reason).toEqual({ kind: 'ERROR', errorKind: 'FLAG_NOT_FOUND' })
  })

  it('is dropped with the caches after the storage was restored', async () => {
    const { engine, evaluator, instruct, storage, serving } = await readyEvaluator()
    const snapshot = storage.snapshot()
    await instruct('f', [{ kind: 'turnFlagOff' }])
    storage.restore(snapshot)
    engine.clearCaches()
    expect(serving().reason).toMatchObject({ errorKind: 'CLIENT_NOT_READY' })
    await evaluator.ready()
    expect(serving().reason.kind).toBe('FALLTHROUGH')
  })
})

describe('an evaluation', () => {
  it('assigns contexts to the same variations of rollouts as SDKs do', async () => {
    const { instruct, serving, api, as, keysOf, yes, no } = await readyEvaluator()
    const rolloutWeights = { [yes]: 30_000, [no]: 70_000 }
    await instruct('f', [{ kind: 'updateFallthroughVariationOrRollout', rolloutWeights }])
    const { environments } = await api.getFlag(keysOf('f'), { as })
    const salt = environments?.production?.salt as string
    const { createHash } = await import('node:crypto')
    const keys = Array.from({ length: 200 }, (_, i) => `user-${i}`)
    const hashes = keys.map((key) => createHash('sha1').update(`f.${salt}.${key}`).digest('hex').slice(0, 15))
    const expected = hashes.map((digits) => Number.parseInt(digits, 16) / 2 ** 60 < 0.3)
    expect(keys.map((key) => serving({ kind: 'user', key }).value)).toEqual(expected)
    expect(expected).toContain(true)
    expect(expected).toContain(false)
  })

  it('uses expiring targets only until their date, without a maintenance task', async () => {
    const { instruct, serving, no, api, as, keysOf, pass } = await readyEvaluator()
    await instruct('f', [{ kind: 'addTargets', values: ['ann'], variationId: no }])
    const target = {
      kind: 'addExpiringTarget',
      contextKind: 'user',
      contextKey: 'ann',
      value: start + day,
      variationId: no,
    }
    const index = { ...keysOf('f'), environmentKey: 'production' }
    await api.patchExpiringTargets({ ...index, body: { instructions: [target] } as never }, { as })
    pass(day - 1)
    expect(serving().reason.kind).toBe('TARGET_MATCH')
    pass(1)
    expect(serving().reason.kind).toBe('FALLTHROUGH')
  })

  it('determines the stage of a migration', async () => {
    const { create, evaluator } = await readyEvaluator()
    await create('move', { purpose: 'migration', migrationSettings: { stageCount: 6, contextKind: 'user' } })
    const stage = evaluator.migrationStage('move', ann, 'live')
    expect(stage).toMatchObject({ value: 'off', reason: { kind: 'OFF' } })
    expect(evaluator.migrationStage('f', ann, 'live')).toEqual({
      value: 'live',
      variationIndex: null,
      reason: { kind: 'ERROR', errorKind: 'WRONG_TYPE' },
    })
    expect(evaluator.migrationStage('none', ann, 'shadow').value).toBe('shadow')
  })

  it('can be limited to the flags that are available to client-side SDKs', async () => {
    const { create, evaluator } = await readyEvaluator()
    await create('seen', { clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false } })
    expect(Object.keys(evaluator.evaluateAll(ann, { clientSide: 'environmentId' }))).toEqual(['seen'])
    expect(Object.keys(evaluator.evaluateAll(ann, { clientSide: 'mobile' }))).not.toContain('seen')
  })

  it('uses the memberships of a context in big segments after a look-up', async () => {
    const { evaluator, instruct, serving, segment, segmentRule, no, api, as } = await readyEvaluator()
    await segment('big', { unbounded: true })
    await instruct('f', [segmentRule('big', no)])
    const change = (add: string[], remove: string[] = []) =>
      api.updateBigSegmentTargets(
        { ...environmentKeys, segmentKey: 'big', body: { included: { add, remove } } },
        { as },
      )
    await change(['ann'])
    expect(serving()).toMatchObject({ value: true, reason: { bigSegmentsStatus: 'NOT_CONFIGURED' } })
    await evaluator.lookUpBigSegments(ann)
    expect(serving()).toMatchObject({ value: false, reason: { kind: 'RULE_MATCH', bigSegmentsStatus: 'HEALTHY' } })
    await change([], ['ann'])
    expect(serving()).toMatchObject({ value: false, reason: { bigSegmentsStatus: 'STALE' } })
    await evaluator.lookUpBigSegments(ann)
    expect(serving()).toMatchObject({ value: true, reason: { kind: 'FALLTHROUGH', bigSegmentsStatus: 'HEALTHY' } })
  })

  it('can be explained step by step', async () => {
    const { evaluator, instruct, segment, segmentRule, no } = await readyEvaluator()
    await segment('beta')
    await instruct('f', [segmentRule('beta', no)])
    expect(evaluator.explain('f', ann)?.text).toMatch(
      /^flag f is on\n {2}rule 0 \([\w-]+\) does not match\n {4}segments segmentMatch \["beta"\]: no\n {6}segment beta: not in, no list names the context and no rule matches\n {2}no rule matches, the default rule serves variation 0\nso variation 0, true: FALLTHROUGH$/,
    )
  })
})
