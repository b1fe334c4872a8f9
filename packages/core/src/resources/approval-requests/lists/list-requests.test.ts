import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import {
  allow,
  approvalProject,
  flagId,
  person,
  segmentId,
  turnOn,
  validationErrorOf,
} from '../test/approval-project.ts'

/** Creates requests of several kinds, in two projects and three environments, each identified by its description. */
async function manyRequests() {
  const project = await approvalProject()
  const { api, as, create, segment, pass, review, apply, memberId } = project
  await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
  await api.createFlag({ projectKey: 'shop', body: { key: 'f', name: 'F' } }, { as })
  await create('f')
  await create('g')
  await segment('f')
  const include = [{ kind: 'addIncludedUsers', values: ['a'] }]
  const idByDescription: Record<string, string> = {}
  const createRequest = async (description: string, resourceId: string, overrides: object = {}, caller: As = as) => {
    pass(1000)
    const instructions = resourceId.includes('segment') ? include : [turnOn]
    idByDescription[description] = (
      await project.request(resourceId, instructions, { description, ...overrides }, caller)
    )._id
  }
  await createRequest('plain', flagId('f'))
  await createRequest('by bob', flagId('f'), {}, person('bob'))
  await createRequest('for the owner', flagId('g'), { notifyMemberIds: [memberId] })
  await createRequest('later', 'proj/web:env/test:flag/f', { executionDate: 8_000_000_000_000 })
  await createRequest('segment', segmentId('f'))
  await createRequest('shop', 'proj/shop:env/production:flag/f')
  await review(idByDescription['by bob'] as string, 'approve', person('cleo'))
  await review(idByDescription.segment as string, 'decline')
  await review(idByDescription.shop as string, 'approve')
  await apply(idByDescription.shop as string)
  const listDescriptions = async (filter?: string, caller: As = as) => {
    const { items, totalCount } = await api.listApprovalRequests(filter === undefined ? {} : { filter }, { as: caller })
    expect(totalCount).toBe(items.length)
    return items.map(({ description }) => description)
  }
  return { ...project, found: listDescriptions, made: idByDescription }
}

