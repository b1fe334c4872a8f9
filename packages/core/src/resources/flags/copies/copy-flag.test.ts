import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, awaitTurns, clause, failureOf, flagProject, validationErrorOf } from '../test/flag-project.ts'

const sides = { source: { key: 'test' }, target: { key: 'production' } }

/** Creates a flag whose configuration in test differs in every aspect from the one in production. */
async function project() {
  const base = await flagProject()
  const { api, as, create, instruct, segment, keysOf } = base
  const [baseVariation] = (await create('base')).variations
  const [first, second] = (await create('f')).variations
  for (const environmentKey of ['test', 'production']) await segment('beta', environmentKey)
  const instructions = [
    { kind: 'turnFlagOn' },
    { kind: 'addPrerequisite', key: 'base', variationId: baseVariation?._id },
    { kind: 'addTargets', values: ['u'], variationId: second?._id },
    { kind: 'addTargets', contextKind: 'org', values: ['o'], variationId: first?._id },
    {
      kind: 'addRule',
      clauses: [clause({ attribute: '', op: 'segmentMatch', values: ['beta'] })],
      variationId: second?._id,
    },
    { kind: 'updateFallthroughVariationOrRollout', variationId: second?._id },
    { kind: 'updateOffVariation', variationId: first?._id },
  ]
  await instruct('f', instructions, { environmentKey: 'test' })
  return {
    ...base,
    copy: (body: object = {}, caller: As = as) =>
      api.copyFlag({ ...keysOf('f'), body: { ...sides, ...body } as never }, { as: caller }),
  }
}

const aspects = {
  updateOn: ['on'],
  updatePrerequisites: ['prerequisites'],
  updateTargets: ['targets', 'contextTargets'],
  updateRules: ['rules'],
  updateFallthrough: ['fallthrough'],
  updateOffVariation: ['offVariation'],
} as const

type Config = Readonly<Record<string, unknown>>

const allProperties = Object.values(aspects).flat()

function pick(config: unknown, properties: readonly string[]): Config {
  return Object.fromEntries(properties.map((property) => [property, (config as Config)[property]]))
}

describe('copyFlag', () => {
  it('copies the configuration of one environment to another, and returns the whole flag', async () => {
    const { copy, get, pass } = await project()
    const before = (await get('f')).environments
    pass(1000)
    const copied = await copy()
    expect(pick(copied.environments?.production, allProperties)).toEqual(pick(before?.test, allProperties))
    expect(copied.environments?.test).toEqual(before?.test)
    expect(copied).toEqual(await get('f'))
    expect(Number(copied.environments?.production?.lastModified)).toBe(Number(before?.test?.lastModified) + 1000)
  })

  it('returns 201 with the revision of the flag', async () => {
    const { send } = await project()
    const response = await send('POST', '/api/v2/flags/web/f/copy', { body: sides })
    expect(response.status).toBe(201)
    const { headers } = await send('GET', '/api/v2/flags/web/f')
    expect(response.headers.etag).toBe(headers.etag)
  })

  it.each(Object.entries(aspects))(
    'copies only %s when it is included, and everything else when it is excluded',
    async (aspect, properties) => {
      const first = await project()
      const { test, production } = (await first.get('f')).environments ?? {}
      const others = allProperties.filter((property) => !(properties as readonly string[]).includes(property))
      const included = (await first.copy({ includedActions: [aspect] })).environments?.production
      expect(pick(included, properties)).toEqual(pick(test, properties))
      expect(pick(included, others)).toEqual(pick(production, others))
      const second = await project()
      const copiedConfig = (await second.copy({ excludedActions: [aspect] })).environments?.production
      expect(pick(copiedConfig, properties)).toEqual(pick(production, properties))
      expect(
        Object.keys(pick(copiedConfig, others))
          .filter((property) => jsonDiffers(copiedConfig, production, property))
          .sort(),
      ).toEqual([...others].sort())
    },
  )

  it('changes nothing when it is repeated', async () => {
    const { copy, get } = await project()
    await copy()
    const afterFirstCopy = await get('f')
    expect(await copy()).toEqual(afterFirstCopy)
  })

  it('updates the reference indexes', async () => {
    const { copy, api, as } = await project()
    await copy()
    const keys = { projectKey: 'web', environmentKey: 'production' }
    expect((await failureOf(api.deleteSegment({ ...keys, segmentKey: 'beta' }, { as }))).code).toBe(
      'optimistic_locking_error',
    )
    const { items } = await api.listDependentFlagsByEnvironment({ ...keys, flagKey: 'base' }, { as })
    expect(items.map(({ key }) => key)).toEqual(['f'])
  })

  it('rejects rules that name a segment which the target environment does not have', async () => {
    const { copy, api, as, get } = await project()
    await api.deleteSegment({ projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }, { as })
    const before = await get('f')
    expect(await validationErrorOf(copy())).toEqual({
      attribute: 'target.rules',
      reason: 'must name segments of the environment: beta does not exist',
    })
    expect(await get('f')).toEqual(before)
    expect((await copy({ excludedActions: ['updateRules'] })).environments?.production?.on).toBe(true)
  })

  it('requires a comment when the target environment requires one', async () => {
    const { copy, api, as } = await project()
    const body = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body }, { as })
    expect((await validationErrorOf(copy())).attribute).toBe('comment')
    await copy({ comment: 'tested' })
    const { items } = await api.listChangeLog({}, { as })
    expect(items.filter(({ comment }) => comment === 'tested')).toHaveLength(1)
  })
})

