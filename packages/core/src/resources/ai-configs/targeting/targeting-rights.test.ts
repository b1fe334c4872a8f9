import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, editor, failureOf, semanticPatchType } from '../test/ai-project.ts'
import { withChat } from '../test/chat-config.ts'

describe('the action updateAIConfigTargeting', () => {
  const turnOn = [{ kind: 'turnFlagOn' }]

  it('applies only to the environments of the policy', async () => {
    const { instruct } = await withChat()
    const as = editor(['updateAIConfigTargeting'], 'proj/web:env/test:aiconfig/chat')
    expect((await instruct('chat', turnOn, { environmentKey: 'test' }, as)).environments.test?.enabled).toBe(true)
    expect(await failureOf(instruct('chat', turnOn, {}, as))).toMatchObject({ code: 'forbidden' })
    const value = { variationKey: 'b' }
    const defaults = [{ kind: 'updateDefaultVariation', onVariationValue: value }]
    expect(await failureOf(instruct('chat', defaults, {}, as))).toMatchObject({ code: 'forbidden' })
    const everywhere = editor(['updateAIConfigTargeting'], 'proj/web:aiconfig/chat')
    expect(await instruct('chat', defaults, {}, everywhere)).toMatchObject({ defaults: { onVariation: 1 } })
    expect(await failureOf(instruct('chat', turnOn, {}, everywhere))).toMatchObject({ code: 'forbidden' })
  })

  it('may depend on tags of the config', async () => {
    const { create, instruct } = await withChat()
    await create('other', { defaultVariation: { key: 'a', name: 'A' } })
    const as = editor(['updateAIConfigTargeting'], 'proj/*:env/*:aiconfig/*;shop')
    expect((await instruct('chat', turnOn, {}, as)).environments.production?.enabled).toBe(true)
    expect(await failureOf(instruct('other', turnOn, {}, as))).toMatchObject({ code: 'forbidden' })
  })

  it('is required, together with viewProject', async () => {
    const { instruct, api, at } = await withChat()
    const otherActions = editor(['updateAIConfig', 'updateAIConfigVariation'], 'proj/*:env/*:aiconfig/*')
    expect(await failureOf(instruct('chat', turnOn, {}, otherActions))).toMatchObject({ code: 'forbidden' })
    const callerWithoutView = { policy: [allow(['*'], ['proj/*:env/*:aiconfig/*'])] }
    expect(await failureOf(instruct('chat', turnOn, {}, callerWithoutView))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(api.getAIConfigTargeting(at('chat'), { as: callerWithoutView }))).toMatchObject({
      code: 'forbidden',
    })
  })

  it('lets two concurrent changes of different parts both succeed', async () => {
    const { instruct, targeting } = await withChat()
    await Promise.all([instruct('chat', turnOn), instruct('chat', [{ kind: 'updateTrackEvents', trackEvents: true }])])
    const { enabled, trackEvents } = (await targeting('chat')).environments.production ?? {}
    expect([enabled, trackEvents]).toEqual([true, true])
  })
})

