import { describe, expect, it } from 'vitest'
import {
  approvalProject,
  environmentKeys,
  failureOf,
  flagId,
  person,
  segmentId,
  start,
  turnOn,
  validationErrorOf,
} from './test/approval-project.ts'

describe('a request', () => {
  it('is returned as it was created', async () => {
    const { create, request, find, memberId } = await approvalProject()
    await create('f')
    const created = await request(flagId('f'), [turnOn], { notifyMemberIds: [memberId], comment: 'please' })
    expect(created).toEqual({
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
        self: { href: `/api/v2/approval-requests/${created._id}`, type: 'application/json' },
        parent: { href: '/api/v2/approval-requests', type: 'application/json' },
        flag: { href: '/api/v2/flags/web/f', type: 'application/json' },
      },
    })
    expect(await find(created._id)).toEqual(created)
  })

  it('changes nothing until it is approved and applied, and then has exactly the effect of its instructions', async () => {
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

  it('can be about a segment', async () => {
    const { segment, request, review, apply, api, as } = await approvalProject()
    await segment('s')
    const { _id, _links } = await request(segmentId('s'), [{ kind: 'addIncludedUsers', values: ['ann'] }])
    expect(_links.segment?.href).toBe('/api/v2/segments/web/production/s')
    await review(_id, 'approve')
    await apply(_id)
    expect(await api.getSegment({ ...environmentKeys, segmentKey: 's' }, { as })).toMatchObject({ included: ['ann'] })
  })

  it('is found under the path of its flag, and not under another path', async () => {
    const { create, request, api, as, find } = await approvalProject()
    await create('f')
    await create('g')
    const { _id: id } = await request(flagId('f'))
    const keysOfRequest = (flagKey: string, environmentKey = 'production') => ({
      projectKey: 'web',
      flagKey,
      environmentKey,
      id,
    })
    expect(await api.getApprovalRequestForFlag(keysOfRequest('f'), { as })).toEqual(await find(id))
    for (const other of [keysOfRequest('g'), keysOfRequest('f', 'test')]) {
      expect(await failureOf(api.getApprovalRequestForFlag(other, { as }))).toMatchObject({ code: 'not_found' })
      const approve = api.reviewApprovalRequestForFlag({ ...other, body: { kind: 'approve' } }, { as: person('bob') })
      expect(await failureOf(approve)).toMatchObject({ code: 'not_found' })
      expect(await failureOf(api.applyApprovalRequestForFlag({ ...other, body: {} }, { as }))).toMatchObject({
        code: 'not_found',
      })
      expect(await failureOf(api.deleteApprovalRequestForFlag(other, { as }))).toMatchObject({ code: 'not_found' })
    }
    await api.reviewApprovalRequestForFlag({ ...keysOfRequest('f'), body: { kind: 'approve' } }, { as: person('bob') })
    await api.applyApprovalRequestForFlag({ ...keysOfRequest('f'), body: {} }, { as })
    expect(await find(id)).toMatchObject({ status: 'completed' })
  })

  it('contains flag, project and environment when they are expanded', async () => {
    const { create, request, find } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const fetched = await find(_id, { expand: ['flag', 'project', 'environments'] })
    expect(fetched).toMatchObject({
      flag: { key: 'f' },
      project: { key: 'web' },
      environments: [{ key: 'production' }],
    })
    expect(fetched.flag).not.toHaveProperty('environments')
    expect(await failureOf(find(_id, { expand: ['flags'] }))).toMatchObject({ code: 'invalid_request' })
  })

  it('can be scheduled, and applied earlier', async () => {
    const { create, request, review, apply } = await approvalProject()
    await create('f')
    const { _id, ...created } = await request(flagId('f'), [turnOn], { executionDate: start + 1 })
    expect(created).toMatchObject({ status: 'scheduled', executionDate: String(start + 1) })
    await review(_id, 'approve')
    expect(await apply(_id)).toMatchObject({ status: 'completed' })
    expect(await validationErrorOf(request(flagId('f'), [turnOn], { executionDate: start }))).toEqual({
      attribute: 'executionDate',
      reason: 'must be in the future',
    })
  })

  it('is deleted with its flag, its environment or its project', async () => {
    const { create, request, find, api, as, keysOf } = await approvalProject()
    await create('f')
    await create('g')
    const requestOfF = await request(flagId('f'))
    await api.deleteFlag(keysOf('f'), { as })
    await create('f')
    expect(await failureOf(find(requestOfF._id))).toMatchObject({ code: 'not_found' })
    const requestOfG = await request(flagId('g'))
    await api.deleteEnvironment(environmentKeys, { as })
    await api.createEnvironment({ projectKey: 'web', body: { key: 'production', name: 'P', color: '000000' } }, { as })
    expect(await failureOf(find(requestOfG._id))).toMatchObject({ code: 'not_found' })
    expect((await api.listApprovalRequests({}, { as })).totalCount).toBe(0)
  })
})

describe('the creation of an approval request', () => {
  it.each<[string, object, string, string]>([
    ['unknown instructions', { instructions: [turnOn, { kind: 'explode' }] }, 'instructions.1.kind', 'must be one of '],
    [
      'instructions that cannot be applied',
      { instructions: [turnOn, { kind: 'updateOffVariation', variationId: 'nope' }] },
      'instructions.1.variationId',
      'must be the _id of a variation',
    ],
    [
      'instructions that result in an invalid flag',
      { instructions: [turnOn, { kind: 'addVariation', value: true }] },
      'instructions.1',
      'variations must not repeat a value',
    ],
    ['no instructions', { instructions: [] }, 'instructions', 'must contain at least 1 instruction'],
    [
      'an instruction to delete the flag',
      { instructions: [{ kind: 'deleteFlag' }] },
      'instructions.0.kind',
      'must be the only instruction of its patch',
    ],
    ['no description', { description: '' }, 'description', 'must not be blank'],
    ['a blank description', { description: ' \n' }, 'description', 'must not be blank'],
    [
      'a description that is too long',
      { description: 'x'.repeat(5001) },
      'description',
      'must have at most 5000 characters',
    ],
    ['a flag without an environment', { resourceId: 'proj/web:flag/f' }, 'resourceId', 'must be like '],
    ['a flag in all environments', { resourceId: 'proj/web:env/*:flag/f' }, 'resourceId', 'must be like '],
    ['a resource of another kind', { resourceId: 'proj/web:env/production:user/f' }, 'resourceId', 'must be like '],
    ['more than one resource', { resourceId: `${flagId('f')}:flag/g` }, 'resourceId', 'must be like '],
    ['nobody', { notifyMemberIds: ['nobody'] }, 'notifyMemberIds.0', 'must be the id of a member'],
    ['an unknown team', { notifyTeamKeys: ['none'] }, 'notifyTeamKeys.0', 'must be the key of a team'],
    [
      'too many reviewers',
      { notifyMemberIds: ['1', '2', '3', '4', '5', '6'], notifyTeamKeys: ['1', '2', '3', '4', '5'] },
      'notifyMemberIds',
      'must name at most 10 reviewers, members and teams together',
    ],
    ['a repeated reviewer', { notifyMemberIds: ['1', '1'] }, 'notifyMemberIds', 'must not repeat a member'],
    ['an unknown property', { status: 'completed' }, 'status', 'is not a known member'],
    ['reviews', { allReviews: [] }, 'allReviews', 'is not a known member'],
  ])('with %s is rejected with the name of the property', async (_, overrides, attribute, reason) => {
    const { create, request, api, as } = await approvalProject()
    await create('f')
    const error = await validationErrorOf(request(flagId('f'), [turnOn], overrides))
    expect(error.attribute).toBe(attribute)
    expect(error.reason.startsWith(reason)).toBe(true)
    expect((await api.listApprovalRequests({}, { as })).totalCount).toBe(0)
  })

  it('reports all validation errors together', async () => {
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

  it('returns 404 for an unknown resource', async () => {
    const { create, request } = await approvalProject()
    await create('f')
    for (const id of [flagId('g'), segmentId('f'), 'proj/web:env/none:flag/f', 'proj/none:env/production:flag/f']) {
      expect(await failureOf(request(id))).toMatchObject({ code: 'not_found' })
    }
  })

  it('accepts instructions of segments for segments only', async () => {
    const { create, segment, request } = await approvalProject()
    await create('f')
    await segment('s')
    expect(await validationErrorOf(request(segmentId('s')))).toMatchObject({ attribute: 'instructions.0.kind' })
    const include = { kind: 'addIncludedUsers', values: ['a'] }
    expect(await validationErrorOf(request(flagId('f'), [include]))).toMatchObject({ attribute: 'instructions.0.kind' })
  })

  it('accepts ten reviewers', async () => {
    const { create, request, api, as } = await approvalProject()
    await create('f')
    const keys = Array.from({ length: 10 }, (_, keysOfRequest) => `team-${keysOfRequest}`)
    for (const key of keys) await api.createTeam({ body: { key, name: key } }, { as })
    expect(await request(flagId('f'), [turnOn], { notifyTeamKeys: keys })).toMatchObject({ notifyTeamKeys: keys })
  })
})

describe('the change log', () => {
  it('has one entry for the change and the request, with the caller who applied it and the description as comment', async () => {
    const { create, request, review, apply, api, as, pass } = await approvalProject()
    await create('f')
    const newestEntry = async () => (await api.listChangeLog({ limit: 1 }, { as })).items[0]
    const first = await request(flagId('f'))
    await review(first._id, 'approve')
    pass(1)
    await apply(first._id, undefined, person('cleo'))
    const { comment, accesses, member } = (await newestEntry()) ?? {}
    expect({ comment, member: member?._id }).toEqual({ comment: 'Launch it', member: 'cleo' })
    const resource = flagId('f')
    const expectedAccesses = ['applyApprovalRequest', 'updateOn'].map((action) => ({ action, resource }))
    expect(accesses?.toSorted((a, b) => (a.action < b.action ? -1 : 1))).toEqual(expectedAccesses)
    const second = await request(flagId('f'), [{ kind: 'turnFlagOff' }])
    await review(second._id, 'approve')
    pass(1)
    await apply(second._id, 'Back to the old one')
    expect(await newestEntry()).toMatchObject({ comment: 'Back to the old one' })
  })

  it('an approval request satisfies the requirement of a comment', async () => {
    const { create, change, isOn, api, as } = await approvalProject()
    await create('f')
    const body = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ ...environmentKeys, body }, { as })
    await change(flagId('f'), [turnOn])
    expect(await isOn('f')).toBe(true)
  })
})
