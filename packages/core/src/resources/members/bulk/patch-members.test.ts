import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type As, createEngine } from '../../../index.ts'
import { allow, failureOf } from '../../account/test/calls.ts'

const as = { role: 'owner' } as const

/** Creates an account with the members ann, bob and cid, the owner of the account, a role and two teams. */
async function account() {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.bootstrap()
  const api = engine.as(as)
  const invited = await api.createMembers({
    body: ['ann', 'bob', 'cid'].map((name) => ({ email: `${name}@example.com`, firstName: name })),
  })
  const [ann = '', bob = '', cid = ''] = invited.items.map(({ _id }) => _id)
  const policy = [allow(['updateOn'], ['proj/*:env/*:flag/*'])]
  await api.createRole({ body: { key: 'switcher', name: 'Switcher', policy } as never })
  for (const key of ['red', 'blue']) await api.createTeam({ body: { key, name: key } })
  const patch = (instructions: readonly object[], caller: As = as) =>
    engine.api.patchMembers({ body: { instructions } as never }, { as: caller })
  const patchTeams = (instructions: readonly object[], caller: As = as) =>
    engine.api.patchTeams({ body: { instructions } as never }, { as: caller })
  const all = async () => (await api.listMembers({ limit: 100 })).items
  const rolesOf = async (id: string) => {
    const { role, customRoles } = await api.getMember({ id })
    return [role, ...customRoles]
  }
  const sizes = async () =>
    Promise.all(
      ['red', 'blue'].map(
        async (teamKey) => (await api.getTeam({ teamKey, expand: ['members'] as never })).members?.totalCount,
      ),
    )
  return { engine, api, ann, bob, cid, patch, patchTeams, all, rolesOf, sizes }
}

describe('patchMembers', () => {
  it('replaces roles, which removes custom roles, and the custom roles and role attributes of several members', async () => {
    const { api, ann, bob, cid, patch, rolesOf } = await account()
    const custom = { kind: 'replaceMembersCustomRoles', values: ['switcher'], memberIDs: [ann, bob, cid] }
    expect(await patch([custom])).toEqual({ members: [ann, bob, cid], errors: [] })
    await patch([{ kind: 'replaceMembersRoles', value: 'writer', memberIDs: [ann, bob] }])
    expect(await rolesOf(ann)).toEqual(['writer'])
    expect(await rolesOf(cid)).toEqual(['reader', 'switcher'])
    await patch([{ kind: 'replaceMembersRoleAttributes', value: { region: ['north'] }, memberIDs: [cid] }])
    expect((await api.getMember({ id: cid })).roleAttributes).toEqual({ region: ['north'] })
  })

  it('applies instructions in their order, and can be reverted', async () => {
    const { api, ann, bob, patch, rolesOf } = await account()
    await patch([
      { kind: 'replaceMembersRoles', value: 'admin', memberIDs: [ann, bob] },
      { kind: 'replaceMembersRoles', value: 'writer', memberIDs: [bob] },
      { kind: 'replaceMembersCustomRoles', values: ['switcher'], memberIDs: [bob] },
    ])
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([['admin'], ['writer', 'switcher']])
    const { items } = await api.listChangeLog({ limit: 1 })
    await api.revertChangeLogEntry({ id: items[0]?._id ?? '', body: {} })
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([['reader'], ['reader']])
  })

  it.each([
    [{ filterQuery: 'AN' }, ['bob', 'cid']],
    [{ filterRoles: 'admin|writer' }, ['ann', 'bob', 'cid']],
    [{ filterRoles: 'reader | admin' }, []],
    [{ filterTeamKey: 'RED' }, ['ann', 'bob']],
    [{ filterLastSeen: { never: true } }, []],
  ])('changes all members but those that match %j', async (filters, expected) => {
    const { all, cid, patch, patchTeams } = await account()
    await patchTeams([{ kind: 'addMembersToTeams', memberIDs: [cid], teamKeys: ['red'] }])
    const owners = (await all()).filter(({ role }) => role === 'owner').map(({ _id }) => _id)
    const instruction = { kind: 'replaceAllMembersCustomRoles', values: ['switcher'], ignoredMemberIDs: owners }
    await patch([{ ...instruction, ...filters }])
    const changed = (await all()).filter(({ customRoles }) => customRoles.includes('switcher'))
    expect(changed.map(({ email }) => email.split('@')[0]).sort()).toEqual(expected)
  })

  it('changes none of the members when one is unknown, a role is unknown, or no owner would remain', async () => {
    const { ann, all, patch, rolesOf } = await account()
    const role = { kind: 'replaceMembersRoles', value: 'writer' }
    const owners = (await all()).filter(({ role: own }) => own === 'owner').map(({ _id }) => _id)
    expect((await failureOf(patch([{ ...role, memberIDs: [ann, 'nobody'] }]))).errors).toMatchObject([
      { attribute: 'instructions.0.memberIDs.1' },
    ])
    const unknown = { kind: 'replaceMembersCustomRoles', values: ['none'], memberIDs: [ann] }
    expect((await failureOf(patch([unknown]))).errors).toMatchObject([{ attribute: 'instructions.0.values.0' }])
    expect(await failureOf(patch([{ ...role, memberIDs: [ann, ...owners] }]))).toMatchObject({
      message: 'The account must keep at least one owner',
    })
    expect(await rolesOf(ann)).toEqual(['reader'])
  })

  it('makes another member the owner in place of the only owner, in either order of the instructions, and back', async () => {
    const { api, ann, bob, all, patch, rolesOf } = await account()
    const owners = (await all()).filter(({ role }) => role === 'owner').map(({ _id }) => _id)
    const kind = 'replaceMembersRoles'
    await patch([
      { kind, value: 'writer', memberIDs: owners },
      { kind, value: 'owner', memberIDs: [ann] },
    ])
    await patch([
      { kind, value: 'owner', memberIDs: [bob] },
      { kind, value: 'writer', memberIDs: [ann] },
    ])
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([['writer'], ['owner']])
    const [last] = (await api.listChangeLog({ limit: 1 })).items
    await api.revertChangeLogEntry({ id: last?._id ?? '', body: {} })
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([['owner'], ['reader']])
  })

  it('changes at most 1,000 members, as patchTeams does', async () => {
    const { api, patch, patchTeams } = await account()
    const ids: string[] = []
    for (let count = 0; count < 1_001; count += 50) {
      const people = Array.from({ length: 50 }, (_, i) => ({ email: `m${count + i}@example.com` }))
      ids.push(...(await api.createMembers({ body: people })).items.map(({ _id }) => _id))
    }
    const both = [ids.slice(0, 1_000), ids.slice(1, 1_001)].map((memberIDs) => ({ memberIDs }))
    const refusals = await Promise.all([
      failureOf(patch(both.map((each) => ({ ...each, kind: 'replaceMembersRoles', value: 'writer' })))),
      failureOf(patch([{ kind: 'replaceAllMembersRoles', value: 'writer' }])),
      failureOf(patchTeams(both.map((each) => ({ ...each, kind: 'addMembersToTeams', teamKeys: ['red'] })))),
      failureOf(patchTeams([{ kind: 'addAllMembersToTeams', teamKeys: ['red'] }])),
    ])
    expect(refusals.map(({ errors }) => errors?.map(({ attribute }) => attribute))).toEqual([
      ['instructions'],
      ['instructions.0.kind'],
      ['instructions'],
      ['instructions.0.kind'],
    ])
  })

  it('is reverted only when the account keeps an owner', async () => {
    const { api, ann, bob, all, patch, rolesOf } = await account()
    const owners = (await all()).filter(({ role }) => role === 'owner').map(({ _id }) => _id)
    await patch([{ kind: 'replaceMembersRoles', value: 'owner', memberIDs: [ann, bob] }])
    const [promotion] = (await api.listChangeLog({ limit: 1 })).items
    await patch([{ kind: 'replaceMembersRoles', value: 'writer', memberIDs: owners }])
    const revert = () => api.revertChangeLogEntry({ id: promotion?._id ?? '', body: {} })
    expect(await failureOf(revert())).toMatchObject({ message: 'The account must keep at least one owner' })
    await patch([{ kind: 'replaceMembersRoles', value: 'owner', memberIDs: owners }])
    await revert()
    expect([await rolesOf(ann), await rolesOf(bob)]).toEqual([['reader'], ['reader']])
  })

  it('grants no role that allows more than the caller may do, and needs the right to each property', async () => {
    const { ann, patch } = await account()
    const caller = (actions: string[]): As => ({ policy: [allow(actions, ['member/*'])] })
    const admin = { kind: 'replaceMembersRoles', value: 'admin', memberIDs: [ann] }
    expect(await failureOf(patch([admin], caller(['updateRole', 'updateCustomRole'])))).toMatchObject({
      code: 'forbidden',
    })
    const attributes = { kind: 'replaceMembersRoleAttributes', value: { region: ['x'] }, memberIDs: [ann] }
    expect(await failureOf(patch([attributes], caller(['updateRole'])))).toMatchObject({ code: 'forbidden' })
    await patch([attributes], caller(['updateRoleAttributes']))
  })
})

