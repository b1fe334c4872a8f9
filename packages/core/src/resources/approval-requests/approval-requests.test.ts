import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import {
  allow,
  approvalProject,
  failureOf,
  faultOf,
  flagId,
  permitted,
  person,
  place,
  segmentId,
  semantic,
  start,
  turnOn,
} from './test/approval-project.ts'

describe('a request', () => {
  it('is shown as it was made', async () => {
    const { create, request, find, memberId } = await approvalProject()
    await create('f')
    const made = await request(flagId('f'), [turnOn], { notifyMemberIds: [memberId], comment: 'please' })
    expect(made).toEqual({
      _id: expect.any(String),
      _version: 1,
      creationDate: String(start),
      serviceKind: 'halyard',
      requestorId: memberId,
      description: 'Launch it',
      reviewStatus: 'pending',
      allReviews: [],
      notifyMemberIds: [memberId],
      notifyTeamKeys: [],
      status: 'pending',
      instructions: [{ kind: 'turnFlagOn' }],
      conflicts: [],
      resourceId: 'proj/web:env/production:flag/f',
      approvalSettings: expect.objectContaining({ minNumApprovals: 1, required: false }),
      _links: {
        self: { href: `/api/v2/approval-requests/${made._id}`, type: 'application/json' },
        parent: { href: '/api/v2/approval-requests', type: 'application/json' },
        flag: { href: '/api/v2/flags/web/f', type: 'application/json' },
      },
    })
    expect(await find(made._id)).toEqual(made)
  })

  it('changes nothing until it is approved and applied, and then exactly what it says', async () => {
    const { create, request, review, apply, isOn, pass, find } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    expect(await isOn('f')).toBe(false)
    expect(await failureOf(apply(_id))).toEqual({
      code: 'invalid_request',
      message: 'The approval request needs 1 more approval',
    })
    pass(1000)
    const approved = await review(_id, 'approve', person('bob'), 'fine')
    expect(approved).toMatchObject({
      reviewStatus: 'approved',
      allReviews: [
        {
          _id: expect.any(String),
          kind: 'approve',
          comment: 'fine',
          memberId: 'bob',
          creationDate: String(start + 1000),
        },
      ],
    })
    expect(await isOn('f')).toBe(false)
    pass(1000)
    const applied = await apply(_id, undefined, person('cleo'))
    expect(applied).toMatchObject({
      status: 'completed',
      appliedDate: String(start + 2000),
      appliedByMemberId: 'cleo',
      conflicts: [],
    })
    expect(await isOn('f')).toBe(true)
    expect(await find(_id)).toEqual(applied)
  })

  it('about a segment does the same', async () => {
    const { segment, request, review, apply, api, as } = await approvalProject()
    await segment('s')
    const { _id, _links } = await request(segmentId('s'), [{ kind: 'addIncludedUsers', values: ['ann'] }])
    expect(_links.segment?.href).toBe('/api/v2/segments/web/production/s')
    await review(_id, 'approve')
    await apply(_id)
    expect(await api.getSegment({ ...place, segmentKey: 's' }, { as })).toMatchObject({ included: ['ann'] })
  })

  it('is the same one under the path of its flag, and is not found under another', async () => {
    const { create, request, api, as, find } = await approvalProject()
    await create('f')
    await create('g')
    const { _id: id } = await request(flagId('f'))
    const at = (featureFlagKey: string, environmentKey = 'production') => ({
      projectKey: 'web',
      featureFlagKey,
      environmentKey,
      id,
    })
    expect(await api.getApprovalRequestForFlag(at('f'), { as })).toEqual(await find(id))
    for (const other of [at('g'), at('f', 'test')]) {
      expect(await failureOf(api.getApprovalRequestForFlag(other, { as }))).toMatchObject({ code: 'not_found' })
      const approve = api.reviewApprovalRequestForFlag({ ...other, body: { kind: 'approve' } }, { as: person('bob') })
      expect(await failureOf(approve)).toMatchObject({ code: 'not_found' })
      expect(await failureOf(api.applyApprovalRequestForFlag({ ...other, body: {} }, { as }))).toMatchObject({
        code: 'not_found',
      })
      expect(await failureOf(api.deleteApprovalRequestForFlag(other, { as }))).toMatchObject({ code: 'not_found' })
    }
    await api.reviewApprovalRequestForFlag({ ...at('f'), body: { kind: 'approve' } }, { as: person('bob') })
    await api.applyApprovalRequestForFlag({ ...at('f'), body: {} }, { as })
    expect(await find(id)).toMatchObject({ status: 'completed' })
  })

  it('shows flag, project and environment on demand', async () => {
    const { create, request, find } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const shown = await find(_id, { expand: ['flag', 'project', 'environments'] })
    expect(shown).toMatchObject({ flag: { key: 'f' }, project: { key: 'web' }, environments: [{ key: 'production' }] })
    expect(shown.flag).not.toHaveProperty('environments')
    expect(await failureOf(find(_id, { expand: ['flags'] }))).toMatchObject({ code: 'invalid_request' })
  })

  it('can be meant for later, and applied before', async () => {
    const { create, request, review, apply } = await approvalProject()
    await create('f')
    const { _id, ...made } = await request(flagId('f'), [turnOn], { executionDate: start + 1 })
    expect(made).toMatchObject({ status: 'scheduled', executionDate: String(start + 1) })
    await review(_id, 'approve')
    expect(await apply(_id)).toMatchObject({ status: 'completed' })
    expect(await faultOf(request(flagId('f'), [turnOn], { executionDate: start }))).toEqual({
      attribute: 'executionDate',
      reason: 'must be in the future',
    })
  })

  it('goes with its flag, its environment and its project', async () => {
    const { create, request, find, api, as, keysOf } = await approvalProject()
    await create('f')
    await create('g')
    const ofF = await request(flagId('f'))
    await api.deleteFlag(keysOf('f'), { as })
    await create('f')
    expect(await failureOf(find(ofF._id))).toMatchObject({ code: 'not_found' })
    const ofG = await request(flagId('g'))
    await api.deleteEnvironment(place, { as })
    await api.createEnvironment({ projectKey: 'web', body: { key: 'production', name: 'P', color: '000000' } }, { as })
    expect(await failureOf(find(ofG._id))).toMatchObject({ code: 'not_found' })
    expect((await api.listApprovalRequests({}, { as })).totalCount).toBe(0)
  })
})

