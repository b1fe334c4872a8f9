import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, awaitTurns, editor, failureOf, flagProject } from './test/flag-project.ts'

const on = { op: 'replace', path: '/environments/production/on', value: true }
const turnOn = { kind: 'turnFlagOn' }

/** Returns a caller who may do everything to the flags of `allowed`, except these actions to the flags of `denied`. */
const deniedTo = (denied: string, actions: string[], allowed: string): As => ({
  policy: [
    allow(['viewProject'], ['proj/*']),
    allow(['*'], [allowed]),
    { effect: 'deny', actions, resources: [denied] },
  ],
})

describe('permissions', () => {
  it('are checked for each changed property, and a patch is applied completely or not at all', async () => {
    const { create, get, patch } = await flagProject()
    const before = await create('f')
    const as = editor(['updateTags'], 'proj/web:env/*:flag/*')
    const tag = { op: 'add', path: '/tags/-', value: 'x' }
    expect(await failureOf(patch('f', [tag, on], as))).toMatchObject({ code: 'forbidden' })
    expect({ ...(await get('f')), _access: undefined }).toEqual({ ...before, _access: undefined })
    expect(await patch('f', [tag], as)).toMatchObject({ tags: ['x'] })
  })

  it('for one environment allow changes in that environment only, and no flag-wide change', async () => {
    const { create, instruct } = await flagProject()
    await create('f')
    const as = editor(['*'], 'proj/web:env/test:flag/*')
    expect((await instruct('f', [turnOn], { environmentKey: 'test' }, as)).environments?.test?.on).toBe(true)
    expect(await failureOf(instruct('f', [turnOn], {}, as))).toMatchObject({ code: 'forbidden' })
    const rename = [{ kind: 'updateName', value: 'Other' }]
    expect(await failureOf(instruct('f', rename, { environmentKey: 'test' }, as))).toMatchObject({ code: 'forbidden' })
  })

  it('that are denied in one environment are denied for changes that affect all environments', async () => {
    const { create, instruct } = await flagProject()
    await create('f')
    const as = deniedTo('proj/*:env/production:flag/*', ['*'], 'proj/*:env/*:flag/*')
    const rename = [{ kind: 'updateName', value: 'Other' }]
    expect(await failureOf(instruct('f', rename, {}, as))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(instruct('f', [turnOn], {}, as))).toMatchObject({ code: 'forbidden' })
    expect((await instruct('f', [turnOn], { environmentKey: 'test' }, as)).environments?.test?.on).toBe(true)
  })

  it('can depend on the tags that a flag had before the change', async () => {
    const { create, instruct } = await flagProject()
    await create('f', { tags: ['pay'] })
    await create('g')
    const as = editor(['updateOn', 'updateTags'], 'proj/web:env/*:flag/*;pay')
    const change = [{ kind: 'addTags', values: ['pay'] }, turnOn]
    expect((await instruct('f', change, {}, as)).environments?.production?.on).toBe(true)
    expect(await failureOf(instruct('g', change, {}, as))).toMatchObject({ code: 'forbidden' })
  })

  it.each<[string, object]>([
    ['updateOn', { kind: 'turnFlagOn' }],
    ['updateTargets', { kind: 'addTargets', values: ['a'], variationId: 'first' }],
    ['updateTargets', { kind: 'addTargets', values: ['a'], variationId: 'first', contextKind: 'org' }],
    ['updateRules', { kind: 'addRule', clauses: [], variationId: 'first' }],
    ['updateFallthrough', { kind: 'updateFallthroughVariationOrRollout', variationId: 'second' }],
    ['updateOffVariation', { kind: 'updateOffVariation', variationId: 'first' }],
    ['updatePrerequisites', { kind: 'addPrerequisite', key: 'base', variationId: 'of base' }],
    ['updateTrackEvents', { kind: 'updateTrackEvents', trackEvents: true }],
    ['updateFlagFallthroughTrackEvents', { kind: 'updateTrackEventsFallthrough', trackEvents: true }],
    ['updateName', { kind: 'updateName', value: 'x' }],
    ['updateDescription', { kind: 'updateDescription', value: 'x' }],
    ['updateTemporary', { kind: 'makeFlagPermanent' }],
    ['updateTags', { kind: 'addTags', values: ['x'] }],
    ['updateMaintainer', { kind: 'updateMaintainerTeam', value: 'growth' }],
    ['updateDeprecated', { kind: 'deprecateFlag' }],
    ['updateGlobalArchived', { kind: 'archiveFlag' }],
    ['updateClientSideFlagAvailability', { kind: 'turnOnClientSideAvailability', value: 'usingEnvironmentId' }],
    ['updateFlagVariations', { kind: 'updateVariation', variationId: 'first', name: 'Yes' }],
    ['updateFlagDefaultVariations', { kind: 'updateDefaultVariation', onVariationValue: false }],
    ['updateFlagCustomProperties', { kind: 'addCustomProperties', key: 'x', name: 'x', values: ['x'] }],
  ])('%s is necessary and sufficient for its instruction', async (action, instruction) => {
    const { create, instruct } = await flagProject()
    const [baseVariation] = (await create('base')).variations
    const [first, second] = (await create('f')).variations
    const ids: Record<string, string | undefined> = {
      first: first?._id,
      second: second?._id,
      'of base': baseVariation?._id,
    }
    const filled = Object.entries(instruction).map(([name, value]) => [
      name,
      name === 'variationId' ? ids[value] : value,
    ])
    const change = (as: As) => instruct('f', [Object.fromEntries(filled)], {}, as)
    const resource = 'proj/web:env/*:flag/f'
    const others = deniedTo(resource, [action], resource)
    expect(await failureOf(change(others))).toMatchObject({ code: 'forbidden' })
    expect(await change(editor([action], resource))).toMatchObject({ key: 'f' })
  })

  it('to view the project are required, because the response contains the flag', async () => {
    const { create, instruct } = await flagProject()
    await create('f')
    const as = { policy: [allow(['*'], ['proj/*:env/*:flag/*'])] }
    expect(await failureOf(instruct('f', [turnOn], {}, as))).toMatchObject({ code: 'forbidden' })
  })
})

