import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import {
  type ApprovalProject,
  allow,
  approvalProject,
  failureOf,
  flagId,
  person,
  place,
  segmentId,
  semantic,
  turnOn,
  turns,
} from './test/approval-project.ts'

const refusal = {
  code: 'method_not_allowed',
  message: 'The environment production requires approval of this change: create an approval request',
}

/** Production wants changes of flags approved; with tags, only of those that have one. */
async function guarded(...requiredApprovalTags: string[]) {
  const project = await approvalProject()
  const guard = (more: object = {}) => project.settings({ required: true, requiredApprovalTags, ...more })
  return { ...project, guard }
}

const replace = (path: string, value: unknown) => ({ op: 'replace', path, value })
const on = replace('/environments/production/on', true)

describe('where an environment requires approval', () => {
  it.each<[string, (project: ApprovalProject, ids: readonly string[]) => Promise<unknown>]>([
    ['a JSON Patch', ({ patch }) => patch('f', [on])],
    [
      'a JSON Patch of the whole configuration',
      async ({ patch, get }) => {
        const fallthrough = { variation: 1 }
        expect((await get('f')).environments?.production?.fallthrough).toEqual({ variation: 0 })
        return patch('f', [replace('/environments/production/fallthrough', fallthrough)])
      },
    ],
    [
      'a JSON Patch that copies from another environment',
      async ({ patch, instruct }) => {
        await instruct('f', [turnOn], { environmentKey: 'test' })
        return patch('f', [{ op: 'copy', from: '/environments/test/on', path: '/environments/production/on' }])
      },
    ],
    ['a JSON Patch of two environments', ({ patch }) => patch('f', [replace('/environments/test/on', true), on])],
    ['a semantic patch', ({ instruct }) => instruct('f', [turnOn])],
    ['a part that serves nothing', ({ instruct }) => instruct('f', [{ kind: 'updateTrackEvents', trackEvents: true }])],
    ['a rule', ({ instruct }, [variationId]) => instruct('f', [{ kind: 'addRule', clauses: [], variationId }])],
    ['targets', ({ instruct }, [variationId]) => instruct('f', [{ kind: 'addTargets', values: ['a'], variationId }])],
    [
      'a prerequisite',
      async ({ instruct, create }) => {
        const [variation] = (await create('base')).variations
        return instruct('f', [{ kind: 'addPrerequisite', key: 'base', variationId: variation?._id }])
      },
    ],
    [
      "a variation's value",
      ({ instruct }, [, variationId]) =>
        instruct('f', [{ kind: 'updateVariation', variationId, value: 'other' }], { environmentKey: 'test' }),
    ],
    ["a variation's value, by a JSON Patch", ({ patch }) => patch('f', [replace('/variations/0/value', 'other')])],
    [
      'two variations that change their values',
      ({ patch }) => patch('f', [replace('/variations/0/value', 'b'), replace('/variations/1/value', 'a')]),
    ],
    [
      'a variation that is taken for another',
      ({ patch }, [a, b]) =>
        patch('f', [
          replace('/variations', [
            { _id: a, value: 'b' },
            { _id: b, value: 'a' },
          ]),
        ]),
    ],
    ['archiving', ({ instruct }) => instruct('f', [{ kind: 'archiveFlag' }])],
    ['archiving by a JSON Patch', ({ patch }) => patch('f', [replace('/archived', true)])],
    [
      'hiding from SDKs',
      ({ instruct }) => instruct('f', [{ kind: 'turnOnClientSideAvailability', value: 'usingEnvironmentId' }]),
    ],
    ['putting it into the snippet', ({ patch }) => patch('f', [replace('/includeInSnippet', true)])],
    ['deleting', ({ api, as, keysOf }) => api.deleteFlag(keysOf('f'), { as })],
    ['deleting by an instruction', ({ instruct }) => instruct('f', [{ kind: 'deleteFlag' }])],
    [
      'an approval that the caller says to have',
      ({ api, as, keysOf }) => api.patchFlag({ ...keysOf('f'), approvedIn: 'production', body: [on] } as never, { as }),
    ],
  ])('%s is refused', async (_, change) => {
    const { guard, ...project } = await guarded()
    const values = ['a', 'b'].map((value) => ({ value }))
    const { variations } = await project.create('f', { variations: values })
    await guard()
    const before = await project.get('f')
    const ids = variations.map((one) => one._id)
    expect(await failureOf(change(project, ids))).toEqual(refusal)
    const after = await project.get('f')
    expect(after.environments?.production).toEqual(before.environments?.production)
    expect(after.variations).toEqual(before.variations)
    expect(after.archived).toBe(false)
  })

  it('what serves nothing is changed directly', async () => {
    const { guard, create, patch, instruct } = await guarded()
    await create('f')
    await guard()
    await instruct('f', [
      { kind: 'updateName', value: 'New' },
      { kind: 'addTags', values: ['x'] },
    ])
    await patch('f', [
      replace('/description', 'x'),
      { op: 'add', path: '/variations/0/name', value: 'Yes' },
      replace('/deprecated', true),
    ])
    await instruct('f', [{ kind: 'updateDefaultVariation', onVariationValue: false }])
    await instruct('f', [turnOn], { environmentKey: 'test' })
  })

  it('new flags are made freely, and are off', async () => {
    const { guard, create, isOn, instruct } = await guarded()
    await guard()
    await create('f')
    expect(await isOn('f')).toBe(false)
    expect(await failureOf(instruct('f', [turnOn]))).toEqual(refusal)
  })

  it('the answer is a 405 with Allow, and an approved request is the way', async () => {
    const { guard, create, send, change, isOn } = await guarded()
    await create('f')
    await guard()
    const refused = await send('PATCH', '/api/v2/flags/web/f', {
      body: { environmentKey: 'production', instructions: [turnOn] },
      headers: { 'content-type': semantic },
    })
    expect(refused.status).toBe(405)
    expect(refused.headers.allow?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PATCH'])
    await change(flagId('f'), [turnOn])
    expect(await isOn('f')).toBe(true)
  })

  it('an approval of one environment is none of another', async () => {
    const { guard, create, request, review, apply, api, as, get } = await guarded()
    const { variations } = await create('f')
    await guard()
    const swap = { kind: 'updateVariation', variationId: variations[0]?._id, value: true, name: 'x' }
    const archive = { kind: 'archiveFlag' }
    const { _id } = await request(flagId('f'), [swap, archive])
    await review(_id, 'approve')
    const body = { environmentKey: 'test', required: true }
    await api.patchApprovalRequestSettings({ projectKey: 'web', body }, { as })
    expect(await failureOf(apply(_id))).toEqual({
      code: 'method_not_allowed',
      message: 'The environment test requires approval of this change: create an approval request',
    })
    expect((await get('f')).archived).toBe(false)
    expect(await failureOf(request(flagId('f'), [archive]))).toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'instructions', reason: expect.stringContaining('The environment test requires') }],
    })
    await api.patchApprovalRequestSettings({ projectKey: 'web', body: { ...body, required: false } }, { as })
    await apply(_id)
    expect((await get('f')).archived).toBe(true)
  })

  it('whoever wants to do without must say so and have the right to', async () => {
    const { guard, create, api, keysOf, isOn, as, pass } = await guarded()
    await create('f')
    await guard()
    const patch = (by: As, bypassRequiredApproval?: boolean) =>
      api.patchFlag({ ...keysOf('f'), body: [on] as never, bypassRequiredApproval }, { as: by })
    const editor: As = { policy: [allow(['viewProject'], ['proj/web']), allow(['updateOn'], [flagId('f')])] }
    const bypasser: As = {
      policy: [allow(['viewProject'], ['proj/web']), allow(['updateOn', 'bypassRequiredApproval'], [flagId('f')])],
    }
    for (const by of [as, editor, bypasser]) {
      expect(await failureOf(patch(by))).toEqual(refusal)
      expect(await failureOf(patch(by, false))).toEqual(refusal)
    }
    expect(await failureOf(patch(editor, true))).toMatchObject({ code: 'forbidden' })
    expect(await isOn('f')).toBe(false)
    pass(1)
    await patch(bypasser, true)
    expect(await isOn('f')).toBe(true)
    const [entry] = (await api.listChangeLog({ limit: 1 }, { as })).items
    expect(entry?.accesses).toContainEqual({ action: 'bypassRequiredApproval', resource: flagId('f') })
  })

  it('doing without is asked for deletions and flag-wide changes in all environments', async () => {
    const { guard, create, api, keysOf } = await guarded()
    await create('f')
    await guard()
    const everything = allow(['updateGlobalArchived', 'deleteFlag'], ['proj/web:env/*:flag/f'])
    const may = (resource: string): As => ({
      policy: [allow(['viewProject'], ['proj/web']), everything, allow(['bypassRequiredApproval'], [resource])],
    })
    const archive = (by: As) =>
      api.patchFlag(
        { ...keysOf('f'), bypassRequiredApproval: true, body: [replace('/archived', true)] as never },
        { as: by },
      )
    const remove = (by: As) => api.deleteFlag({ ...keysOf('f'), bypassRequiredApproval: true }, { as: by })
    for (const call of [archive, remove]) {
      expect(await failureOf(call(may('proj/web:env/test:flag/f')))).toMatchObject({ code: 'forbidden' })
    }
    await archive(may('proj/web:env/*:flag/f'))
    await remove(may('proj/web:env/*:flag/f'))
  })

  it('the wish to do without is true or false', async () => {
    const { create, send } = await guarded()
    await create('f')
    const asked = (value: string) => send('DELETE', `/api/v2/flags/web/f?bypassRequiredApproval=${value}`)
    for (const value of ['yes', '1', '', '__proto__']) expect((await asked(value)).status).toBe(400)
    expect((await asked('true')).status).toBe(204)
  })

  it('nobody turns the requirement off without the right to', async () => {
    const { guard, api, settings } = await guarded()
    await guard()
    const by: As = {
      policy: [
        allow(['viewProject'], ['proj/web']),
        allow(['*'], ['proj/web:env/*', 'proj/web:env/*:flag/*']),
        { effect: 'deny', actions: ['updateApprovalSettings'], resources: ['proj/*:env/*'] },
      ],
    }
    const environment = (body: readonly object[]) => api.patchEnvironment({ ...place, body: body as never }, { as: by })
    expect(await failureOf(environment([replace('/approvalSettings/required', false)]))).toMatchObject({
      code: 'forbidden',
    })
    expect(
      await failureOf(
        environment([replace('/color', '000000'), replace('/approvalSettings/requiredApprovalTags', ['x'])]),
      ),
    ).toMatchObject({ code: 'forbidden' })
    const body = { environmentKey: 'production', required: false }
    expect(await failureOf(api.patchApprovalRequestSettings({ projectKey: 'web', body }, { as: by }))).toMatchObject({
      code: 'forbidden',
    })
    expect(await settings({})).toMatchObject({ required: true })
    await environment([replace('/color', '000000')])
  })
})