describe('patchTeams', () => {
  it('adds members to several teams, counts each once, and can be reverted', async () => {
    const { api, ann, bob, cid, patchTeams, sizes } = await account()
    await patchTeams([{ kind: 'addMembersToTeams', memberIDs: [ann], teamKeys: ['red'] }])
    const add = { kind: 'addMembersToTeams', memberIDs: [ann, bob], teamKeys: ['red', 'blue'] }
    const result = await patchTeams([add, { ...add, memberIDs: [bob, cid], teamKeys: ['blue'] }])
    expect(result).toEqual({ memberIDs: [ann, bob, cid], teamKeys: ['red', 'blue'], errors: [] })
    expect(await sizes()).toEqual([2, 3])
    expect((await api.getMember({ id: bob })).teamKeys).toEqual(['red', 'blue'])
    const { items } = await api.listChangeLog({ limit: 1 })
    await api.revertChangeLogEntry({ id: items[0]?._id ?? '', body: {} })
    expect(await sizes()).toEqual([1, 0])
    expect((await api.getMember({ id: bob })).teamKeys).toEqual([])
  })

  it('names an unknown team, and needs the right to change the members of each team', async () => {
    const { engine, ann, patchTeams, sizes } = await account()
    const add = { kind: 'addMembersToTeams', memberIDs: [ann], teamKeys: ['red', 'green'] }
    expect((await failureOf(patchTeams([add]))).errors).toMatchObject([{ attribute: 'instructions.0.teamKeys.1' }])
    const caller: As = {
      policy: [allow(['updateTeamMembers', 'viewTeam'], ['team/red']), allow(['viewMember'], ['member/*'])],
    }
    const both = { ...add, teamKeys: ['red', 'blue'] }
    expect(await failureOf(patchTeams([both], caller))).toMatchObject({ code: 'forbidden' })
    const one = { id: ann, body: { teamKeys: ['red', 'blue'] } }
    expect(await failureOf(engine.api.postMemberTeams(one, { as: caller }))).toMatchObject({ code: 'forbidden' })
    expect(await sizes()).toEqual([0, 0])
    expect((await engine.api.postMemberTeams(one, { as })).teamKeys).toEqual(['red', 'blue'])
    expect(await sizes()).toEqual([1, 1])
  })
})