function jsonDiffers(a: unknown, b: unknown, property: string): boolean {
  return JSON.stringify((a as Config)[property]) !== JSON.stringify((b as Config)[property])
}

describe('the validation of copyFlag', () => {
  it.each([
    [{ source: { key: 'other' } }, 'source.key'],
    [{ target: { key: 'other' } }, 'target.key'],
    [{ target: { key: 'test' } }, 'target.key'],
    [{ includedActions: ['updateOn'], excludedActions: ['updateRules'] }, 'excludedActions'],
    [{ includedActions: ['updateName'] }, 'includedActions.0'],
    [{ source: { key: 'test', currentVersion: 1.5 } }, 'source.currentVersion'],
    [{ source: '__proto__' }, 'source'],
    [{ more: 1 }, 'more'],
  ])('rejects %j', async (body, attribute) => {
    const { copy } = await project()
    expect((await validationErrorOf(copy(body))).attribute).toBe(attribute)
  })

  it('reports both environments when neither exists', async () => {
    const { copy } = await project()
    const { errors } = await failureOf(copy({ source: { key: 'x' }, target: { key: 'y' } }))
    expect(errors?.map(({ attribute }) => attribute)).toEqual(['source.key', 'target.key'])
  })

  it('accepts the current version of either environment, and fails when it has changed', async () => {
    const { copy, get } = await project()
    const { test, production } = (await get('f')).environments ?? {}
    const versions = {
      source: { key: 'test', currentVersion: test?.version },
      target: { key: 'production', currentVersion: production?.version },
    }
    for (const side of ['source', 'target'] as const) {
      const stale = { ...versions, [side]: { ...versions[side], currentVersion: 9 } }
      const failure = await failureOf(copy(stale))
      expect(failure.code).toBe('optimistic_locking_error')
      expect(failure.message).toBe(
        `The flag has version ${versions[side].currentVersion} in the environment ${versions[side].key}`,
      )
    }
    await copy(versions)
    expect((await failureOf(copy(versions))).code).toBe('optimistic_locking_error')
  })

  it('returns 404 for an unknown flag', async () => {
    const { api, keysOf, as } = await project()
    expect((await failureOf(api.copyFlag({ ...keysOf('x'), body: sides }, { as }))).code).toBe('not_found')
  })
})

describe('the permissions of copyFlag', () => {
  const from = allow(['copyFlagConfigFrom'], ['proj/web:env/test:flag/f'])
  const to = allow(['copyFlagConfigTo'], ['proj/web:env/production:flag/f'])
  const view = allow(['viewProject'], ['proj/web'])
  const on = allow(['updateOn'], ['proj/web:env/production:flag/f'])
  const onlyOn = { includedActions: ['updateOn'] }

  it('include rights to copy from the source, to copy to the target, to view, and to change each aspect', async () => {
    const { copy } = await project()
    const parts = [from, to, view, on]
    for (const missing of parts) {
      const as: As = { policy: parts.filter((first) => first !== missing) }
      expect((await failureOf(copy(onlyOn, as))).code).toBe('forbidden')
    }
    expect((await failureOf(copy({}, { policy: parts }))).code).toBe('forbidden')
    expect((await copy(onlyOn, { policy: parts })).environments?.production?.on).toBe(true)
  })
})

describe('a copy with a concurrent change of its source', () => {
  it('copies the flag as it was at one moment, or fails', async () => {
    for (let turnCount = 0; turnCount < 12; turnCount++) {
      const { copy, instruct, get } = await project()
      const change = instruct('f', [{ kind: 'turnFlagOff' }], { environmentKey: 'test' })
      await awaitTurns(turnCount)
      const outcome = await copy().then(
        () => 'copied',
        (error: { code: string }) => error.code,
      )
      const changed = await change.then(
        () => true,
        () => false,
      )
      expect(['copied', 'optimistic_locking_error']).toContain(outcome)
      expect(changed || outcome === 'copied').toBe(true)
      const { production } = (await get('f')).environments ?? {}
      if (outcome !== 'copied') expect(production?.on).toBe(false)
    }
  })
})