describe('where flags with a tag need approval', () => {
  it('others do not', async () => {
    const { guard, create, instruct } = await guarded('pay')
    await create('f')
    await create('g', { tags: ['pay', 'x'] })
    await guard()
    await instruct('f', [turnOn])
    expect(await failureOf(instruct('g', [turnOn]))).toEqual(refusal)
  })

  it('the tag cannot be dropped, with the change or before it', async () => {
    const { guard, create, instruct, patch, get } = await guarded('pay')
    await create('f', { tags: ['pay', 'x'] })
    await guard()
    const drop = { kind: 'removeTags', values: ['pay'] }
    expect(await failureOf(instruct('f', [drop, turnOn]))).toEqual(refusal)
    expect(await failureOf(instruct('f', [drop]))).toEqual(refusal)
    expect(await failureOf(patch('f', [replace('/tags', ['x']), on]))).toEqual(refusal)
    expect(await failureOf(patch('f', [replace('/tags', [])]))).toEqual(refusal)
    expect((await get('f')).tags).toEqual(['pay', 'x'])
    await instruct('f', [{ kind: 'removeTags', values: ['x'] }])
  })

  it('the flag cannot be deleted and made again without it', async () => {
    const { guard, create, api, as, keysOf } = await guarded('pay')
    await create('f', { tags: ['pay'] })
    await guard()
    expect(await failureOf(api.deleteFlag(keysOf('f'), { as }))).toEqual(refusal)
  })

  it('a tag that comes with a change does not stop it, and stops the next one', async () => {
    const { guard, create, instruct } = await guarded('pay')
    await create('f')
    await guard()
    await instruct('f', [{ kind: 'addTags', values: ['pay'] }, turnOn])
    expect(await failureOf(instruct('f', [{ kind: 'turnFlagOff' }]))).toEqual(refusal)
  })

  it('the flags that they wait for need it too, however far away', async () => {
    const { guard, create, instruct, patch } = await guarded('pay')
    const chain = ['base', 'middle', 'top']
    for (const key of chain) await create(key, { tags: key === 'top' ? ['pay'] : [] })
    const wait = async (flagKey: string, key: string) => {
      const [variation] = (await create(`${key}-copy`)).variations
      expect(variation).toBeDefined()
      const [first] = (await patch(key, [])).variations
      await instruct(flagKey, [{ kind: 'addPrerequisite', key, variationId: first?._id }])
    }
    await wait('top', 'middle')
    await wait('middle', 'base')
    await guard()
    for (const key of ['base', 'middle']) {
      expect(await failureOf(instruct(key, [turnOn]))).toEqual(refusal)
      expect(await failureOf(patch(key, [replace('/clientSideAvailability/usingMobileKey', false)]))).toEqual(refusal)
    }
    await instruct('base', [turnOn], { environmentKey: 'test' })
    await instruct('base-copy', [turnOn])
  })

  it('a flag that begins to be waited for while it changes is changed before that, or not at all', async () => {
    const { guard, create, instruct, change, get } = await guarded('pay')
    const [first] = (await create('base')).variations
    await create('top', { tags: ['pay'] })
    await guard()
    const [changing] = await Promise.allSettled([
      instruct('base', [turnOn]),
      change(flagId('top'), [{ kind: 'addPrerequisite', key: 'base', variationId: first?._id }]),
    ])
    const waited = (await get('top')).environments?.production?.prerequisites?.length
    expect([changing.status, waited]).not.toEqual(['rejected', 0])
    if (waited) expect(await failureOf(instruct('base', [{ kind: 'turnFlagOff' }]))).toEqual(refusal)
  })
})