describe('making a request', () => {
  it.each<[string, object, string, string]>([
    ['unknown instructions', { instructions: [turnOn, { kind: 'explode' }] }, 'instructions.1.kind', 'must be one of '],
    [
      'instructions that cannot be followed',
      { instructions: [turnOn, { kind: 'updateOffVariation', variationId: 'nope' }] },
      'instructions.1.variationId',
      'must be the _id of a variation',
    ],
    [
      'instructions that make no flag',
      { instructions: [turnOn, { kind: 'addVariation', value: true }] },
      'instructions.1',
      'variations must not repeat a value',
    ],
    ['none at all', { instructions: [] }, 'instructions', 'must hold at least 1 instruction'],
    [
      'deleting the flag',
      { instructions: [{ kind: 'deleteFlag' }] },
      'instructions.0.kind',
      'must be the only instruction of its patch',
    ],
    ['no description', { description: '' }, 'description', 'must not be blank'],
    ['a blank one', { description: ' \n' }, 'description', 'must not be blank'],
    ['a long one', { description: 'x'.repeat(5001) }, 'description', 'must have at most 5000 characters'],
    ['a flag in no environment', { resourceId: 'proj/web:flag/f' }, 'resourceId', 'must be such as '],
    ['a flag in all environments', { resourceId: 'proj/web:env/*:flag/f' }, 'resourceId', 'must be such as '],
    ['another thing', { resourceId: 'proj/web:env/production:user/f' }, 'resourceId', 'must be such as '],
    ['more than one thing', { resourceId: `${flagId('f')}:flag/g` }, 'resourceId', 'must be such as '],
    ['nobody', { notifyMemberIds: ['nobody'] }, 'notifyMemberIds.0', 'must be the id of a member'],
    ['no team', { notifyTeamKeys: ['none'] }, 'notifyTeamKeys.0', 'must be the key of a team'],
    [
      'too many reviewers',
      { notifyMemberIds: ['1', '2', '3', '4', '5', '6'], notifyTeamKeys: ['1', '2', '3', '4', '5'] },
      'notifyMemberIds',
      'must name at most 10 reviewers, members and teams together',
    ],
    ['a reviewer twice', { notifyMemberIds: ['1', '1'] }, 'notifyMemberIds', 'must not repeat a member'],
    ['what is no member of it', { status: 'completed' }, 'status', 'is not a known member'],
    ['an approval that it brings along', { allReviews: [] }, 'allReviews', 'is not a known member'],
  ])('of %s is refused, naming it', async (_, more, attribute, reason) => {
    const { create, request, api, as } = await approvalProject()
    await create('f')
    const fault = await faultOf(request(flagId('f'), [turnOn], more))
    expect(fault.attribute).toBe(attribute)
    expect(fault.reason.startsWith(reason)).toBe(true)
    expect((await api.listApprovalRequests({}, { as })).totalCount).toBe(0)
  })

  it('tells all faults at once', async () => {
    const { create, request } = await approvalProject()
    await create('f')
    const instructions = [{ kind: 'addRule', clauses: [], variationId: 'nope' }]
    const failure = await failureOf(request(flagId('f'), instructions, { notifyMemberIds: ['x'], executionDate: 1 }))
    expect(failure.errors?.map(({ attribute }) => attribute).sort()).toEqual([
      'executionDate',
      'instructions.0.variationId',
      'notifyMemberIds.0',
    ])
  })

  it('of what is not there finds nothing', async () => {
    const { create, request } = await approvalProject()
    await create('f')
    for (const id of [flagId('g'), segmentId('f'), 'proj/web:env/none:flag/f', 'proj/none:env/production:flag/f']) {
      expect(await failureOf(request(id))).toMatchObject({ code: 'not_found' })
    }
  })

  it('takes instructions of a segment for a segment only', async () => {
    const { create, segment, request } = await approvalProject()
    await create('f')
    await segment('s')
    expect(await faultOf(request(segmentId('s')))).toMatchObject({ attribute: 'instructions.0.kind' })
    const include = { kind: 'addIncludedUsers', values: ['a'] }
    expect(await faultOf(request(flagId('f'), [include]))).toMatchObject({ attribute: 'instructions.0.kind' })
  })

  it('with many reviewers is fine as long as there are ten', async () => {
    const { create, request, api, as } = await approvalProject()
    await create('f')
    const keys = Array.from({ length: 10 }, (_, at) => `team-${at}`)
    for (const key of keys) await api.createTeam({ body: { key, name: key } }, { as })
    expect(await request(flagId('f'), [turnOn], { notifyTeamKeys: keys })).toMatchObject({ notifyTeamKeys: keys })
  })
})

