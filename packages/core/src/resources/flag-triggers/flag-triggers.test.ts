import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { allow, failureOf, flagProject, start } from '../flags/test/flag-project.ts'

const keys = { projectKey: 'web', flagKey: 'checkout', environmentKey: 'production' }
const path = '/api/v2/flags/web/checkout/triggers/production'
const flag = 'proj/*:env/*:flag/*'
const turnOn = [{ kind: 'turnFlagOn' }]

/** Creates the flag `checkout`, which is off, and functions for its triggers. */
async function triggerProject() {
  const project = await flagProject()
  const { api, as, create, get, send, memberId } = project
  await create('checkout')
  const add = (body: object = {}, caller: As = as) =>
    api.createFlagTrigger(
      { ...keys, body: { integrationKey: 'generic-trigger', instructions: turnOn, ...body } as never },
      { as: caller },
    )
  return {
    ...project,
    add,
    instructTrigger: (id: string, instructions: readonly object[], caller: As = as) =>
      api.patchFlagTrigger({ ...keys, id, body: { instructions } as never }, { as: caller }),
    invoke: (url: string | undefined) => send('POST', url ?? '', { headers: { authorization: '' } }),
    isOn: async () => (await get('checkout')).environments?.production?.on,
    /** Returns the id of a new member. */
    newMember: async (role = 'writer') => {
      const { items } = await api.createMembers({ body: [{ email: 'bea@example.com', role } as never] }, { as })
      return items[0]?._id as string
    },
    owner: memberId,
  }
}

describe('a flag trigger', () => {
  it('is returned with all properties, but only the response of its creation contains the URL', async () => {
    const { add, api, as, owner } = await triggerProject()
    const { triggerURL, ...created } = await add({ comment: 'for alerts' })
    expect(created).toEqual({
      _id: expect.any(String),
      _version: 1,
      _creationDate: String(start),
      _maintainerId: owner,
      _integrationKey: 'generic-trigger',
      enabled: true,
      instructions: turnOn,
      _triggerCount: 0,
      _links: {
        self: { href: `${path}/${created._id}`, type: 'application/json' },
        parent: { href: path, type: 'application/json' },
      },
    })
    expect(triggerURL).toMatch(new RegExp(`^/webhook/triggers/${created._id}/[0-9a-f]{64}$`))
    expect(await api.getFlagTrigger({ ...keys, id: created._id }, { as })).toEqual(created)
    expect((await api.listFlagTriggers(keys, { as })).items).toEqual([created])
  })

  it('stores no secret in the change log or in a back-up without secrets', async () => {
    const { add, account, instructTrigger } = await triggerProject()
    const { _id, triggerURL } = await add()
    const secret = triggerURL?.split('/').at(-1) as string
    await instructTrigger(_id, [{ kind: 'cycleTriggerUrl' }])
    const entries = await account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 10 })
    expect(JSON.stringify(entries)).not.toContain(secret)
    expect(JSON.stringify(entries)).not.toMatch(/[0-9a-f]{64}/)
  })

  it.each([
    ['two instructions', { instructions: [...turnOn, ...turnOn] }, 'instructions'],
    ['no instruction', { instructions: [] }, 'instructions'],
    ['another instruction', { instructions: [{ kind: 'archiveFlag' }] }, 'instructions.0.kind'],
    ['no integration', { integrationKey: undefined }, 'integrationKey'],
  ])('rejects %s', async (_, body, attribute) => {
    const { add } = await triggerProject()
    const { code, errors } = await failureOf(add(body))
    expect({ code, attributes: errors?.map((error) => error.attribute) }).toEqual({
      code: 'invalid_request',
      attributes: [attribute],
    })
  })
})

