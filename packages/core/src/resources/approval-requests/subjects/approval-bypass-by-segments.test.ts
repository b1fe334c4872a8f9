import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import {
  allow,
  awaitTurns,
  environmentKeys,
  failureOf,
  flagId,
  person,
  segmentId,
  start,
  turnOn,
} from '../test/approval-project.ts'
import { protectedProject, refusal } from '../test/protected-project.ts'

describe('segments', () => {
  const include = { kind: 'addIncludedUsers', values: ['eve'] }

  it('that a protected flag targets need approval', async () => {
    const { guard, create, segment, target, patchSegment, change, api, as } = await protectedProject()
    await create('f')
    for (const key of ['s', 'free']) await segment(key)
    await target('f', 's')
    await guard()
    expect(await failureOf(patchSegment('s', [include]))).toEqual(refusal)
    const rules = [{ op: 'add', path: '/rules/-', value: { clauses: [] } }]
    const keys = { ...environmentKeys, segmentKey: 's' }
    expect(await failureOf(api.patchSegment({ ...keys, body: rules as never }, { as }))).toEqual(refusal)
    await patchSegment('s', [{ kind: 'updateName', value: 'S' }])
    await patchSegment('free', [include])
    await change(segmentId('s'), [include])
    expect(await api.getSegment(keys, { as })).toMatchObject({ included: ['eve'] })
  })

  it('need approval also when a protected flag targets them through another segment', async () => {
    const { guard, create, segment, target, patchSegment } = await protectedProject()
    await create('f')
    for (const key of ['outer', 'inner']) await segment(key)
    const clauses = [{ attribute: '', op: 'segmentMatch', values: ['inner'], negate: false }]
    await patchSegment('outer', [{ kind: 'addRule', clauses }])
    await patchSegment('inner', [{ kind: 'addExcludedUsers', values: ['x'] }])
    await target('f', 'outer')
    await guard()
    expect(await failureOf(patchSegment('inner', [include]))).toEqual(refusal)
  })

  it('of unprotected flags need no approval, until a protected flag depends on such a flag', async () => {
    const { guard, create, segment, target, patchSegment, instruct, get } = await protectedProject('pay')
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

  it('can require approval themselves, either all segments or segments with a tag', async () => {
    const { settings, segment, patchSegment, api, as } = await protectedProject()
    await segment('s')
    await segment('t')
    await patchSegment('t', [{ kind: 'addTags', values: ['core', 'x'] }])
    await settings({ resourceKind: 'segment', required: true, requiredApprovalTags: ['core'] })
    await patchSegment('s', [include])
    const remove = (segmentKey: string) => api.deleteSegment({ ...environmentKeys, segmentKey }, { as })
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

  it('need approval for every change of an expiry date, also by callers who have only the right to expiry dates', async () => {
    const { guard, create, segment, target, patchSegment, api, as, pass } = await protectedProject()
    await create('f')
    await segment('s')
    await target('f', 's')
    await patchSegment('s', [include])
    const keys = { ...environmentKeys, segmentKey: 's' }
    const caller: As = {
      policy: [allow(['viewProject'], ['proj/web']), allow(['updateExpiringTargets'], [segmentId('s')])],
    }
    const change = (kind: string, value: number | undefined, by: As) => {
      const instruction = { kind, targetType: 'included', contextKey: 'eve', ...(value === undefined ? {} : { value }) }
      return api.patchExpiringTargetsForSegment({ ...keys, body: { instructions: [instruction] } as never }, { as: by })
    }
    await guard()
    expect(await failureOf(change('addExpiringTarget', start + 500, caller))).toEqual(refusal)
    await guard({ required: false })
    await change('addExpiringTarget', start + 1_000, as)
    await guard()
    expect(await failureOf(change('updateExpiringTarget', start + 9_000, caller))).toEqual(refusal)
    expect(await failureOf(change('removeExpiringTarget', undefined, caller))).toEqual(refusal)
    pass(2_000)
    expect(await api.getSegment(keys, { as })).toMatchObject({ included: [] })
    await patchSegment('s', [{ kind: 'updateName', value: 'S' }])
  })

  it('that are big need approval for every operation that adds keys', async () => {
    const { settings, api, as, patchSegment, change } = await protectedProject()
    await api.createSegment({ ...environmentKeys, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
    await settings({ resourceKind: 'segment', required: true })
    const keys = { ...environmentKeys, segmentKey: 'big' }
    const body = { included: { add: ['eve'] } }
    const add = { kind: 'addBigSegmentIncludedTargets', values: ['eve'] }
    expect(await failureOf(api.updateBigSegmentTargets({ ...keys, body }, { as }))).toEqual(refusal)
    expect(await failureOf(patchSegment('big', [add]))).toEqual(refusal)
    const contexts = { ...environmentKeys, segmentKey: 'orgs' }
    const orgs = { key: 'orgs', name: 'Orgs', unbounded: true, unboundedContextKind: 'org' }
    await api.createSegment({ ...environmentKeys, body: orgs }, { as })
    expect(await failureOf(api.updateBigSegmentContextTargets({ ...contexts, body }, { as }))).toEqual(refusal)
    await change(segmentId('big'), [add])
    await api.updateBigSegmentTargets({ ...keys, bypassRequiredApproval: true, body }, { as })
  })

  it('are changed without approval only by a caller who requests the bypass and has the right to it', async () => {
    const { settings, segment, patchSegment } = await protectedProject()
    await segment('s')
    await settings({ resourceKind: 'segment', required: true })
    const callerWith = (...actions: string[]): As => ({
      policy: [allow(['viewProject'], ['proj/web']), allow(actions, [segmentId('s')])],
    })
    const bypass = { bypassRequiredApproval: true }
    expect(await failureOf(patchSegment('s', [include], bypass, callerWith('updateIncluded')))).toMatchObject({
      code: 'forbidden',
    })
    expect(
      await failureOf(patchSegment('s', [include], {}, callerWith('updateIncluded', 'bypassRequiredApproval'))),
    ).toEqual(refusal)
    await patchSegment('s', [include], bypass, callerWith('updateIncluded', 'bypassRequiredApproval'))
  })

  it('never need fewer approvals than the flags that target them', async () => {
    const { guard, settings, create, segment, target, request, review, apply } = await protectedProject()
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

  it('that a rule of an approved request refers to must not have changed since the request', async () => {
    const { guard, create, segment, request, review, apply, find, patchSegment } = await protectedProject()
    const [variation] = (await create('f')).variations
    for (const key of ['outer', 'inner']) await segment(key)
    const clausesFor = (key: string) => [{ attribute: '', op: 'segmentMatch', values: [key] }]
    await patchSegment('outer', [{ kind: 'addRule', clauses: clausesFor('inner') }])
    await guard()
    const rule = { kind: 'addRule', clauses: clausesFor('outer'), variationId: variation?._id }
    const { _id } = await request(flagId('f'), [rule])
    await review(_id, 'approve')
    await patchSegment('inner', [include])
    const reason = 'segment outer has changed since the request was made'
    expect(await find(_id)).toMatchObject({ conflicts: [{ instruction: { kind: 'addRule' }, reason }] })
    expect(await failureOf(apply(_id))).toMatchObject({ errors: [{ attribute: 'instructions.0', reason }] })
    await patchSegment('inner', [{ ...include, kind: 'removeIncludedUsers' }])
    await apply(_id)
  })

  it('are changed before a concurrent call makes a protected flag target them, or not at all', async () => {
    const { guard, create, segment, request, review, apply, patchSegment, api, as } = await protectedProject()
    const [variation] = (await create('f')).variations
    await guard()
    for (let turnCount = 0; turnCount < 30; turnCount++) {
      const key = `s-${turnCount}`
      await segment(key)
      const clauses = [{ attribute: '', op: 'segmentMatch', values: [key] }]
      const { _id } = await request(flagId('f'), [{ kind: 'addRule', clauses, variationId: variation?._id }])
      await review(_id, 'approve')
      const [changing, applying] = await Promise.allSettled([
        patchSegment(key, [include]),
        awaitTurns(turnCount).then(() => apply(_id)),
      ])
      expect([changing.status, applying.status]).not.toEqual(['fulfilled', 'fulfilled'])
      const { included = [] } = await api.getSegment({ ...environmentKeys, segmentKey: key }, { as })
      expect(included.length).toBe(changing.status === 'fulfilled' ? 1 : 0)
    }
  })

  it('and prerequisites that an approved request refers to must not have changed since the request', async () => {
    const { guard, create, instruct, request, review, apply, find } = await protectedProject('pay')
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
