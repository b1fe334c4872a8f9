import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, approvalProject, failureOf, person, start } from '../test/approval-project.ts'

const targetingId = 'proj/web:env/production:aiconfig/chat'
const contentsId = 'proj/web:aiconfig/chat'
const config = { projectKey: 'web', configKey: 'chat' }
const model = { name: 'large' }
const changeModel = { kind: 'updateAIConfigVariation', variationKey: 'short', model }

/** Makes a project with the AI config `chat`, whose changes in production require approval. */
async function configProject(settings: object = {}) {
  const project = await approvalProject()
  const { api, as } = project
  const variation = (key: string) => ({ key, name: key, model: { name: 'small' } })
  await api.createAIConfig(
    { projectKey: 'web', body: { key: 'chat', name: 'Chat', tags: ['shop'], defaultVariation: variation('short') } },
    { as },
  )
  await api.createAIConfigVariation({ ...config, body: variation('long') }, { as })
  const guard = (changes: object) => project.settings({ resourceKind: 'aiconfig', required: true, ...changes })
  await guard(settings)
  return {
    ...project,
    guard,
    config: () => api.getAIConfig(config, { as }),
    modelOf: async (variationKey: string) => {
      const { variations } = await api.getAIConfig(config, { as })
      return variations.find(({ key }) => key === variationKey)?.model
    },
    isOn: async () => (await api.getAIConfigTargeting(config, { as })).environments.production?.enabled,
    patchTargeting: (instructions: readonly object[]) => {
      const body = { environmentKey: 'production', instructions } as never
      return api.patchAIConfigTargeting({ ...config, body, bypassRequiredApproval: true }, { as })
    },
    patchModel: (bypassRequiredApproval = true) =>
      api.patchAIConfigVariation(
        { ...config, variationKey: 'short', body: { model: { name: 'other' } }, bypassRequiredApproval },
        { as },
      ),
  }
}

describe('a request about the targeting of an AI config', () => {
  it('is reviewed and applied, and is about one environment', async () => {
    const { request, review, apply, find, isOn } = await configProject()
    const { _id, resourceId, _links } = await request(targetingId)
    expect(resourceId).toBe(targetingId)
    expect(_links.aiconfig).toMatchObject({ href: '/api/v2/projects/web/ai-configs/chat' })
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
    await review(_id, 'approve')
    expect(await apply(_id)).toMatchObject({ status: 'completed', appliedByMemberId: expect.any(String) })
    expect(await isOn()).toBe(true)
    expect((await find(_id, { expand: 'environments' })).environments?.map(({ key }) => key)).toEqual(['production'])
  })

  it('is rejected when an instruction cannot be applied', async () => {
    const { request } = await configProject()
    const unknown = [{ kind: 'updateOffVariation', variationId: 'none' }]
    expect(await failureOf(request(targetingId, unknown))).toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: expect.stringMatching(/^instructions.0/) }],
    })
    expect(await failureOf(request(targetingId, [changeModel]))).toMatchObject({ code: 'invalid_request' })
    expect(await failureOf(request('proj/web:env/production:aiconfig/none'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(request('proj/web:env/none:aiconfig/chat'))).toMatchObject({ code: 'not_found' })
  })

  it('is in conflict once another call has changed the same part', async () => {
    const { request, review, apply, find, api, as } = await configProject()
    const { _id } = await request(targetingId)
    await review(_id, 'approve')
    const turnOn = { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] } as const
    await api.patchAIConfigTargeting({ ...config, bypassRequiredApproval: true, body: turnOn }, { as })
    const reason = 'on has changed since the request was made'
    expect((await find(_id)).conflicts).toEqual([{ instruction: { kind: 'turnFlagOn' }, reason }])
    expect(await failureOf(apply(_id))).toMatchObject({ errors: [{ attribute: 'instructions.0', reason }] })
  })

  it('does not approve a change in another environment', async () => {
    const { request, review, apply, settings } = await configProject({ required: false })
    await settings({ environmentKey: 'test', resourceKind: 'aiconfig', required: true, minNumApprovals: 2 })
    const { _id } = await request('proj/web:env/test:aiconfig/chat')
    await review(_id, 'approve')
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
    await review(_id, 'approve', person('eve'))
    await apply(_id)
  })
})