describe('the list of approval requests', () => {
  it('is filtered by each field and by combinations, newest first', async () => {
    const { found: listDescriptions, memberId } = await manyRequests()
    const all = ['shop', 'segment', 'later', 'for the owner', 'by bob', 'plain']
    const filters: [string | undefined, string[]][] = [
      [undefined, all],
      ['projectKey equals web', all.filter((description) => description !== 'shop')],
      ['projectKey equals none', []],
      ['requestorId equals bob', ['by bob']],
      [`notifyMemberIds anyOf ["${memberId}", x]`, ['for the owner']],
      ['resourceKind equals segment', ['segment']],
      ['resourceKind equals aiConfig', []],
      [`resourceId equals "${flagId('f')}"`, ['by bob', 'plain']],
      [`resourceId equals "${segmentId('f')}"`, ['segment']],
      ['resourceId equals nothing', []],
      ['status anyOf [scheduled]', ['later']],
      ['status anyOf [completed, scheduled]', ['shop', 'later']],
      ['status anyOf [failed]', []],
      ['reviewStatus anyOf [approved]', ['shop', 'by bob']],
      ['reviewStatus anyOf [declined]', ['segment']],
      ['reviewStatus anyOf [pending]', ['later', 'for the owner', 'plain']],
      ['reviewStatus anyOf [approved, pending, declined]', all],
      [`status anyOf [pending], resourceId equals "${flagId('f')}", reviewStatus anyOf [pending]`, ['plain']],
      ['projectKey equals web, projectKey equals shop', []],
      ['projectKey equals shop | requestorId equals bob', ['shop', 'by bob']],
      ['projectKey equals web, (status anyOf [scheduled] | reviewStatus anyOf [declined])', ['segment', 'later']],
      [`(resourceId equals "${segmentId('f')}" | resourceId equals nothing), projectKey equals web`, ['segment']],
      ['resourceKind equals "flag", status anyOf ["completed"]', ['shop']],
    ]
    for (const [filter, expected] of filters)
      expect([filter, await listDescriptions(filter)]).toEqual([filter, expected])
  })

  it('evaluates reviews with the current settings of each environment', async () => {
    const { found: listDescriptions, settings, review, made: idByDescription } = await manyRequests()
    await settings({ minNumApprovals: 2 })
    expect(await listDescriptions('reviewStatus anyOf [approved]')).toEqual(['shop'])
    expect(await listDescriptions('reviewStatus anyOf [pending], projectKey equals web')).toContain('by bob')
    await review(idByDescription['by bob'] as string, 'approve', person('dan'))
    await review(idByDescription.later as string, 'approve')
    expect(await listDescriptions('reviewStatus anyOf [approved]')).toEqual(['shop', 'later', 'by bob'])
    await settings({ resourceKind: 'segment', required: true, minNumApprovals: 3 })
    await review(idByDescription.segment as string, 'approve')
    expect(await listDescriptions('reviewStatus anyOf [approved]')).not.toContain('segment')
  })

  it('agrees with the reviewStatus of each request', async () => {
    const { settings, api, as } = await manyRequests()
    await settings({ minNumApprovals: 2 })
    for (const status of ['approved', 'declined', 'pending']) {
      const { items } = await api.listApprovalRequests({ filter: `reviewStatus anyOf [${status}]` }, { as })
      expect(items.length).toBeGreaterThan(0)
      expect(new Set(items.map(({ reviewStatus }) => reviewStatus))).toEqual(new Set([status]))
    }
  })

  it('contains and counts only requests that the caller may view', async () => {
    const { found: listDescriptions } = await manyRequests()
    const viewer = (resource: string): As => ({ policy: [allow(['viewProject'], [resource])] })
    expect(await listDescriptions(undefined, viewer('proj/shop'))).toEqual(['shop'])
    expect(await listDescriptions('projectKey equals web', viewer('proj/shop'))).toEqual([])
    expect(await listDescriptions(`resourceId equals "${flagId('f')}"`, viewer('proj/shop'))).toEqual([])
    expect(await listDescriptions(undefined, viewer('proj/none'))).toEqual([])
    expect(await listDescriptions('projectKey equals web | status anyOf [completed]', viewer('proj/shop'))).toEqual([
      'shop',
    ])
  })

  it('has pages of 20 by default and of at most 200', async () => {
    const { api, as } = await manyRequests()
    const first = await api.listApprovalRequests({ limit: 4 }, { as })
    const second = await api.listApprovalRequests({ limit: 4, offset: 4 }, { as })
    expect([first.items.length, second.items.length, first.totalCount]).toEqual([4, 2, 6])
    expect(first._links.next?.href).toBe('/api/v2/approval-requests?limit=4&offset=4')
    const ids = [...first.items, ...second.items].map(({ _id }) => _id)
    expect(new Set(ids).size).toBe(6)
    await api.listApprovalRequests({ limit: 200 }, { as })
    expect(await validationErrorOf(api.listApprovalRequests({ limit: 201 }, { as }))).toMatchObject({
      attribute: 'limit',
    })
  })

  it('of a flag is limited to one environment', async () => {
    const { api, as } = await manyRequests()
    const list = async (environmentKey: string, filter?: string) => {
      const params = { projectKey: 'web', flagKey: 'f', environmentKey, ...(filter ? { filter } : {}) }
      return (await api.listApprovalRequestsForFlag(params, { as })).items.map(({ description }) => description)
    }
    expect(await list('production')).toEqual(['by bob', 'plain'])
    expect(await list('test')).toEqual(['later'])
    expect(await list('production', 'reviewStatus anyOf [approved]')).toEqual(['by bob'])
  })

  it('contains the conflicts of each request', async () => {
    const { api, as, instruct, find, made: idByDescription } = await manyRequests()
    await instruct('g', [turnOn])
    const { items } = await api.listApprovalRequests({}, { as })
    const conflicted = items.filter(({ conflicts }) => conflicts.length > 0)
    expect(conflicted.map(({ description }) => description)).toEqual(['for the owner'])
    expect(conflicted[0]).toEqual(await find(idByDescription['for the owner'] as string))
  })

  const fields = 'notifyMemberIds, requestorId, resourceId, resourceKind, reviewStatus, status, projectKey'

  it.each([
    ['status', 'column 7: must be one of equals, notEquals, anyOf, contains, startsWith, exists'],
    ['nothing equals x', `column 1: must be one of ${fields}`],
    ['status anyOf [failed], constructor equals x', `column 24: must be one of ${fields}`],
    ['status equals pending', 'column 8: must be anyOf'],
    ['status anyOf [open]', 'column 14: must be one of pending, scheduled, failed, completed'],
    ['reviewStatus anyOf ["open"]', 'column 20: must be one of approved, declined, pending'],
    ['resourceKind equals role', 'column 21: must be one of flag, segment, aiConfig'],
    ['projectKey equals web status', 'column 23: must be ",", "|" or the end'],
    ['__proto__ equals x', 'column 1: must be the name of a field or "("'],
    ['x'.repeat(2001), 'column 2001: must be the end: a filter has at most 2000 characters'],
  ])('rejects the filter %.40s', async (filter, reason) => {
    const { api, as } = await approvalProject()
    expect(await validationErrorOf(api.listApprovalRequests({ filter }, { as }))).toEqual({
      attribute: 'filter',
      reason,
    })
  })

  it('reports every invalid field', async () => {
    const { api, as } = await approvalProject()
    const filter = 'colour equals red | status equals failed'
    await expect(api.listApprovalRequests({ filter }, { as })).rejects.toMatchObject({
      errors: [
        { attribute: 'filter', reason: `column 1: must be one of ${fields}` },
        { attribute: 'filter', reason: 'column 28: must be anyOf' },
      ],
    })
  })
})
