import { describe, expect, it } from 'vitest'
import { approvalProject, environmentKeys, failureOf, validationErrorOf } from '../test/approval-project.ts'

const defaults = {
  required: false,
  bypassApprovalsForPendingChanges: false,
  minNumApprovals: 1,
  canReviewOwnRequest: false,
  canApplyDeclinedChanges: true,
  serviceKind: 'halyard',
  serviceConfig: {},
  requiredApprovalTags: [],
  autoApplyApprovedChanges: false,
  serviceKindConfigurationId: '',
}

describe('approval settings', () => {
  it('are listed for each environment of a project', async () => {
    const { api, as } = await approvalProject()
    const all = await api.getApprovalRequestSettings({ projectKey: 'web' }, { as })
    expect(all).toMatchObject({ totalCount: 2, items: [{ environmentKey: 'production' }, { environmentKey: 'test' }] })
    const segmentQuery = { projectKey: 'web', environmentKey: 'test', resourceKind: 'segment' } as const
    expect((await api.getApprovalRequestSettings(segmentQuery, { as })).items).toEqual([
      { environmentKey: 'test', resourceKind: 'segment', ...defaults },
    ])
    const unknownEnvironment = await api.getApprovalRequestSettings({ ...segmentQuery, environmentKey: 'none' }, { as })
    expect(unknownEnvironment.items).toEqual([])
  })

  it('are changed only in the properties of the patch, and so is their copy in the environment', async () => {
    const { api, as, settings } = await approvalProject()
    expect(await settings({ required: true, minNumApprovals: 5 })).toEqual({
      environmentKey: 'production',
      resourceKind: 'flag',
      ...defaults,
      required: true,
      minNumApprovals: 5,
    })
    await settings({ requiredApprovalTags: ['pay'], canReviewOwnRequest: undefined })
    await settings({ resourceKind: 'segment', required: true })
    const environment = await api.getEnvironment(environmentKeys, { as })
    const flags = { ...defaults, required: true, minNumApprovals: 5, requiredApprovalTags: ['pay'] }
    expect(environment.approvalSettings).toEqual(flags)
    expect(environment.resourceApprovalSettings).toEqual({ segment: { ...defaults, required: true } })
  })

  it('for other kinds of resources are patched as part of the environment, with defaults for omitted properties', async () => {
    const { api, as } = await approvalProject()
    const body = [{ op: 'add', path: '/resourceApprovalSettings/aiconfig', value: { minNumApprovals: 2 } }]
    const { resourceApprovalSettings } = await api.patchEnvironment({ ...environmentKeys, body }, { as })
    expect(resourceApprovalSettings).toEqual({ aiconfig: { ...defaults, minNumApprovals: 2 } })
    const unknown = [{ op: 'add', path: '/resourceApprovalSettings/flag', value: { required: false } }]
    expect(await failureOf(api.patchEnvironment({ ...environmentKeys, body: unknown }, { as }))).toMatchObject({
      code: 'invalid_request',
    })
  })

  it.each<[object, string]>([
    [{ minNumApprovals: 0 }, 'minNumApprovals'],
    [{ minNumApprovals: 6 }, 'minNumApprovals'],
    [{ minNumApprovals: 1.5 }, 'minNumApprovals'],
    [{ required: 'true' }, 'required'],
    [{ requiredApprovalTags: ['a', 'a'] }, 'requiredApprovalTags'],
    [{ resourceKind: 'role' }, 'resourceKind'],
    [{ environmentKey: '*' }, 'environmentKey'],
    [{ approved: true }, 'approved'],
  ])('reject %j', async (body, attribute) => {
    const { settings } = await approvalProject()
    expect(await validationErrorOf(settings(body))).toMatchObject({ attribute })
  })

  it('return 404 for an unknown environment', async () => {
    const { settings } = await approvalProject()
    expect(await failureOf(settings({ environmentKey: 'none', required: true }))).toMatchObject({ code: 'not_found' })
  })
})
