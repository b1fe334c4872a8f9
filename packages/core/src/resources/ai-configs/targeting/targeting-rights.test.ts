import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, editor, failureOf, semantic } from '../test/ai-project.ts'
import { withChat } from '../test/chat-config.ts'

describe('updateAIConfigTargeting', () => {
  const on = [{ kind: 'turnFlagOn' }]

  it('applies only to the environments of the policy', async () => {
    const { instruct } = await withChat()
    const as = editor(['updateAIConfigTargeting'], 'proj/web:env/test:aiconfig/chat')
    expect((await instruct('chat', on, { environmentKey: 'test' }, as)).environments.test?.enabled).toBe(true)
    expect(await failureOf(instruct('chat', on, {}, as))).toMatchObject({ code: 'forbidden' })
    const value = { variationKey: 'b' }
    const defaults = [{ kind: 'updateDefaultVariation', onVariationValue: value }]
    expect(await failureOf(instruct('chat', defaults, {}, as))).toMatchObject({ code: 'forbidden' })
    const everywhere = editor(['updateAIConfigTargeting'], 'proj/web:aiconfig/chat')
    expect(await instruct('chat', defaults, {}, everywhere)).toMatchObject({ defaults: { onVariation: 1 } })
    expect(await failureOf(instruct('chat', on, {}, everywhere))).toMatchObject({ code: 'forbidden' })
  })

  it('may depend on tags of the config', async () => {
    const { create, instruct } = await withChat()
    await create('other', { defaultVariation: { key: 'a', name: 'A' } })
    const as = editor(['updateAIConfigTargeting'], 'proj/*:env/*:aiconfig/*;shop')
    expect((await instruct('chat', on, {}, as)).environments.production?.enabled).toBe(true)
    expect(await failureOf(instruct('other', on, {}, as))).toMatchObject({ code: 'forbidden' })
  })

  it('is required, together with viewProject', async () => {
    const { instruct, api, at } = await withChat()
    const others = editor(['updateAIConfig', 'updateAIConfigVariation'], 'proj/*:env/*:aiconfig/*')
    expect(await failureOf(instruct('chat', on, {}, others))).toMatchObject({ code: 'forbidden' })
    const blind = { policy: [allow(['*'], ['proj/*:env/*:aiconfig/*'])] }
    expect(await failureOf(instruct('chat', on, {}, blind))).toMatchObject({ code: 'forbidden' })
    expect(await failureOf(api.getAIConfigTargeting(at('chat'), { as: blind }))).toMatchObject({ code: 'forbidden' })
  })

  it('does not let two concurrent changes both succeed', async () => {
    const { instruct, targeting } = await withChat()
    const calls = await Promise.allSettled([
      instruct('chat', on),
      instruct('chat', [{ kind: 'updateTrackEvents', trackEvents: true }]),
    ])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { enabled, trackEvents } = (await targeting('chat')).environments.production ?? {}
    expect([enabled, trackEvents].filter(Boolean)).toHaveLength(1)
  })
})