describe('a request about the contents of an AI config', () => {
  it('changes variations and the config in all environments', async () => {
    const { request, review, apply, find, modelOf, config } = await configProject()
    const removeTags = { kind: 'updateAIConfig', tags: [], name: 'Talk' }
    const { _id, resourceId } = await request(contentsId, [
      changeModel,
      removeTags,
      { ...changeModel, variationKey: 'long' },
    ])
    expect(resourceId).toBe(contentsId)
    await review(_id, 'approve')
    const before = await config()
    await apply(_id)
    const after = await config()
    expect([await modelOf('short'), await modelOf('long')]).toEqual([model, model])
    expect(after).toMatchObject({ name: 'Talk', tags: [], version: before.version + 1 })
    expect(after.variations.map(({ version }) => version)).toEqual([2, 2])
    const { environments } = await find(_id, { expand: 'environments' })
    expect(environments?.map(({ key }) => key)).toEqual(['production', 'test'])
  })

  it('needs the approvals of the strictest environment that requires any', async () => {
    const { request, review, apply, settings, find } = await configProject({ canReviewOwnRequest: true })
    const { _id } = await request(contentsId, [changeModel], {}, person('bob'))
    await settings({ environmentKey: 'test', resourceKind: 'aiconfig', required: true, minNumApprovals: 3 })
    expect(await find(_id)).toMatchObject({ approvalSettings: { minNumApprovals: 3, canReviewOwnRequest: false } })
    expect(await failureOf(review(_id, 'approve', person('bob')))).toMatchObject({ code: 'invalid_request' })
    for (const reviewer of ['eve', 'dan']) await review(_id, 'approve', person(reviewer))
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
    await review(_id, 'approve', person('ann'))
    await apply(_id)
  })

  it('is rejected with the invalid property of the instruction', async () => {
    const { request } = await configProject()
    const rejected = async (...instructions: object[]) => (await failureOf(request(contentsId, instructions))).errors
    expect(await rejected({ ...changeModel, variationKey: 'none' })).toEqual([
      { attribute: 'instructions.0.variationKey', reason: 'must be the key of a variation of the AI config' },
    ])
    expect(await rejected(changeModel, { kind: 'updateAIConfig', maintainerId: 'nobody' })).toMatchObject([
      { attribute: 'instructions.1.maintainerId' },
    ])
    expect(await rejected({ ...changeModel, variationKey: 'long', modelConfigKey: 'none' })).toMatchObject([
      { attribute: 'instructions.0.modelConfigKey' },
    ])
    expect(await rejected(changeModel, changeModel)).toMatchObject([{ attribute: 'instructions' }])
    expect(await rejected({ kind: 'turnFlagOn' })).toMatchObject([{ attribute: 'instructions.0.kind' }])
  })

  it('is in conflict once its variation has changed, but not when another variation has', async () => {
    const { request, review, apply, find, patchModel } = await configProject()
    const short = await request(contentsId, [changeModel])
    const long = await request(contentsId, [{ ...changeModel, variationKey: 'long' }])
    for (const { _id } of [short, long]) await review(_id, 'approve')
    await patchModel()
    expect((await find(short._id)).conflicts).toMatchObject([
      { reason: 'variation short has changed since the request was made' },
    ])
    expect((await find(long._id)).conflicts).toEqual([])
    expect(await failureOf(apply(short._id))).toMatchObject({ code: 'invalid_request' })
    await apply(long._id)
  })

  it('is applied by a task at its execution date, with the rights of its author', async () => {
    const { request, review, engine, pass, modelOf, find } = await configProject()
    const { _id } = await request(contentsId, [changeModel], { executionDate: start + 1_000 })
    await review(_id, 'approve')
    await engine.runDueTasks()
    expect(await modelOf('short')).toEqual({ name: 'small' })
    pass(2_000)
    await engine.runDueTasks()
    expect(await modelOf('short')).toEqual(model)
    expect(await find(_id)).toMatchObject({ status: 'completed' })
  })

  it('is applied after the last approval when every environment that requires approval applies changes by itself', async () => {
    const automatic = { minNumApprovals: 1, autoApplyApprovedChanges: true }
    const { request, review, engine, modelOf, settings } = await configProject(automatic)
    const first = await request(contentsId, [changeModel])
    await review(first._id, 'approve')
    await engine.runDueTasks()
    expect(await modelOf('short')).toEqual(model)
    await settings({ environmentKey: 'test', resourceKind: 'aiconfig', required: true })
    const second = await request(contentsId, [{ ...changeModel, model: { name: 'huge' } }])
    await review(second._id, 'approve')
    await engine.runDueTasks()
    expect(await modelOf('short')).toEqual(model)
  })

  it('can be changed and applied only by callers with the required rights', async () => {
    const { request, review, apply } = await configProject()
    const withRights = (actions: readonly string[], resource: string): As => ({
      policy: [allow(['viewProject'], ['proj/web']), allow([...actions], [resource])],
      memberId: 'cleo',
    })
    const author = withRights(['createApprovalRequest'], contentsId)
    const elsewhere = withRights(['createApprovalRequest'], targetingId)
    expect(await failureOf(request(contentsId, [changeModel], {}, elsewhere))).toMatchObject({ code: 'forbidden' })
    const { _id } = await request(contentsId, [changeModel], {}, author)
    await review(_id, 'approve')
    const withoutChange = withRights(['applyApprovalRequest'], contentsId)
    expect(await failureOf(apply(_id, undefined, withoutChange))).toMatchObject({ code: 'forbidden' })
    await apply(_id, undefined, withRights(['applyApprovalRequest', 'updateAIConfigVariation'], contentsId))
  })
})

