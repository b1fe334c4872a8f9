import { describe, expect, it } from 'vitest'
import { clause, editor, failureOf, flagProject, validationErrorOf } from '../test/flag-project.ts'

const stages = {
  2: ['off', 'complete'],
  4: ['off', 'shadow', 'live', 'complete'],
  6: ['off', 'dualwrite', 'shadow', 'live', 'rampdown', 'complete'],
}

const migration = (stageCount: unknown, contextKind?: string) => ({
  purpose: 'migration',
  migrationSettings: { stageCount, ...(contextKind === undefined ? {} : { contextKind }) },
})

const wholeRollout = (variation: number, contextKind: string) => ({
  rollout: { variations: [{ variation, weight: 100_000 }], contextKind },
})

async function migrating(stageCount: 2 | 4 | 6, contextKind?: string) {
  const project = await flagProject()
  const { variations } = await project.create('m', migration(stageCount, contextKind))
  const ids = variations.map(({ _id }) => _id)
  const serve = (variation: number, kind = contextKind) => ({
    rolloutWeights: { [ids[variation] as string]: 100_000 },
    rolloutContextKind: kind,
  })
  return { ...project, ids, serve }
}

describe('the creation of a migration flag', () => {
  it.each([
    [2, undefined, 'user'],
    [4, undefined, 'user'],
    [6, 'org', 'org'],
    ['2', undefined, 'user'],
    ['4', undefined, 'user'],
    ['6', 'org', 'org'],
  ] as const)(
    'with %s stages uses them as variations, with all contexts at the stage `off`',
    async (count, contextKind, kind) => {
      const { create, get } = await flagProject()
      await create('m', migration(count, contextKind))
      const flag = await get('m')
      const stageCount = Number(count) as 2 | 4 | 6
      expect(flag).toMatchObject({
        purpose: 'migration',
        kind: 'multivariate',
        defaults: { onVariation: 0, offVariation: 0 },
      })
      expect(flag.migrationSettings).toEqual({ stageCount, contextKind })
      expect(flag.variations.map(({ value }) => value)).toEqual(stages[stageCount])
      expect(flag.environments?.production).toMatchObject({ fallthrough: wholeRollout(0, kind), offVariation: 0 })
    },
  )

  it.each<[string, object, string]>([
    ['no settings', { purpose: 'migration' }, 'migrationSettings'],
    ['settings without the purpose', { migrationSettings: { stageCount: 2 } }, 'purpose'],
    ['three stages', migration(3), 'migrationSettings.stageCount'],
    ['six stages without a context kind', migration(6), 'migrationSettings.contextKind'],
    ['four stages with a context kind', migration(4, 'org'), 'migrationSettings.contextKind'],
    ['variations', { ...migration(2), variations: [{ value: 'off' }, { value: 'complete' }] }, 'variations'],
    ['defaults', { ...migration(2), defaults: { onVariation: 0, offVariation: 1 } }, 'defaults'],
  ])('rejects %s', async (_, body, attribute) => {
    const { create } = await flagProject()
    expect(await validationErrorOf(create('m', body))).toMatchObject({ attribute })
  })
})

describe('the checkRatio', () => {
  const pathIn = (environmentKey = 'production') => `/environments/${environmentKey}/migrationSettings`
  const ratioIn = async ({ get }: Migrating, environmentKey = 'production') =>
    (await get('m')).environments?.[environmentKey]?.migrationSettings
  type Migrating = Awaited<ReturnType<typeof migrating>>

  it('is 1 by default', async () => {
    const project = await migrating(4)
    expect(await ratioIn(project)).toEqual({ checkRatio: 1 })
    await project.instruct('m', [{ kind: 'turnFlagOn' }])
    expect(await ratioIn(project)).toEqual({ checkRatio: 1 })
  })

  it('is set separately in each environment, and reset by its removal', async () => {
    const project = await migrating(6, 'org')
    await project.patch('m', [{ op: 'replace', path: `${pathIn()}/checkRatio`, value: 100 }])
    expect([await ratioIn(project), await ratioIn(project, 'test')]).toEqual([{ checkRatio: 100 }, { checkRatio: 1 }])
    await project.patch('m', [{ op: 'add', path: pathIn('test'), value: { checkRatio: 0 } }])
    expect(await ratioIn(project, 'test')).toEqual({ checkRatio: 0 })
    await project.patch('m', [{ op: 'remove', path: pathIn() }])
    expect(await ratioIn(project)).toEqual({ checkRatio: 1 })
  })

  it.each([-1, 0.5, '1', null, 1_000_001])('does not accept %s', async (checkRatio) => {
    const project = await migrating(2)
    const patching = project.patch('m', [{ op: 'replace', path: pathIn(), value: { checkRatio } }])
    expect(await validationErrorOf(patching)).toMatchObject({
      attribute: 'environments.production.migrationSettings.checkRatio',
    })
  })

  it('is rejected in other flags', async () => {
    const { create, get, patch } = await flagProject()
    await create('plain')
    expect(Object.keys((await get('plain')).environments?.production ?? {})).not.toContain('migrationSettings')
    expect(await validationErrorOf(patch('plain', [{ op: 'add', path: pathIn(), value: { checkRatio: 1 } }]))).toEqual({
      attribute: 'environments.production.migrationSettings',
      reason: 'must be left out unless the flag is a migration flag',
    })
  })

  it('requires updateFlagConfigMigrationSettings in the environment', async () => {
    const project = await migrating(2)
    const operations = [{ op: 'replace', path: `${pathIn()}/checkRatio`, value: 2 }]
    const action = ['updateFlagConfigMigrationSettings']
    for (const caller of [
      editor(action, 'proj/web:env/test:flag/m'),
      editor(['updateRules', 'updateOn'], 'proj/web:env/production:flag/m'),
    ]) {
      expect((await failureOf(project.patch('m', operations, caller))).code).toBe('forbidden')
    }
    await project.patch('m', operations, editor(action, 'proj/web:env/production:flag/m'))
    expect(await ratioIn(project)).toEqual({ checkRatio: 2 })
  })
})