describe('a request to the URL of a trigger', () => {
  it('turns the flag on as the author, and is counted', async () => {
    const { add, invoke, isOn, api, as, owner, pass } = await triggerProject()
    const { _id, triggerURL } = await add()
    pass(1000)
    expect((await invoke(triggerURL)).status).toBe(204)
    expect(await isOn()).toBe(true)
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ comment: 'trigger', member: { _id: owner } })
    expect(entry?.accesses).toContainEqual({ action: 'updateOn', resource: 'proj/web:env/production:flag/checkout' })
    expect((await invoke(triggerURL)).status).toBe(204)
    expect(await api.getFlagTrigger({ ...keys, id: _id }, { as })).toMatchObject({
      _version: 1,
      _triggerCount: 2,
      _lastTriggeredAt: String(start + 1000),
    })
  })

  it('counts each of several concurrent requests', async () => {
    const { add, invoke, api, as } = await triggerProject()
    const { _id, triggerURL } = await add()
    await Promise.all(Array.from({ length: 5 }, () => invoke(triggerURL)))
    expect((await api.getFlagTrigger({ ...keys, id: _id }, { as }))._triggerCount).toBe(5)
  })

  it('creates no change log entry when the flag is in that state already', async () => {
    const { add, invoke, api, as } = await triggerProject()
    const { triggerURL } = await add()
    await invoke(triggerURL)
    const newest = async () => (await api.listChangeLog({}, { as })).items[0]?._id
    const before = await newest()
    expect((await invoke(triggerURL)).status).toBe(204)
    expect(await newest()).toBe(before)
  })

  it('returns 404 for a wrong or former secret, an unknown id, and a deleted trigger', async () => {
    const { add, invoke, isOn, api, as, instructTrigger } = await triggerProject()
    const { _id, triggerURL } = await add()
    const { triggerURL: cycled } = await instructTrigger(_id, [{ kind: 'cycleTriggerUrl' }])
    const unknown = [triggerURL, `/webhook/triggers/${_id}/x`, cycled?.replace(_id, 'none')]
    for (const url of unknown) expect((await invoke(url)).status).toBe(404)
    expect(await isOn()).toBe(false)
    await api.deleteFlagTrigger({ ...keys, id: _id }, { as })
    expect((await invoke(cycled)).status).toBe(404)
  })

  it('returns 403 while the trigger is turned off', async () => {
    const { add, invoke, isOn, instructTrigger } = await triggerProject()
    const { _id, triggerURL } = await add()
    await instructTrigger(_id, [{ kind: 'disableTrigger' }])
    const refused = await invoke(triggerURL)
    expect([refused.status, await isOn()]).toEqual([403, false])
    expect(refused.body).toContain('The trigger is turned off')
    await instructTrigger(_id, [{ kind: 'enableTrigger' }])
    expect((await invoke(triggerURL)).status).toBe(204)
  })

  it('has the rights that the author has at the time of the request', async () => {
    const { add, invoke, isOn, api, as, newMember } = await triggerProject()
    const id = await newMember()
    const { triggerURL } = await add({}, { identity: { member: id } })
    await api.patchMember({ id, body: [{ op: 'replace', path: '/role', value: 'reader' }] }, { as })
    expect((await invoke(triggerURL)).status).toBe(403)
    await api.deleteMember({ id }, { as })
    expect((await invoke(triggerURL)).status).toBe(404)
    expect(await isOn()).toBe(false)
  })

  it('is refused where the environment requires approval', async () => {
    const { add, invoke, isOn, api, as } = await triggerProject()
    const { triggerURL } = await add()
    const body = [{ op: 'replace', path: '/approvalSettings/required', value: true }]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body } as never, { as })
    expect((await invoke(triggerURL)).status).toBe(405)
    expect(await isOn()).toBe(false)
  })

  it('counts for the rate limit of the trigger, while unknown secrets do not', async () => {
    const { add, invoke } = await triggerProject()
    const { triggerURL } = await add()
    const { headers } = await invoke(triggerURL)
    const remaining = Number(headers['x-ratelimit-route-remaining'])
    expect(remaining).toBeGreaterThan(0)
    expect((await invoke(`${triggerURL}0`)).headers['x-ratelimit-route-remaining']).toBeUndefined()
    expect(Number((await invoke(triggerURL)).headers['x-ratelimit-route-remaining'])).toBe(remaining - 1)
  })
})

describe('the author of a trigger', () => {
  const mayUpdate: As = {
    policy: [allow(['viewProject'], ['proj/*']), allow(['createTriggers', 'updateTriggers'], [flag])],
  }

  it('must be permitted to turn the flag on or off', async () => {
    const { add } = await triggerProject()
    expect((await failureOf(add({}, mayUpdate))).code).toBe('forbidden')
  })

  it.each([
    ['a new URL', [{ kind: 'cycleTriggerUrl' }]],
    ['another instruction', [{ kind: 'replaceTriggerActionInstructions', value: [{ kind: 'turnFlagOff' }] }]],
  ])('is replaced by the caller of a patch with %s, who needs the same rights', async (_, instructions) => {
    const { add, instructTrigger, newMember } = await triggerProject()
    const { _id, _maintainerId } = await add()
    expect((await failureOf(instructTrigger(_id, instructions, mayUpdate))).code).toBe('forbidden')
    const id = await newMember()
    const patched = await instructTrigger(_id, instructions, { identity: { member: id } })
    expect([_maintainerId === id, patched._maintainerId]).toEqual([false, id])
  })

  it('stays the same when another caller turns the trigger off', async () => {
    const { add, instructTrigger } = await triggerProject()
    const { _id, _maintainerId } = await add()
    const disabled = await instructTrigger(_id, [{ kind: 'disableTrigger' }], mayUpdate)
    expect(disabled).toMatchObject({ enabled: false, _maintainerId })
    expect((await failureOf(instructTrigger(_id, [{ kind: 'enableTrigger' }], mayUpdate))).code).toBe('forbidden')
  })
})

describe('a deleted trigger', () => {
  it('is restored by a revert without a URL, and gets one by a patch', async () => {
    const { add, invoke, isOn, api, as, instructTrigger } = await triggerProject()
    const { _id, triggerURL } = await add()
    await api.deleteFlagTrigger({ ...keys, id: _id }, { as })
    const [entry] = (await api.listChangeLog({}, { as })).items
    await api.revertChangeLogEntry({ id: entry?._id as string, body: {} }, { as })
    expect((await invoke(triggerURL)).status).toBe(404)
    const { triggerURL: renewed } = await instructTrigger(_id, [{ kind: 'cycleTriggerUrl' }])
    expect((await invoke(renewed)).status).toBe(204)
    expect(await isOn()).toBe(true)
  })
})
