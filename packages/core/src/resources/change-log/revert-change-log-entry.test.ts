import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { failureOf } from '../account/test/calls.ts'

const as = { role: 'owner' } as const
const flag = { projectKey: 'web', flagKey: 'checkout' }
const link = { key: 'ticket', title: 'Ticket', deepLink: 'https://example.com/1' }
const production = { projectKey: 'web', environmentKey: 'production' }

/** Creates the flag Checkout in the project Web. */
async function shop() {
  let now = Date.UTC(2026, 0, 31, 12)
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => now++ })
  // Cast: tests call operations by their ids, with inputs that the operations validate.
  const api = engine.api as unknown as Readonly<Record<string, (input: object, options: object) => Promise<never>>>
  const call = <T = unknown>(id: string, input: object): Promise<T> => (api[id] as (typeof api)['x'])(input, { as })
  await call('createProject', { body: { key: 'web', name: 'Web' } })
  await call('createFlag', { projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } })
  /** Calls an operation, and returns the id of its entry. */
  async function change(id: string, input: object): Promise<string> {
    await call(id, input)
    const { items } = await call<{ items: readonly { _id: string }[] }>('listChangeLog', { limit: 1 })
    return items[0]?._id ?? ''
  }
  const instruct = (...instructions: object[]) =>
    change('patchFlag', { ...flag, body: { environmentKey: 'production', instructions } })
  const revert = (id: string) => call('revertChangeLogEntry', { id, body: {} })
  return { call, change, instruct, revert }
}

describe('a revert that a later change prevents', () => {
  it("reports the later change, and the changed part in the form of the resource's response", async () => {
    const { call, instruct, revert } = await shop()
    const { variations } = await call<{ variations: readonly { _id: string }[] }>('getFlag', flag)
    const serve = (index: number) => ({ kind: 'updateOffVariation', variationId: variations[index]?._id })
    const first = await instruct(serve(0))
    const second = await instruct(serve(1), { kind: 'updateName', value: 'Pay' })
    const { code, message, conflicts } = await failureOf(revert(first))
    expect(code).toBe('optimistic_locking_error')
    expect(message).toMatch(
      /^A later change prevents this: role\/owner made Checkout in Production serve false while it is off, at 2026-01-31/,
    )
    expect(message).toContain(`(entry ${second})`)
    expect(conflicts).toEqual([{ path: '/environments/production/offVariation', base: 0, yours: 1, theirs: 1 }])
  })

  it('reports properties under their names in responses when they are stored under other names', async () => {
    const { call, change, revert } = await shop()
    await call('createTeam', { body: { key: 'crew', name: 'Crew' } })
    await call('createView', { projectKey: 'web', body: { key: 'mine', name: 'Mine' } })
    const view = { projectKey: 'web', viewKey: 'mine' }
    const first = await change('patchView', { ...view, body: { maintainerTeamKey: 'crew' } })
    await call('createTeam', { body: { key: 'staff', name: 'Staff' } })
    await change('patchView', { ...view, body: { maintainerTeamKey: 'staff' } })
    const { conflicts = [] } = await failureOf(revert(first))
    expect(conflicts.map(({ path }) => path)).toEqual(['/maintainer'])
    expect(conflicts[0]).toMatchObject({ base: { id: 'crew' }, theirs: { id: 'staff' } })
  })

  it('contains no secret of another environment with the same key', async () => {
    const { call, change, revert } = await shop()
    const deletion = await change('deleteEnvironment', production)
    const body = { key: 'production', name: 'Production', color: '000000' }
    const created = await call<{ apiKey: string; mobileKey: string }>('createEnvironment', { projectKey: 'web', body })
    const failure = await failureOf(revert(deletion))
    expect(failure.conflicts).toMatchObject([{ path: '', yours: { key: 'production' }, theirs: { key: 'production' } }])
    for (const secret of [created.apiKey, created.mobileKey]) expect(JSON.stringify(failure)).not.toContain(secret)
  })
})

describe('the revert of a creation', () => {
  it('is refused when parts were added to the resource later, and the message names the parts', async () => {
    const { call, change, revert } = await shop()
    const creation = await change('createFlag', { projectKey: 'web', body: { key: 'pay', name: 'Pay' } })
    await call('createFlagLink', { projectKey: 'web', flagKey: 'pay', body: link })
    const { message } = await failureOf(revert(creation))
    expect(message).toContain('Ticket')
    expect(await call('getFlag', { projectKey: 'web', flagKey: 'pay' })).toMatchObject({ name: 'Pay' })
  })

  it('deletes a release, and leaves the links of its flag', async () => {
    const { call, change, revert } = await shop()
    const phases = [{ name: 'First', audiences: [{ environmentKey: 'production', name: 'All' }] }]
    await call('createReleasePipeline', { projectKey: 'web', body: { key: 'pipe', name: 'Pipe', phases } })
    const release = await change('putRelease', { ...flag, body: { releasePipelineKey: 'pipe' } })
    await call('createFlagLink', { ...flag, body: link })
    await revert(release)
    expect(await failureOf(call('getRelease', flag))).toMatchObject({ code: 'not_found' })
    expect(await call('listFlagLinks', flag)).toMatchObject({ items: [{ title: 'Ticket' }] })
  })
})

describe('the revert of a deletion', () => {
  it('restores a variation whose tool was deleted with it', async () => {
    const { call, change, revert } = await shop()
    await call('createAITool', { projectKey: 'web', body: { key: 'search', schema: {} } })
    await call('createAIConfig', { projectKey: 'web', body: { key: 'chat', name: 'Chat' } })
    const variation = { key: 'short', name: 'Short', messages: [], tools: [{ key: 'search', version: 1 }] }
    await call('createAIConfigVariation', { projectKey: 'web', configKey: 'chat', body: variation })
    const keys = { projectKey: 'web', configKey: 'chat', variationKey: 'short' }
    const before = await call('getAIConfigVariation', keys)
    for (const [remove, input] of [
      ['deleteAITool', { projectKey: 'web', toolKey: 'search', detach: true }],
      ['deleteAIConfig', { projectKey: 'web', configKey: 'chat' }],
      ['deleteProject', { projectKey: 'web' }],
    ] as const) {
      await revert(await change(remove, input))
      const [newest] = (await call<{ items: { tools: unknown }[] }>('getAIConfigVariation', keys)).items
      expect(newest?.tools).toEqual((before as { items: { tools: unknown }[] }).items[0]?.tools)
    }
  })

  it('restores a variation of a model config that was restricted later', async () => {
    const { call, change, revert } = await shop()
    await call('createModelConfig', { projectKey: 'web', body: { key: 'large', name: 'Large', id: 'large' } })
    await call('createAIConfig', { projectKey: 'web', body: { key: 'chat', name: 'Chat' } })
    const variation = { key: 'short', name: 'Short', messages: [], modelConfigKey: 'large' }
    await call('createAIConfigVariation', { projectKey: 'web', configKey: 'chat', body: variation })
    await call('createRestrictedModels', { projectKey: 'web', body: { keys: ['large'] } })
    await revert(await change('deleteAIConfig', { projectKey: 'web', configKey: 'chat' }))
    const keys = { projectKey: 'web', configKey: 'chat', variationKey: 'short' }
    expect(await call('getAIConfigVariation', keys)).toMatchObject({ items: [{ modelConfigKey: 'large' }] })
  })
})