describe('a migration flag', () => {
  it('serves stages by a rollout', async () => {
    const { ids, instruct } = await migrating(6, 'org')
    const rolloutWeights = { [ids[0] as string]: 60_000, [ids[2] as string]: 40_000 }
    const change = { kind: 'updateFallthroughVariationOrRollout', rolloutWeights, rolloutContextKind: 'org' }
    const { environments } = await instruct('m', [change])
    expect(environments?.production?.fallthrough.rollout?.variations).toEqual([
      { variation: 0, weight: 60_000 },
      { variation: 2, weight: 40_000 },
    ])
  })

  type Migrating = Awaited<ReturnType<typeof migrating>>

  it.each<[string, (project: Migrating) => object]>([
    [
      'a single variation by default',
      ({ ids }) => ({ kind: 'updateFallthroughVariationOrRollout', variationId: ids[1] }),
    ],
    ['a single variation by a rule', ({ ids }) => ({ kind: 'addRule', clauses: [], variationId: ids[1] })],
    ['targets', ({ ids }) => ({ kind: 'addTargets', values: ['a'], variationId: ids[0] })],
    [
      'targets of another context kind',
      ({ ids }) => ({ kind: 'addTargets', values: ['a'], variationId: ids[0], contextKind: 'org' }),
    ],
    ['an off variation other than the stage `off`', ({ ids }) => ({ kind: 'updateOffVariation', variationId: ids[1] })],
    ['other defaults', () => ({ kind: 'updateDefaultVariation', onVariationValue: 'complete' })],
    ['an additional stage', () => ({ kind: 'addVariation', value: 'done' })],
    ['the removal of a stage', ({ ids }) => ({ kind: 'removeVariation', variationId: ids[1] })],
    ['a renamed stage', ({ ids }) => ({ kind: 'updateVariation', variationId: ids[1], value: 'done' })],
  ])('with two stages rejects %s', async (_, instruction) => {
    const project = await migrating(2)
    const before = await project.get('m')
    const { errors } = await failureOf(project.instruct('m', [{ kind: 'turnFlagOn' }, instruction(project)]))
    expect(errors?.map(({ attribute }) => attribute)).toContain('instructions.1')
    expect(await project.get('m')).toEqual(before)
  })

  const orgClause = clause({ contextKind: 'org' })

  it.each<[string, (project: Migrating & { readonly base: string | undefined }) => object]>([
    [
      'rollouts of another context kind',
      ({ serve }) => ({ kind: 'updateFallthroughVariationOrRollout', ...serve(1, 'user') }),
    ],
    [
      'clauses of another context kind',
      ({ serve }) => ({ kind: 'addRule', clauses: [orgClause, clause()], ...serve(1) }),
    ],
    [
      'segments',
      ({ serve }) => ({ kind: 'addRule', clauses: [clause({ op: 'segmentMatch', values: ['beta'] })], ...serve(1) }),
    ],
    ['prerequisites', ({ base }) => ({ kind: 'addPrerequisite', key: 'base', variationId: base })],
  ])('with six stages rejects %s, with four accepts it', async (_, instruction) => {
    const applyInstruction = async (project: Migrating) => {
      const base = (await project.create('base')).variations[0]?._id
      await project.segment('beta')
      return project.instruct('m', [instruction({ ...project, base })])
    }
    const { errors } = await failureOf(applyInstruction(await migrating(6, 'org')))
    expect(errors?.map(({ attribute }) => attribute)).toContain('instructions.0')
    expect(await applyInstruction(await migrating(4))).toMatchObject({ _version: 2 })
  })

  it('with six stages accepts rules about its context kind', async () => {
    const { instruct, serve } = await migrating(6, 'org')
    const { environments } = await instruct('m', [{ kind: 'addRule', clauses: [orgClause], ...serve(1) }])
    expect(environments?.production?.rules).toMatchObject([wholeRollout(1, 'org')])
  })
})