describe('reviews', () => {
  it('are counted as the environment asks now, not as it asked when the request was made', async () => {
    const { create, settings, request, review, apply, find } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    await settings({ minNumApprovals: 2 })
    expect(await find(_id)).toMatchObject({ reviewStatus: 'pending', approvalSettings: { minNumApprovals: 2 } })
    expect(await failureOf(apply(_id))).toMatchObject({ message: 'The approval request needs 1 more approval' })
    await review(_id, 'approve', person('cleo'))
    expect(await apply(_id)).toMatchObject({ status: 'completed', reviewStatus: 'approved' })
  })

  it('of one person count once, the newest one', async () => {
    const { create, settings, request, review, find } = await approvalProject()
    await create('f')
    await settings({ minNumApprovals: 2 })
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    await review(_id, 'comment', person('bob'), 'hm')
    await review(_id, 'approve')
    expect(await find(_id)).toMatchObject({
      reviewStatus: 'pending',
      allReviews: [{ kind: 'comment' }, { kind: 'approve' }],
    })
    await review(_id, 'decline')
    expect(await find(_id)).toMatchObject({
      reviewStatus: 'declined',
      allReviews: [{ kind: 'comment' }, { kind: 'decline' }],
    })
  })

  it('that decline are applied over only where the environment allows it', async () => {
    const { create, settings, request, review, apply } = await approvalProject()
    await create('f')
    await settings({ canApplyDeclinedChanges: false })
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    expect(await review(_id, 'decline', person('cleo'))).toMatchObject({ reviewStatus: 'declined' })
    expect(await failureOf(apply(_id))).toMatchObject({
      code: 'invalid_request',
      message: 'The approval request is declined, and declined changes cannot be applied in this environment',
    })
    await settings({ canApplyDeclinedChanges: true })
    expect(await apply(_id)).toMatchObject({ status: 'completed', reviewStatus: 'declined' })
  })

  it('of the own request are comments, unless the environment allows more', async () => {
    const { create, settings, request, review, memberId, as } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    expect(await review(_id, 'comment', as, 'ping')).toMatchObject({ allReviews: [{ comment: 'ping', memberId }] })
    for (const kind of ['approve', 'decline']) {
      expect(await failureOf(review(_id, kind, as))).toEqual({
        code: 'invalid_request',
        message: 'Whoever made an approval request cannot approve or decline it in this environment',
      })
    }
    await settings({ canReviewOwnRequest: true })
    expect(await review(_id, 'approve', as)).toMatchObject({ reviewStatus: 'approved' })
  })

  it('by service tokens are those of whoever made the tokens', async () => {
    const { create, settings, request, review, api, as, find } = await approvalProject()
    await create('f')
    await settings({ minNumApprovals: 2 })
    const serviceToken = async (by: As = as) => {
      const body = { name: 'robot', role: 'admin', serviceToken: true } as const
      const { token, _id } = await api.createToken({ body }, { as: by })
      return { token: token as string, _id }
    }
    const mine = await serviceToken()
    const { _id } = await request(flagId('f'))
    expect(await failureOf(review(_id, 'approve', mine.token))).toMatchObject({ code: 'invalid_request' })
    const byRobot = await request(flagId('f'), [turnOn], {}, mine.token)
    expect(byRobot.requestorId).toBe(mine._id)
    expect(await failureOf(review(byRobot._id, 'approve', as))).toMatchObject({ code: 'invalid_request' })
    const [one, two] = [await serviceToken(person('bob')), await serviceToken(person('bob'))]
    await review(_id, 'approve', one.token)
    await review(_id, 'approve', two.token)
    const { allReviews, reviewStatus } = await find(_id)
    expect(reviewStatus).toBe('pending')
    expect(allReviews).toMatchObject([{ serviceTokenId: two._id }])
    expect(allReviews[0]).not.toHaveProperty('memberId')
  })

  it.each<[object, string]>([
    [{ kind: 'approved' }, 'kind'],
    [{ kind: 'comment' }, 'comment'],
    [{ kind: 'comment', comment: ' ' }, 'comment'],
    [{ kind: 'approve', comment: 'x'.repeat(10_001) }, 'comment'],
    [{ kind: 'approve', reviewer: 'dan' }, 'reviewer'],
  ])('such as %j are refused', async (body, attribute) => {
    const { create, request, api } = await approvalProject()
    await create('f')
    const { _id: id } = await request(flagId('f'))
    const call = api.reviewApprovalRequest({ id, body: body as never }, { as: person('bob') })
    expect(await faultOf(call)).toMatchObject({ attribute })
  })
})