describe('segments', () => {
  const include = { kind: 'addIncludedUsers', values: ['eve'] }

  it('that a guarded flag asks for are changed as the flag is: with approval', async () => {
    const { guard, create, segment, target, patchSegment, change, api, as } = await guarded()
    await create('f')
    for (const key of ['s', 'free']) await segment(key)
    await target('f', 's')
    await guard()
    expect(await failureOf(patchSegment('s', [include]))).toEqual(refusal)
    const rules = [{ op: 'add', path: '/rules/-', value: { clauses: [] } }]
    const keys = { ...place, segmentKey: 's' }
    expect(await failureOf(api.patchSegment({ ...keys, body: rules as never }, { as }))).toEqual(refusal)
    await patchSegment('s', [{ kind: 'updateName', value: 'S' }])
    await patchSegment('free', [include])
    await change(segmentId('s'), [include])
    expect(await api.getSegment(keys, { as })).toMatchObject({ included: ['eve'] })
  })

  it('cannot be reached by way of another segment', async () => {
    const { guard, create, segment, target, patchSegment } = await guarded()
    await create('f')
    for (const key of ['outer', 'inner']) await segment(key)
    const clauses = [{ attribute: '', op: 'segmentMatch', values: ['inner'], negate: false }]
    await patchSegment('outer', [{ kind: 'addRule', clauses }])
    await patchSegment('inner', [{ kind: 'addExcludedUsers', values: ['x'] }])
    await target('f', 'outer')
    await guard()
    expect(await failureOf(patchSegment('inner', [include]))).toEqual(refusal)
  })

  it('of flags that are not guarded are free, until one is that waits for the flag', async () => {
    const { guard, create, segment, target, patchSegment, instruct, get } = await guarded('pay')
    await create('f')
    await create('top', { tags: ['pay'] })
    await segment('s')
    await target('f', 's')
    await guard()
    await patchSegment('s', [include])
    const [first] = (await get('f')).variations
    await guard({ required: false })
    await instruct('top', [{ kind: 'addPrerequisite', key: 'f', variationId: first?._id }])
    await guard()
    expect(await failureOf(patchSegment('s', [{ ...include, values: ['mallory'] }]))).toEqual(refusal)
  })

  it('can need approval of their own, all or those with a tag', async () => {
    const { settings, segment, patchSegment, api, as } = await guarded()
    await segment('s')
    await segment('t')
    await patchSegment('t', [{ kind: 'addTags', values: ['core', 'x'] }])
    await settings({ resourceKind: 'segment', required: true, requiredApprovalTags: ['core'] })
    await patchSegment('s', [include])
    const remove = (segmentKey: string) => api.deleteSegment({ ...place, segmentKey }, { as })
    expect(await failureOf(patchSegment('t', [include]))).toEqual(refusal)
    expect(await failureOf(patchSegment('t', [{ kind: 'removeTags', values: ['core'] }]))).toEqual(refusal)
    expect(await failureOf(patchSegment('t', [{ kind: 'removeTags', values: ['core'] }, include]))).toEqual(refusal)
    expect(await failureOf(remove('t'))).toEqual(refusal)
    await patchSegment('t', [{ kind: 'removeTags', values: ['x'] }])
    await remove('s')
    await settings({ resourceKind: 'segment', requiredApprovalTags: [] })
    await segment('s')
    expect(await failureOf(patchSegment('s', [include]))).toEqual(refusal)
  })

  it('that are big are guarded the same, whichever operation adds their keys', async () => {
    const { settings, api, as, patchSegment, change } = await guarded()
    await api.createSegment({ ...place, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
    await settings({ resourceKind: 'segment', required: true })
    const keys = { ...place, segmentKey: 'big' }
    const body = { included: { add: ['eve'] } }
    const add = { kind: 'addBigSegmentIncludedTargets', values: ['eve'] }
    expect(await failureOf(api.updateBigSegmentTargets({ ...keys, body }, { as }))).toEqual(refusal)
    expect(await failureOf(patchSegment('big', [add]))).toEqual(refusal)
    const contexts = { ...place, segmentKey: 'orgs' }
    const orgs = { key: 'orgs', name: 'Orgs', unbounded: true, unboundedContextKind: 'org' }
    await api.createSegment({ ...place, body: orgs }, { as })
    expect(await failureOf(api.updateBigSegmentContextTargets({ ...contexts, body }, { as }))).toEqual(refusal)
    await change(segmentId('big'), [add])
    await api.updateBigSegmentTargets({ ...keys, bypassRequiredApproval: true, body }, { as })
  })

  it('are done without approval only by who says so and may', async () => {
    const { settings, segment, patchSegment } = await guarded()
    await segment('s')
    await settings({ resourceKind: 'segment', required: true })
    const may = (...actions: string[]): As => ({
      policy: [allow(['viewProject'], ['proj/web']), allow(actions, [segmentId('s')])],
    })
    const bypass = { bypassRequiredApproval: true }
    expect(await failureOf(patchSegment('s', [include], bypass, may('updateIncluded')))).toMatchObject({
      code: 'forbidden',
    })
    expect(await failureOf(patchSegment('s', [include], {}, may('updateIncluded', 'bypassRequiredApproval')))).toEqual(
      refusal,
    )
    await patchSegment('s', [include], bypass, may('updateIncluded', 'bypassRequiredApproval'))
  })

  it('never take less to approve than the flags that they decide', async () => {
    const { guard, settings, create, segment, target, request, review, apply } = await guarded()
    await create('f')
    await segment('s')
    await target('f', 's')
    await guard({ minNumApprovals: 3, canReviewOwnRequest: false })
    await settings({ resourceKind: 'segment', required: true, minNumApprovals: 1, canReviewOwnRequest: true })
    const { _id } = await request(segmentId('s'), [include])
    await review(_id, 'approve')
    expect(await failureOf(apply(_id))).toMatchObject({ message: 'The approval request needs 2 more approvals' })
    await review(_id, 'approve', person('cleo'))
    await review(_id, 'approve', person('dan'))
    await apply(_id)
  })

  it('are approved with the rule that brings them into play, as they are then', async () => {
    const { guard, create, segment, request, review, apply, find, patchSegment } = await guarded()
    const [variation] = (await create('f')).variations
    for (const key of ['outer', 'inner']) await segment(key)
    const naming = (key: string) => [{ attribute: '', op: 'segmentMatch', values: [key] }]
    await patchSegment('outer', [{ kind: 'addRule', clauses: naming('inner') }])
    await guard()
    const rule = { kind: 'addRule', clauses: naming('outer'), variationId: variation?._id }
    const { _id } = await request(flagId('f'), [rule])
    await review(_id, 'approve')
    await patchSegment('inner', [include])
    const reason = 'segment outer has changed since the request was made'
    expect(await find(_id)).toMatchObject({ conflicts: [{ instruction: { kind: 'addRule' }, reason }] })
    expect(await failureOf(apply(_id))).toMatchObject({ errors: [{ attribute: 'instructions.0', reason }] })
    await patchSegment('inner', [{ ...include, kind: 'removeIncludedUsers' }])
    await apply(_id)
  })

  it('that a flag begins to ask for while they change are changed before that, or not at all', async () => {
    const { guard, create, segment, request, review, apply, patchSegment, api, as } = await guarded()
    const [variation] = (await create('f')).variations
    await guard()
    for (let lead = 0; lead < 30; lead++) {
      const key = `s-${lead}`
      await segment(key)
      const clauses = [{ attribute: '', op: 'segmentMatch', values: [key] }]
      const { _id } = await request(flagId('f'), [{ kind: 'addRule', clauses, variationId: variation?._id }])
      await review(_id, 'approve')
      const [changing, applying] = await Promise.allSettled([
        patchSegment(key, [include]),
        turns(lead).then(() => apply(_id)),
      ])
      expect([changing.status, applying.status]).not.toEqual(['fulfilled', 'fulfilled'])
      const { included = [] } = await api.getSegment({ ...place, segmentKey: key }, { as })
      expect(included.length).toBe(changing.status === 'fulfilled' ? 1 : 0)
    }
  })

  it('and prerequisites are approved as they are', async () => {
    const { guard, create, instruct, request, review, apply, find } = await guarded('pay')
    const [first] = (await create('base')).variations
    await create('f', { tags: ['pay'] })
    await guard()
    const { _id } = await request(flagId('f'), [{ kind: 'addPrerequisite', key: 'base', variationId: first?._id }])
    await review(_id, 'approve')
    await instruct('base', [turnOn])
    const reason = 'flag base has changed since the request was made'
    expect(await find(_id)).toMatchObject({ conflicts: [{ reason }] })
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
    await instruct('base', [{ kind: 'turnFlagOff' }])
    expect(await apply(_id)).toMatchObject({ status: 'completed' })
  })
})