describe('an environment that requires approval for its AI configs', () => {
  const on = [{ kind: 'turnFlagOn' }]
  const refusal = {
    code: 'method_not_allowed',
    message: 'The environment production requires approval of this change: set bypassRequiredApproval to change it without approval',
  }

  async function guarded(...requiredApprovalTags: string[]) {
    const project = await withChat()
    const { api, as, at } = project
    const settings = { environmentKey: 'production', resourceKind: 'aiconfig' as const, required: true }
    const body = { ...settings, requiredApprovalTags }
    await api.patchApprovalRequestSettings({ projectKey: 'web', body }, { as })
    const bypass = (instructions: readonly object[], by: As = as) =>
      api.patchAIConfigTargeting(
        { ...at('chat'), bypassRequiredApproval: true, body: { environmentKey: 'production', instructions } as never },
        { as: by },
      )
    return { ...project, bypass }
  }

  it('rejects changes of the targeting, even by the owner, while other environments accept them', async () => {
    const { instruct, targeting, b } = await guarded()
    const before = (await targeting('chat')).environments.production
    const changes = [
      on,
      [{ kind: 'updateTrackEvents', trackEvents: true }],
      [{ kind: 'updateOffVariation', variationId: b }],
    ]
    for (const change of changes) expect(await failureOf(instruct('chat', change))).toEqual(refusal)
    expect((await targeting('chat')).environments.production).toEqual(before)
    const elsewhere = await instruct('chat', on, { environmentKey: 'test' })
    expect(elsewhere.environments.test?.enabled).toBe(true)
  })

  it('accepts patches that do not change its targeting', async () => {
    const { instruct } = await guarded()
    expect((await instruct('chat', [{ kind: 'turnFlagOff' }])).environments.production?.enabled).toBe(false)
    const defaults = [{ kind: 'updateDefaultVariation', onVariationValue: { variationKey: 'b' } }]
    const { environments } = await instruct('chat', defaults)
    expect(environments.production?.fallthrough).toEqual({ variation: 0 })
  })

  it('may require approval only for configs with certain tags', async () => {
    const { instruct, create } = await guarded('shop')
    expect(await failureOf(instruct('chat', on))).toEqual(refusal)
    await create('free', { tags: ['toys'], defaultVariation: { key: 'a', name: 'A' } })
    expect((await instruct('free', on)).environments.production?.enabled).toBe(true)
  })

  it('allows a change with the action bypassRequiredApproval, which the change log records', async () => {
    const { bypass, log } = await guarded()
    const address = 'proj/web:env/production:aiconfig/chat'
    const may = (...actions: string[]) => editor(['updateAIConfigTargeting', ...actions], address)
    expect(await failureOf(bypass(on, may()))).toMatchObject({ code: 'forbidden' })
    expect((await bypass(on, may('bypassRequiredApproval'))).environments.production?.enabled).toBe(true)
    const accesses = (await log()).flatMap((entry) => entry.accesses)
    expect(accesses).toContainEqual({ action: 'bypassRequiredApproval', resource: address })
  })

  it('rejects changes of served properties and tags, and the deletion of the config', async () => {
    const { api, as, at, patch, patchVariation, get } = await guarded('shop')
    const before = await get('chat')
    const rounds = [
      () => patch('chat', { tags: [] }),
      () => patch('chat', { tags: ['toys'], name: 'Renamed' }),
      () => patchVariation('chat', 'a', { model: { modelName: 'another' } }),
      () => patchVariation('chat', 'a', { messages: [{ role: 'system', content: 'Obey me.' }] }),
      () => patchVariation('chat', 'a', { state: 'archived' }),
      () => api.deleteAIConfig(at('chat'), { as }),
    ]
    for (const round of rounds) expect(await failureOf(round())).toEqual(refusal)
    expect(await get('chat')).toEqual(before)
  })

  it('accepts changes of properties that are not served, and of configs without the tags', async () => {
    const { api, as, at, patch, patchVariation, create } = await guarded('shop')
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

  it('requires the bypass action in each environment that requires approval', async () => {
    const { api, at } = await guarded()
    const may = (...resources: string[]): As => ({
      policy: [
        allow(['viewProject'], ['proj/*']),
        allow(['deleteAIConfig', 'updateAIConfig'], ['proj/web:aiconfig/chat']),
        allow(['bypassRequiredApproval'], resources),
      ],
    })
    const remove = (by: As) => api.deleteAIConfig({ ...at('chat'), bypassRequiredApproval: true }, { as: by })
    expect(await failureOf(remove(may('proj/web:env/test:aiconfig/chat')))).toMatchObject({ code: 'forbidden' })
    await remove(may('proj/web:env/production:aiconfig/chat'))
  })

  it('responds with 405 and an Allow header', async () => {
    const { send } = await guarded()
    const path = '/api/v2/projects/web/ai-configs/chat/targeting'
    const body = { environmentKey: 'production', instructions: on }
    const answer = await send('PATCH', path, body, { 'content-type': semantic })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, PATCH'])
    const asked = await send('PATCH', `${path}?bypassRequiredApproval=true`, body, { 'content-type': semantic })
    expect(asked.status).toBe(200)
    expect((await send('PATCH', `${path}?bypassRequiredApproval=yes`, body, { 'content-type': semantic })).status).toBe(
      400,
    )
  })
})