describe('requests about an AI config', () => {
  it('are listed by resource, kind and review status', async () => {
    const { request, review, api, as } = await configProject({ minNumApprovals: 2 })
    const targeting = await request(targetingId)
    const contents = await request(contentsId, [changeModel])
    await review(contents._id, 'approve')
    const listed = async (filter: string): Promise<readonly string[]> => {
      const { items } = await api.listApprovalRequests({ filter } as never, { as })
      return items.map(({ _id }) => _id).sort()
    }
    const both = [targeting._id, contents._id].sort()
    expect(await listed('resourceKind equals aiConfig')).toEqual(both)
    expect(await listed(`resourceId equals "${targetingId}"`)).toEqual([targeting._id])
    expect(await listed(`resourceId equals "${contentsId}"`)).toEqual([contents._id])
    expect(await listed('reviewStatus anyOf [pending]')).toEqual(both)
    await review(contents._id, 'approve', person('eve'))
    expect(await listed('reviewStatus anyOf [approved]')).toEqual([contents._id])
    expect(await listed('projectKey equals web')).toEqual(both)
  })

  it('are deleted with it, and no task remains', async () => {
    const { request, review, find, api, as, engine, pass } = await configProject()
    const scheduled = { executionDate: start + 1_000 }
    const requests = [
      await request(targetingId, undefined, scheduled),
      await request(contentsId, [changeModel], scheduled),
    ]
    for (const { _id } of requests) await review(_id, 'approve')
    await api.deleteAIConfig({ ...config, bypassRequiredApproval: true }, { as })
    for (const { _id } of requests) expect(await failureOf(find(_id))).toMatchObject({ code: 'not_found' })
    pass(2_000)
    expect(await engine.runDueTasks()).toMatchObject({ delivered: 0, failed: 0 })
  })

  it('can be deleted without deleting the config', async () => {
    const { request, remove, find } = await configProject()
    const { _id } = await request(contentsId, [changeModel])
    await remove(_id)
    expect(await failureOf(find(_id))).toMatchObject({ code: 'not_found' })
  })

  it('are simulated; for a request about contents, the caller names the environment', async () => {
    const { request, engine, as, patchTargeting } = await configProject()
    await patchTargeting([{ kind: 'turnFlagOn' }])
    const contexts = [{ kind: 'user', key: 'ann' }]
    const simulate = (approvalRequestId: string, environmentKey?: string) =>
      engine.simulate({ approvalRequestId, contexts, ...(environmentKey && { environmentKey }) }, { as })
    const rejected = async (...input: Parameters<typeof simulate>) => (await failureOf(simulate(...input))).errors
    const targeting = (await request(targetingId, [{ kind: 'turnFlagOff' }]))._id
    expect(await simulate(targeting)).toMatchObject({
      kind: 'aiconfig',
      changed: 1,
      approvals: { environments: ['production'] },
      contexts: [{ after: { value: { _ldMeta: { enabled: false } } } }],
    })
    expect(await rejected(targeting, 'production')).toMatchObject([{ attribute: 'environmentKey' }])
    const contents = (await request(contentsId, [changeModel]))._id
    expect(await simulate(contents, 'production')).toMatchObject({
      changed: 1,
      approvals: { environments: ['production'] },
      contexts: [{ before: { value: { model: { name: 'small' } } }, after: { value: { model } } }],
    })
    expect(await simulate(contents, 'test')).toMatchObject({
      changed: 1,
      contexts: [{ after: { reason: { kind: 'OFF' } } }],
    })
    expect(await rejected(contents)).toMatchObject([{ attribute: 'environmentKey' }])
    const several = (await request(contentsId, [changeModel, { ...changeModel, variationKey: 'long' }]))._id
    expect(await rejected(several, 'production')).toMatchObject([{ attribute: 'approvalRequestId' }])
  })
})