describe('an applied request', () => {
  it('stays as it is', async () => {
    const { create, request, review, apply, edit, remove, find, change } = await approvalProject()
    await create('f')
    const { _id } = await change(flagId('f'), [turnOn])
    const before = await find(_id)
    const refusal = { code: 'invalid_request', message: 'The approval request was applied: it stays as it is' }
    expect(await failureOf(apply(_id))).toEqual(refusal)
    expect(await failureOf(review(_id, 'comment', person('bob'), 'late'))).toEqual(refusal)
    expect(await failureOf(edit(_id, [{ kind: 'updateDescription', value: 'other' }]))).toEqual(refusal)
    expect(await failureOf(remove(_id))).toEqual(refusal)
    expect(await find(_id)).toEqual(before)
    expect(await request(flagId('f'))).toMatchObject({ status: 'pending' })
  })
})

describe('changing and deleting', () => {
  it('describes a request anew and names more reviewers', async () => {
    const { create, request, edit, memberId, api, as } = await approvalProject()
    await create('f')
    await api.createTeam({ body: { key: 'ops', name: 'Ops' } }, { as })
    const { _id } = await request(flagId('f'))
    const changed = await edit(_id, [
      { kind: 'updateDescription', value: 'Launch it on Monday' },
      { kind: 'addReviewers', notifyMemberIds: [memberId] },
      { kind: 'addReviewers', notifyMemberIds: [memberId], notifyTeamKeys: ['ops'] },
    ])
    expect(changed).toMatchObject({
      description: 'Launch it on Monday',
      notifyMemberIds: [memberId],
      notifyTeamKeys: ['ops'],
      _version: 2,
    })
  })

  it.each<[string, object, string]>([
    ['an empty description', { kind: 'updateDescription', value: '' }, 'instructions.0.value'],
    ['a long one', { kind: 'updateDescription', value: 'x'.repeat(5001) }, 'instructions.0.value'],
    ['no reviewer at all', { kind: 'addReviewers' }, 'instructions.0'],
    ['nobody', { kind: 'addReviewers', notifyMemberIds: ['nobody'] }, 'instructions.0.notifyMemberIds.0'],
    ['no team', { kind: 'addReviewers', notifyTeamKeys: ['none'] }, 'instructions.0.notifyTeamKeys.0'],
    ['other instructions', { kind: 'replaceInstructions', instructions: [] }, 'instructions.0.kind'],
  ])('refuses %s', async (_, instruction, attribute) => {
    const { create, request, edit } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    expect(await faultOf(edit(_id, [instruction]))).toMatchObject({ attribute })
  })

  it('refuses an eleventh reviewer', async () => {
    const { create, request, edit, api, as } = await approvalProject()
    await create('f')
    const keys = Array.from({ length: 11 }, (_, at) => `team-${at}`)
    for (const key of keys) await api.createTeam({ body: { key, name: key } }, { as })
    const { _id } = await request(flagId('f'), [turnOn], { notifyTeamKeys: keys.slice(0, 10) })
    expect(await faultOf(edit(_id, [{ kind: 'addReviewers', notifyTeamKeys: ['team-10'] }]))).toEqual({
      attribute: 'notifyMemberIds',
      reason: 'must name at most 10 reviewers, members and teams together',
    })
  })

  it('cannot touch instructions by a JSON Patch', async () => {
    const { create, request, send } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const headers = { 'svc-api-version': 'beta' }
    const body = [{ op: 'replace', path: '/instructions/0/kind', value: 'turnFlagOff' }]
    const answer = await send('PATCH', `/api/v2/approval-requests/${_id}`, { body, headers })
    expect(answer.status).toBe(400)
    const described = { instructions: [{ kind: 'updateDescription', value: 'x' }] }
    const patched = await send('PATCH', `/api/v2/approval-requests/${_id}`, {
      body: described,
      headers: { ...headers, 'content-type': semantic },
    })
    expect(patched.status).toBe(200)
  })

  it('deletes a request that was not applied', async () => {
    const { create, request, remove, find, api, as } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await remove(_id)
    expect(await failureOf(find(_id))).toMatchObject({ code: 'not_found' })
    expect((await api.listApprovalRequests({}, { as })).totalCount).toBe(0)
  })
})

