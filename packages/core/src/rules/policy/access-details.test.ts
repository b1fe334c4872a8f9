import { describe, expect, it } from 'vitest'
import { accessOf, actionsOf, compileRole } from '../../resources/policy.ts'
import { compilePolicy, decide } from './policy.ts'

const team = [{ kind: 'team', key: 'growth' }]
const manager = compileRole({
  name: 'manager',
  statements: [
    { effect: 'allow', resources: ['team/*'], actions: ['view*', 'updateTeam*'] },
    { effect: 'deny', notResources: ['proj/*'], actions: ['updateTeamMembers'] },
  ],
})

describe('accessOf', () => {
  it('lists each action of the kind once, with the statement that decides', () => {
    const access = accessOf(compilePolicy([manager]), team)
    expect(access.allowed.map((entry) => entry.action)).toEqual([
      'viewTeam',
      'updateTeamName',
      'updateTeamDescription',
      'updateTeamCustomRoles',
      'updateTeamPermissionGrants',
      'updateTeamRoleAttributes',
    ])
    expect(access.allowed[0]?.reason).toEqual({
      effect: 'allow',
      resources: ['team/*'],
      actions: ['view*', 'updateTeam*'],
      role_name: 'manager',
    })
    const noStatement = { effect: 'deny', resources: [], notResources: [], actions: [], notActions: [], role_name: '' }
    const deny = { effect: 'deny', notResources: ['proj/*'], actions: ['updateTeamMembers'], role_name: 'manager' }
    expect(access.denied).toEqual([
      { action: 'createTeam', reason: noStatement },
      { action: 'updateTeamMembers', reason: deny },
      { action: 'deleteTeam', reason: noStatement },
    ])
  })

  it('agrees with decide on every action of the kind', () => {
    const policy = compilePolicy([manager])
    const { allowed, denied } = accessOf(policy, team)
    expect([...allowed, ...denied].map((entry) => entry.action).toSorted()).toEqual([...actionsOf('team')].toSorted())
    for (const { action } of allowed) expect(decide(policy, action, team).allowed).toBe(true)
    for (const { action } of denied) expect(decide(policy, action, team).allowed).toBe(false)
  })

  it('returns lists that the caller can change without changing the role', () => {
    const policy = compilePolicy([manager])
    accessOf(policy, team).allowed[0]?.reason.resources?.push('proj/*')
    expect(accessOf(policy, team).allowed[0]?.reason.resources).toEqual(['team/*'])
  })

  it('returns empty lists for a kind without actions', () => {
    expect(accessOf(compilePolicy([manager]), [{ kind: 'unheard-of', key: 'x' }])).toEqual({ allowed: [], denied: [] })
  })
})