describe('concurrent changes', () => {
  it('of different parts of one flag are all made', async () => {
    const { create, get, instruct } = await flagProject()
    await create('f')
    await Promise.all([instruct('f', [turnOn]), instruct('f', [{ kind: 'updateTrackEvents', trackEvents: true }])])
    const { on, trackEvents } = (await get('f')).environments?.production ?? {}
    expect([on, trackEvents]).toEqual([true, true])
  })

  it('never serve a variation that is removed', async () => {
    const { create, get, instruct } = await flagProject()
    const { variations } = await create('f', { variations: ['a', 'b', 'c'].map((value) => ({ value })) })
    const [, b] = variations
    await Promise.allSettled([
      instruct('f', [{ kind: 'updateOffVariation', variationId: b?._id }], { environmentKey: 'test' }),
      instruct('f', [{ kind: 'removeVariation', variationId: b?._id }]),
    ])
    const after = await get('f')
    const off = after.variations[after.environments?.test?.offVariation ?? -1]?.value
    expect([after.variations.length, off]).toSatisfy(([count, value]) => (count === 2 ? value === 'c' : value === 'b'))
  })

  it.each<[string, (turnCount: number) => object]>([
    ['a change in the environment', () => turnOn],
    ['new defaults', (turnCount) => ({ kind: 'updateDefaultVariation', onVariationValue: turnCount % 2 === 1 })],
  ])('do not leave a configuration in a deleted environment: %s', async (_, instruction) => {
    const { account, api, as, create, instruct } = await flagProject()
    await create('f')
    const outcomes = new Set<string>()
    for (let turnCount = 0; turnCount < 40; turnCount++) {
      const environmentKey = `e-${turnCount}`
      const body = { key: environmentKey, name: environmentKey, color: '000000' }
      await api.createEnvironment({ projectKey: 'web', body }, { as })
      const [, deleting] = await Promise.allSettled([
        instruct('f', [instruction(turnCount)], { environmentKey }),
        awaitTurns(turnCount).then(() => api.deleteEnvironment({ projectKey: 'web', environmentKey }, { as })),
      ])
      const scope = `proj/web:env/${environmentKey}`
      const remaining = await account.list({ collection: 'flag-config', scope, limit: 9, select: 'fields' })
      outcomes.add(`${deleting.status}: ${remaining.items.length} left`)
    }
    expect(outcomes).toContain('fulfilled: 0 left')
    expect(outcomes).not.toContain('fulfilled: 1 left')
  })

  it('are detected by If-Match', async () => {
    const { create, send } = await flagProject()
    await create('f')
    const etag = async () => (await send('GET', '/api/v2/flags/web/f')).headers.etag as string
    const first = await etag()
    const patch = (ifMatch: string, value: boolean) =>
      send('PATCH', '/api/v2/flags/web/f', { body: [{ ...on, value }], headers: { 'if-match': ifMatch } })
    const changed = await patch(first, true)
    expect(changed.status).toBe(200)
    expect(changed.headers.etag).toBe(await etag())
    expect((await patch(first, false)).status).toBe(409)
    expect((await patch(await etag(), false)).status).toBe(200)
  })
})