describe('rights', () => {
  const steps = [
    'createApprovalRequest',
    'reviewApprovalRequest',
    'updateApprovalRequest',
    'deleteApprovalRequest',
    'applyApprovalRequest',
  ] as const

  it.each(steps)('%s is enough for its step, and for no other', async (action) => {
    const { create, request, review, edit, remove, apply } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    const by = permitted(action, 'updateOn')
    const calls = {
      createApprovalRequest: () => request(flagId('f'), [turnOn], {}, by),
      reviewApprovalRequest: () => review(_id, 'comment', by, 'x'),
      updateApprovalRequest: () => edit(_id, [{ kind: 'updateDescription', value: 'x' }], by),
      deleteApprovalRequest: () => remove(_id, by),
      applyApprovalRequest: () => apply(_id, undefined, by),
    }
    for (const other of steps.filter((one) => one !== action)) {
      expect(await failureOf(calls[other]())).toMatchObject({ code: 'forbidden' })
    }
    await calls[action]()
  })

  it('to apply are no rights to what is applied, and those are no right to apply', async () => {
    const { create, request, review, apply, isOn } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    expect(await failureOf(apply(_id, undefined, permitted('applyApprovalRequest')))).toMatchObject({
      code: 'forbidden',
    })
    expect(await failureOf(apply(_id, undefined, permitted('updateOn')))).toMatchObject({ code: 'forbidden' })
    expect(await isOn('f')).toBe(false)
    await apply(_id, undefined, permitted('applyApprovalRequest', 'updateOn'))
    expect(await isOn('f')).toBe(true)
  })

  it('to view the project are needed to find anything', async () => {
    const { create, request, find, review, apply, remove, edit, api } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const by = { policy: [allow(['*'], ['proj/*:env/*:flag/*'])], memberId: 'bob' }
    const calls = [
      find(_id, {}, by),
      review(_id, 'approve', by),
      apply(_id, undefined, by),
      edit(_id, [{ kind: 'updateDescription', value: 'x' }], by),
      remove(_id, by),
      request(flagId('f'), [turnOn], {}, by),
    ]
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
    expect(await api.listApprovalRequests({}, { as: by })).toMatchObject({ items: [], totalCount: 0 })
  })
})