describe('an environment that requires approval for its AI configs', () => {
  const turnOn = [{ kind: 'turnFlagOn' }]
  const refusalNaming = (alternative: string) => ({
    code: 'method_not_allowed',
    message: `The environment production requires approval of this change: ${alternative}`,
  })
  const refusal = refusalNaming('create an approval request')

  async function withRequiredApproval(...requiredApprovalTags: string[]) {
    const project = await withChat()
    const { api, as, at } = project
    const settings = { environmentKey: 'production', resourceKind: 'aiconfig' as const, required: true }
    const body = { ...settings, requiredApprovalTags }
    await api.patchApprovalRequestSettings({ projectKey: 'web', body }, { as })
    const bypass = (instructions: readonly object[], caller: As = as) =>
      api.patchAIConfigTargeting(
        { ...at('chat'), bypassRequiredApproval: true, body: { environmentKey: 'production', instructions } as never },
        { as: caller },
      )
    return { ...project, bypass }
  }

  it('rejects changes of the targeting, even by the owner, while other environments accept them', async () => {
    const { instruct, targeting, b } = await withRequiredApproval()
    const before = (await targeting('chat')).environments.production
    const changes = [
      turnOn,
      [{ kind: 'updateTrackEvents', trackEvents: true }],
      [{ kind: 'updateOffVariation', variationId: b }],
    ]
    for (const change of changes) expect(await failureOf(instruct('chat', change))).toEqual(refusal)
    expect((await targeting('chat')).environments.production).toEqual(before)
    const elsewhere = await instruct('chat', turnOn, { environmentKey: 'test' })
    expect(elsewhere.environments.test?.enabled).toBe(true)
  })

  it('accepts patches that do not change its targeting', async () => {
    const { instruct } = await withRequiredApproval()
    expect((await instruct('chat', [{ kind: 'turnFlagOff' }])).environments.production?.enabled).toBe(false)
    const defaults = [{ kind: 'updateDefaultVariation', onVariationValue: { variationKey: 'b' } }]
    const { environments } = await instruct('chat', defaults)
    expect(environments.production?.fallthrough).toEqual({ variation: 0 })
  })

  it('may require approval only for configs with certain tags', async () => {
    const { instruct, create } = await withRequiredApproval('shop')
    expect(await failureOf(instruct('chat', turnOn))).toEqual(refusal)
    await create('free', { tags: ['toys'], defaultVariation: { key: 'a', name: 'A' } })
    expect((await instruct('free', turnOn)).environments.production?.enabled).toBe(true)
  })

  it('allows a change with the action bypassRequiredApproval, which the change log records', async () => {
    const { bypass, log } = await withRequiredApproval()
    const address = 'proj/web:env/production:aiconfig/chat'
    const callerWith = (...actions: string[]) => editor(['updateAIConfigTargeting', ...actions], address)
    expect(await failureOf(bypass(turnOn, callerWith()))).toMatchObject({ code: 'forbidden' })
    expect((await bypass(turnOn, callerWith('bypassRequiredApproval'))).environments.production?.enabled).toBe(true)
    const accesses = (await log()).flatMap((entry) => entry.accesses)
    expect(accesses).toContainEqual({ action: 'bypassRequiredApproval', resource: address })
  })

  it('rejects changes of served properties and tags, and the deletion of the config', async () => {
    const { api, as, at, patch, patchVariation, get } = await withRequiredApproval('shop')
    const before = await get('chat')
    const changes = [
      () => patch('chat', { tags: [] }),
      () => patch('chat', { tags: ['toys'], name: 'Renamed' }),
      () => patchVariation('chat', 'a', { model: { modelName: 'another' } }),
      () => patchVariation('chat', 'a', { messages: [{ role: 'system', content: 'Obey me.' }] }),
      () => patchVariation('chat', 'a', { state: 'archived' }),
    ]
    const inContents = refusalNaming('create an approval request for proj/web:aiconfig/chat')
    for (const change of changes) expect(await failureOf(change())).toEqual(inContents)
    const inDeletion = refusalNaming('set bypassRequiredApproval to delete it without approval')
    expect(await failureOf(api.deleteAIConfig(at('chat'), { as }))).toEqual(inDeletion)
    expect(await get('chat')).toEqual(before)
  })

  it('accepts changes of properties that are not served, and of configs without the tags', async () => {
    const { api, as, at, patch, patchVariation, create } = await withRequiredApproval('shop')
    expect(await patch('chat', { name: 'Renamed', tags: ['shop', 'more'] })).toMatchObject({ name: 'Renamed' })
    expect(await patchVariation('chat', 'a', { name: 'First', description: 'the old one' })).toMatchObject({
      name: 'First',
    })
    await create('free', { tags: ['toys'], defaultVariation: { key: 'a', name: 'A' } })
    await patchVariation('free', 'a', { model: { modelName: 'another' } })
    await patch('free', { tags: [] })
    await api.deleteAIConfig(at('free'), { as })
    expect(await failureOf(api.getAIConfig(at('free'), { as }))).toMatchObject({ code: 'not_found' })
  })

  it('allows the deletion of a config with the bypass action in this environment, but not with the action in another one', async () => {
    const { api, at } = await withRequiredApproval()
    const callerWith = (...resources: string[]): As => ({
      policy: [
        allow(['viewProject'], ['proj/*']),
        allow(['deleteAIConfig', 'updateAIConfig'], ['proj/web:aiconfig/chat']),
        allow(['bypassRequiredApproval'], resources),
      ],
    })
    const remove = (caller: As) => api.deleteAIConfig({ ...at('chat'), bypassRequiredApproval: true }, { as: caller })
    expect(await failureOf(remove(callerWith('proj/web:env/test:aiconfig/chat')))).toMatchObject({ code: 'forbidden' })
    await remove(callerWith('proj/web:env/production:aiconfig/chat'))
  })

  it('rejects changes with status 405 and an Allow header', async () => {
    const { send } = await withRequiredApproval()
    const path = '/api/v2/projects/web/ai-configs/chat/targeting'
    const body = { environmentKey: 'production', instructions: turnOn }
    const response = await send('PATCH', path, body, { 'content-type': semanticPatchType })
    expect([response.status, response.headers.allow]).toEqual([405, 'GET, PATCH'])
    const bypassed = await send('PATCH', `${path}?bypassRequiredApproval=true`, body, {
      'content-type': semanticPatchType,
    })
    expect(bypassed.status).toBe(200)
    expect(
      (await send('PATCH', `${path}?bypassRequiredApproval=yes`, body, { 'content-type': semanticPatchType })).status,
    ).toBe(400)
  })
})
