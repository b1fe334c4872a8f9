import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import {
  type ApprovalProject,
  allow,
  environmentKeys,
  failureOf,
  flagId,
  semanticPatchType,
  turnOn,
} from '../test/approval-project.ts'
import { on, protectedProject, refusal, replace } from '../test/protected-project.ts'

describe('an environment that requires approval', () => {
  it.each<[string, (project: ApprovalProject, ids: readonly string[]) => Promise<unknown>]>([
    ['a JSON Patch of a flag', ({ patch }) => patch('f', [on])],
    [
      'a JSON Patch of the whole configuration',
      async ({ patch, get }) => {
        const fallthrough = { variation: 1 }
        expect((await get('f')).environments?.production?.fallthrough).toEqual({ variation: 0 })
        return patch('f', [replace('/environments/production/fallthrough', fallthrough)])
      },
    ],
    [
      'a JSON Patch that copies from another environment',
      async ({ patch, instruct }) => {
        await instruct('f', [turnOn], { environmentKey: 'test' })
        return patch('f', [{ op: 'copy', from: '/environments/test/on', path: '/environments/production/on' }])
      },
    ],
    ['a JSON Patch of two environments', ({ patch }) => patch('f', [replace('/environments/test/on', true), on])],
    ['a semantic patch of a flag', ({ instruct }) => instruct('f', [turnOn])],
    [
      'a change that does not affect evaluation',
      ({ instruct }) => instruct('f', [{ kind: 'updateTrackEvents', trackEvents: true }]),
    ],
    ['a rule', ({ instruct }, [variationId]) => instruct('f', [{ kind: 'addRule', clauses: [], variationId }])],
    ['targets', ({ instruct }, [variationId]) => instruct('f', [{ kind: 'addTargets', values: ['a'], variationId }])],
    [
      'a prerequisite',
      async ({ instruct, create }) => {
        const [variation] = (await create('base')).variations
        return instruct('f', [{ kind: 'addPrerequisite', key: 'base', variationId: variation?._id }])
      },
    ],
    [
      'the value of a variation',
      ({ instruct }, [, variationId]) =>
        instruct('f', [{ kind: 'updateVariation', variationId, value: 'other' }], { environmentKey: 'test' }),
    ],
    ['the value of a variation, by a JSON Patch', ({ patch }) => patch('f', [replace('/variations/0/value', 'other')])],
    [
      'two variations that swap their values',
      ({ patch }) => patch('f', [replace('/variations/0/value', 'b'), replace('/variations/1/value', 'a')]),
    ],
    [
      'two variations that swap their ids',
      ({ patch }, [a, b]) =>
        patch('f', [
          replace('/variations', [
            { _id: a, value: 'b' },
            { _id: b, value: 'a' },
          ]),
        ]),
    ],
    ['archiving', ({ instruct }) => instruct('f', [{ kind: 'archiveFlag' }])],
    ['archiving by a JSON Patch', ({ patch }) => patch('f', [replace('/archived', true)])],
    [
      'a change of the availability in SDKs',
      ({ instruct }) => instruct('f', [{ kind: 'turnOnClientSideAvailability', value: 'usingEnvironmentId' }]),
    ],
    ['the inclusion in the snippet', ({ patch }) => patch('f', [replace('/includeInSnippet', true)])],
    ['deleting', ({ api, as, keysOf }) => api.deleteFlag(keysOf('f'), { as })],
    ['deleting by an instruction', ({ instruct }) => instruct('f', [{ kind: 'deleteFlag' }])],
  ])('rejects %s', async (_, change) => {
    const { guard, ...project } = await protectedProject()
    const values = ['a', 'b'].map((value) => ({ value }))
    const { variations } = await project.create('f', { variations: values })
    await guard()
    const before = await project.get('f')
    const ids = variations.map((variation) => variation._id)
    expect(await failureOf(change(project, ids))).toEqual(refusal)
    const after = await project.get('f')
    expect(after.environments?.production).toEqual(before.environments?.production)
    expect(after.variations).toEqual(before.variations)
    expect(after.archived).toBe(false)
  })

  it('rejects the parameter approvedIn, by which a caller could claim an approval', async () => {
    const { guard, create, get, api, as, keysOf } = await protectedProject()
    await create('f')
    await guard()
    const claim = { ...keysOf('f'), approvedIn: 'production', body: [on] }
    const refused = { status: 400, errors: [{ attribute: 'approvedIn', reason: 'is not a known parameter' }] }
    await expect(api.patchFlag(claim, { as })).rejects.toMatchObject(refused)
    expect((await get('f')).environments?.production?.on).toBe(false)
  })

  it('accepts changes that do not affect the served values', async () => {
    const { guard, create, patch, instruct } = await protectedProject()
    await create('f')
    await guard()
    await instruct('f', [
      { kind: 'updateName', value: 'New' },
      { kind: 'addTags', values: ['x'] },
    ])
    await patch('f', [
      replace('/description', 'x'),
      { op: 'add', path: '/variations/0/name', value: 'Yes' },
      replace('/deprecated', true),
    ])
    await instruct('f', [{ kind: 'updateDefaultVariation', onVariationValue: false }])
    await instruct('f', [turnOn], { environmentKey: 'test' })
  })

  it('accepts new flags, which are off', async () => {
    const { guard, create, isOn, instruct } = await protectedProject()
    await guard()
    await create('f')
    expect(await isOn('f')).toBe(false)
    expect(await failureOf(instruct('f', [turnOn]))).toEqual(refusal)
  })

  it('rejects changes with status 405 and an Allow header, and accepts an approved request', async () => {
    const { guard, create, send, change, isOn } = await protectedProject()
    await create('f')
    await guard()
    const rejected = await send('PATCH', '/api/v2/flags/web/f', {
      body: { environmentKey: 'production', instructions: [turnOn] },
      headers: { 'content-type': semanticPatchType },
    })
    expect(rejected.status).toBe(405)
    expect(rejected.headers.allow?.split(', ').sort()).toEqual(['DELETE', 'GET', 'PATCH'])
    await change(flagId('f'), [turnOn])
    expect(await isOn('f')).toBe(true)
  })

  it('does not accept the approval of another environment', async () => {
    const { guard, create, request, review, apply, api, as, get } = await protectedProject()
    const { variations } = await create('f')
    await guard()
    const swap = { kind: 'updateVariation', variationId: variations[0]?._id, value: true, name: 'x' }
    const archive = { kind: 'archiveFlag' }
    const { _id } = await request(flagId('f'), [swap, archive])
    await review(_id, 'approve')
    const body = { environmentKey: 'test', required: true }
    await api.patchApprovalRequestSettings({ projectKey: 'web', body }, { as })
    expect(await failureOf(apply(_id))).toEqual({
      code: 'method_not_allowed',
      message: 'The environment test requires approval of this change: create an approval request',
    })
    expect((await get('f')).archived).toBe(false)
    expect(await failureOf(request(flagId('f'), [archive]))).toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'instructions', reason: expect.stringContaining('The environment test requires') }],
    })
    await api.patchApprovalRequestSettings({ projectKey: 'web', body: { ...body, required: false } }, { as })
    await apply(_id)
    expect((await get('f')).archived).toBe(true)
  })

  it('accepts a bypass only when the caller requests it and has the right to', async () => {
    const { guard, create, api, keysOf, isOn, as, pass } = await protectedProject()
    await create('f')
    await guard()
    const patch = (caller: As, bypassRequiredApproval?: boolean) =>
      api.patchFlag({ ...keysOf('f'), body: [on] as never, bypassRequiredApproval }, { as: caller })
    const editor: As = { policy: [allow(['viewProject'], ['proj/web']), allow(['updateOn'], [flagId('f')])] }
    const bypassingEditor: As = {
      policy: [allow(['viewProject'], ['proj/web']), allow(['updateOn', 'bypassRequiredApproval'], [flagId('f')])],
    }
    for (const caller of [as, editor, bypassingEditor]) {
      expect(await failureOf(patch(caller))).toEqual(refusal)
      expect(await failureOf(patch(caller, false))).toEqual(refusal)
    }
    expect(await failureOf(patch(editor, true))).toMatchObject({ code: 'forbidden' })
    expect(await isOn('f')).toBe(false)
    pass(1)
    await patch(bypassingEditor, true)
    expect(await isOn('f')).toBe(true)
    const [entry] = (await api.listChangeLog({ limit: 1 }, { as })).items
    expect(entry?.accesses).toContainEqual({ action: 'bypassRequiredApproval', resource: flagId('f') })
  })

  it('requires the right to bypass in all environments for deletions and flag-wide changes', async () => {
    const { guard, create, api, keysOf } = await protectedProject()
    await create('f')
    await guard()
    const changeStatement = allow(['updateGlobalArchived', 'deleteFlag'], ['proj/web:env/*:flag/f'])
    const callerWithBypass = (resource: string): As => ({
      policy: [allow(['viewProject'], ['proj/web']), changeStatement, allow(['bypassRequiredApproval'], [resource])],
    })
    const archive = (caller: As) =>
      api.patchFlag(
        { ...keysOf('f'), bypassRequiredApproval: true, body: [replace('/archived', true)] as never },
        { as: caller },
      )
    const remove = (caller: As) => api.deleteFlag({ ...keysOf('f'), bypassRequiredApproval: true }, { as: caller })
    for (const call of [archive, remove]) {
      expect(await failureOf(call(callerWithBypass('proj/web:env/test:flag/f')))).toMatchObject({ code: 'forbidden' })
    }
    await archive(callerWithBypass('proj/web:env/*:flag/f'))
    await remove(callerWithBypass('proj/web:env/*:flag/f'))
  })

  it('accepts true or false for bypassRequiredApproval', async () => {
    const { create, send } = await protectedProject()
    await create('f')
    const removeWith = (value: string) => send('DELETE', `/api/v2/flags/web/f?bypassRequiredApproval=${value}`)
    for (const value of ['yes', '1', '', '__proto__']) expect((await removeWith(value)).status).toBe(400)
    expect((await removeWith('true')).status).toBe(204)
  })

  it('does not let a caller without the right turn off the requirement', async () => {
    const { guard, api, settings } = await protectedProject()
    await guard()
    const caller: As = {
      policy: [
        allow(['viewProject'], ['proj/web']),
        allow(['*'], ['proj/web:env/*', 'proj/web:env/*:flag/*']),
        { effect: 'deny', actions: ['updateApprovalSettings'], resources: ['proj/*:env/*'] },
      ],
    }
    const environment = (body: readonly object[]) =>
      api.patchEnvironment({ ...environmentKeys, body: body as never }, { as: caller })
    expect(await failureOf(environment([replace('/approvalSettings/required', false)]))).toMatchObject({
      code: 'forbidden',
    })
    expect(
      await failureOf(
        environment([replace('/color', '000000'), replace('/approvalSettings/requiredApprovalTags', ['x'])]),
      ),
    ).toMatchObject({ code: 'forbidden' })
    const body = { environmentKey: 'production', required: false }
    expect(
      await failureOf(api.patchApprovalRequestSettings({ projectKey: 'web', body }, { as: caller })),
    ).toMatchObject({
      code: 'forbidden',
    })
    expect(await settings({})).toMatchObject({ required: true })
    await environment([replace('/color', '000000')])
  })
})