describe('the change log', () => {
  it('has the change and the request in one entry, by who applied it, with the description as comment', async () => {
    const { create, request, review, apply, api, as, pass } = await approvalProject()
    await create('f')
    const last = async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0]
    const first = await request(flagId('f'))
    await review(first._id, 'approve')
    pass(1)
    await apply(first._id, undefined, person('cleo'))
    const { comment, accesses, member } = (await last()) ?? {}
    expect({ comment, member: member?._id }).toEqual({ comment: 'Launch it', member: 'cleo' })
    const resource = flagId('f')
    const asked = ['applyApprovalRequest', 'updateOn'].map((action) => ({ action, resource }))
    expect(accesses?.toSorted((a, b) => (a.action < b.action ? -1 : 1))).toEqual(asked)
    const second = await request(flagId('f'), [{ kind: 'turnFlagOff' }])
    await review(second._id, 'approve')
    pass(1)
    await apply(second._id, 'Back to the old one')
    expect(await last()).toMatchObject({ comment: 'Back to the old one' })
  })

  it('makes comments that an environment wants', async () => {
    const { create, change, isOn, api, as } = await approvalProject()
    await create('f')
    const body = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ ...place, body }, { as })
    await change(flagId('f'), [turnOn])
    expect(await isOn('f')).toBe(true)
  })
})

describe('two at once', () => {
  it('apply a request once', async () => {
    const { create, request, review, apply } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    const calls = await Promise.allSettled([apply(_id), apply(_id), apply(_id)])
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('never lose a review', async () => {
    const { create, request, review, find } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const calls = await Promise.allSettled(['bob', 'cleo', 'dan'].map((who) => review(_id, 'approve', person(who))))
    const done = calls.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBeGreaterThan(0)
    expect((await find(_id)).allReviews).toHaveLength(done)
  })

  it('are told apart by If-Match', async () => {
    const { create, request, review, api, as } = await approvalProject()
    await create('f')
    const { _id: id } = await request(flagId('f'))
    await review(id, 'approve')
    await review(id, 'decline', person('cleo'))
    const apply = (ifMatch: string) => api.applyApprovalRequest({ id, body: {} }, { as, ifMatch })
    expect(await failureOf(apply('"2"'))).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await apply('"3"')).toMatchObject({ status: 'completed' })
  })
})
