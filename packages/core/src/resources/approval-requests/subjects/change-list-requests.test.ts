import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, failureOf, person } from '../test/approval-project.ts'
import { protectedProject } from '../test/protected-project.ts'

const project = 'proj/web'
const web = { projectKey: 'web' }

/** Returns an instruction that calls `patchFlag`. */
const patch = (flagKey: string, body: object, parameters: object = {}) => ({
  kind: 'applyChange',
  operation: 'patchFlag',
  parameters: { ...web, flagKey, ...parameters },
  body,
})
const turnOn = (flagKey: string) =>
  patch(flagKey, { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] })
const create = (key: string) => ({
  kind: 'applyChange',
  operation: 'createFlag',
  parameters: web,
  body: { key, name: key },
})

/** Creates the flags `a` and `b` in a project whose environment production requires approval. */
async function guardedFlags() {
  const guarded = await protectedProject()
  await guarded.create('a')
  await guarded.create('b')
  await guarded.guard()
  const entries = async () => (await guarded.api.listChangeLog({ limit: 100 }, { as: guarded.as })).items
  const states = () => Promise.all([guarded.isOn('a'), guarded.isOn('b')])
  return { ...guarded, entries, states }
}

describe('an approval request for a list of changes', () => {
  it('applies all changes as one commit when it is approved, each with an entry', async () => {
    const { request, review, apply, find, states, entries, get } = await guardedFlags()
    const { _id, resourceId } = await request(project, [turnOn('a'), create('c'), turnOn('c'), turnOn('b')])
    expect(resourceId).toBe(project)
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
    expect(await states()).toEqual([false, false])
    await review(_id, 'approve')
    const before = (await entries()).length
    expect(await apply(_id)).toMatchObject({ status: 'completed' })
    expect(await states()).toEqual([true, true])
    expect((await get('c')).environments?.production?.on).toBe(true)
    expect((await entries()).length).toBe(before + 5)
    expect((await find(_id)).status).toBe('completed')
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
  })

  it('changes nothing, and stays open, when one change is refused', async () => {
    const { request, review, apply, find, states, entries, api, as } = await guardedFlags()
    const test = patch('b', [
      { op: 'test', path: '/name', value: 'b' },
      { op: 'replace', path: '/name', value: 'B' },
    ])
    const { _id } = await request(project, [turnOn('a'), test])
    await review(_id, 'approve')
    await api.patchFlag({ ...web, flagKey: 'b', body: [{ op: 'replace', path: '/name', value: 'other' }] }, { as })
    const before = (await entries()).length
    const failure = await failureOf(apply(_id))
    expect(failure.message).toContain('changes.1 (patchFlag)')
    expect([await states(), (await entries()).length]).toEqual([[false, false], before])
    expect((await find(_id)).status).toBe('pending')
  })

  it('is refused, and not stored, when a change cannot be made', async () => {
    const { request, api, as } = await guardedFlags()
    expect(await failureOf(request(project, [turnOn('a'), turnOn('missing')]))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(request(project, [{ ...turnOn('a'), operation: 'applyChanges' }]))).toMatchObject({
      errors: [{ attribute: 'changes.0.operation' }],
    })
    const time = { executionDate: Date.UTC(2100, 0, 1) }
    expect(await failureOf(request(project, [turnOn('a')], time))).toMatchObject({
      errors: [{ attribute: 'executionDate' }],
    })
    expect((await api.listApprovalRequests({}, { as })).items).toEqual([])
  })

  it('approves changes of its project only', async () => {
    const { request, review, apply, api, as } = await guardedFlags()
    await api.createProject({ body: { key: 'shop', name: 'Shop' } }, { as })
    await api.createFlag({ projectKey: 'shop', body: { key: 'a', name: 'A' } }, { as })
    const settings = { environmentKey: 'production', required: true }
    const elsewhere = { ...turnOn('a'), parameters: { projectKey: 'shop', flagKey: 'a' } }
    const { _id } = await request(project, [elsewhere])
    await api.patchApprovalRequestSettings({ projectKey: 'shop', body: settings as never }, { as })
    await review(_id, 'approve')
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'method_not_allowed' })
  })

  it('needs as many approvals as the strictest environment, and only from people other than the author', async () => {
    const { request, review, apply, settings, states } = await guardedFlags()
    await settings({ minNumApprovals: 2 })
    const { _id } = await request(project, [turnOn('a')], {}, person('ann'))
    expect(await failureOf(review(_id, 'approve', person('ann')))).toMatchObject({ code: 'invalid_request' })
    await review(_id, 'approve', person('bob'))
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
    await review(_id, 'approve', person('cleo'))
    await apply(_id)
    expect(await states()).toEqual([true, false])
  })

  it('is applied with the rights of the caller who applies it', async () => {
    const { request, review, apply, states } = await guardedFlags()
    const limited: As = {
      policy: [
        allow(['viewProject', 'applyApprovalRequest'], [project]),
        allow(['updateOn'], ['proj/web:env/*:flag/a']),
      ],
      name: 'limited',
      memberId: 'dan',
    }
    const { _id } = await request(project, [turnOn('a'), turnOn('b')])
    await review(_id, 'approve')
    expect(await failureOf(apply(_id, undefined, limited))).toMatchObject({ code: 'forbidden' })
    expect(await states()).toEqual([false, false])
  })

  it('has a review status by which lists can filter', async () => {
    const { request, review, settings, api, as } = await guardedFlags()
    await settings({ minNumApprovals: 2 })
    const { _id } = await request(project, [turnOn('a')])
    const idsOf = async (status: string) =>
      (await api.listApprovalRequests({ filter: `reviewStatus anyOf ["${status}"]` }, { as })).items.map(
        (each) => each._id,
      )
    await review(_id, 'approve')
    expect([await idsOf('approved'), await idsOf('pending')]).toEqual([[], [_id]])
    await review(_id, 'approve', person('cleo'))
    expect([await idsOf('approved'), await idsOf('pending')]).toEqual([[_id], []])
  })
})
