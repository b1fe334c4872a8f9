import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  access,
  boolean,
  expectShape,
  integer,
  links,
  listOf,
  mapOf,
  memberSummary,
  members,
  pageLinks,
  type Shape,
  string,
  time,
} from './answer-shape.ts'
import { describeGates } from './gates.ts'
import { answerOf, asking, doors, invalid, refusals, type SpecOperation, staged } from './spec-operation.ts'

const getTeam = {
  id: 'getTeam',
  method: 'GET',
  path: '/api/v2/teams/{teamKey}',
  success: 200,
} as const satisfies SpecOperation

const projects = members({
  totalCount: integer,
  items: listOf(members({ _links: links('self', 'environments'), key: string, name: string })),
})

const always: Readonly<Record<string, Shape>> = {
  description: string,
  key: string,
  name: string,
  _access: access,
  _creationDate: time,
  _links: links('parent', 'roles', 'self'),
  _lastModified: time,
  _version: integer,
  _idpSynced: boolean,
}

const expansions: Readonly<Record<string, Shape>> = {
  members: members({ totalCount: integer }),
  roles: members({
    totalCount: integer,
    _links: pageLinks,
    items: listOf(members({ key: string, name: string, projects, appliedOn: time })),
  }),
  roleAttributes: mapOf(listOf(string)),
  projects,
  maintainers: members({ totalCount: integer, _links: pageLinks, items: listOf(memberSummary) }),
}

/** Creates a team with every optional field. */
async function teamOfAll({ given, advance, api, admin }: TestEngine) {
  await given.project('web', { name: 'Web shop' })
  await given.role('switcher', [
    { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] },
    { effect: 'allow', resources: ['proj/web:env/*:flag/*'], actions: ['updateOn'] },
  ])
  const ann = await given.member('ann@example.test', { firstName: 'Ann', lastName: 'Archer', role: 'writer' })
  const bob = await given.member('bob@example.test')
  await given.team('growth', {
    name: 'Growth',
    description: 'Experiments',
    customRoleKeys: ['switcher'],
    memberIDs: [ann._id, bob._id],
    roleAttributes: { region: ['north', 'south'] },
    permissionGrants: [{ actionSet: 'maintainTeam', memberIDs: [ann._id] }],
  })
  advance(1000)
  await api.patchTeam(
    { teamKey: 'growth', body: { instructions: [{ kind: 'updateDescription', value: 'Growing' }] } },
    { as: admin },
  )
  return { question: { params: { teamKey: 'growth' } }, more: { ann } }
}

describeGates(getTeam, teamOfAll)

describe.each(doors)('getTeam %s', (door) => {
  it('returns every field of docs/specification.md, and no expansion by default', async () => {
    const { engine, question } = await staged(teamOfAll)
    const made = engine.now() - 1000
    const team = await answerOf(asking(engine, getTeam, door)(question), getTeam)
    expectShape(team, members(always))
    expect(team).toMatchObject({
      description: 'Growing',
      key: 'growth',
      name: 'Growth',
      _creationDate: String(made),
      _lastModified: String(made + 1000),
      _version: 2,
      _idpSynced: false,
      _links: {
        parent: { href: '/api/v2/teams', type: 'application/json' },
        roles: { href: '/api/v2/teams/growth/roles', type: 'application/json' },
        self: { href: '/api/v2/teams/growth', type: 'application/json' },
      },
    })
  })

  it.each(Object.keys(expansions))('with the expansion %s returns exactly that expansion', async (name) => {
    const { engine, question } = await staged(teamOfAll)
    const team = await answerOf(asking(engine, getTeam, door)({ ...question, query: { expand: name } }), getTeam)
    expectShape(team, members({ ...always, [name]: expansions[name] as Shape }))
  })

  it('returns the content of each expansion', async () => {
    const { engine, question, more } = await staged(teamOfAll)
    const query = { expand: 'members,roles,roleAttributes,projects,maintainers' }
    const team = await answerOf(asking(engine, getTeam, door)({ ...question, query }), getTeam)
    expectShape(team, members({ ...always, ...expansions }))
    const web = {
      totalCount: 1,
      items: [
        {
          _links: {
            self: { href: '/api/v2/projects/web', type: 'application/json' },
            environments: { href: '/api/v2/projects/web/environments', type: 'application/json' },
          },
          key: 'web',
          name: 'Web shop',
        },
      ],
    }
    expect(team).toMatchObject({
      members: { totalCount: 2 },
      roleAttributes: { region: ['north', 'south'] },
      projects: web,
      roles: {
        totalCount: 1,
        items: [{ key: 'switcher', name: 'switcher', projects: web, appliedOn: String(engine.now() - 1000) }],
        _links: { self: { href: '/api/v2/teams/growth/roles?limit=25' } },
      },
      maintainers: {
        totalCount: 1,
        items: [{ _id: more.ann._id, email: 'ann@example.test', firstName: 'Ann', lastName: 'Archer', role: 'writer' }],
        _links: { self: { href: '/api/v2/teams/growth/maintainers?limit=20' } },
      },
    })
  })

  it('returns times as numbers if timestamps are numbers (D4)', async () => {
    const { engine, question } = await staged(teamOfAll, { wire: { timestamps: 'number' } })
    const ask = asking(engine, getTeam, door)
    const team = await answerOf(ask({ ...question, query: { expand: 'roles' } }), getTeam)
    expectShape(team, members({ ...always, roles: expansions.roles as Shape }), { timestamps: 'number' })
    expect(team._lastModified).toBe(engine.now())
  })

  it('returns in _access what the caller may do, with the deciding statement and its role', async () => {
    const { engine, question } = await staged(teamOfAll)
    const view = { effect: 'allow', resources: ['team/growth'], actions: ['viewTeam'] } as const
    const keep = { effect: 'deny', resources: ['team/*'], actions: ['deleteTeam'] } as const
    await engine.given.role('looker', [view, keep])
    const { token } = await engine.given.token({ customRoleIds: ['looker'] })
    const { _access } = await answerOf(asking(engine, getTeam, door)({ ...question, as: token }), getTeam)
    expect(_access.allowed).toEqual([{ action: 'viewTeam', reason: { ...view, role_name: 'looker' } }])
    expect(_access.denied).toContainEqual({ action: 'deleteTeam', reason: { ...keep, role_name: 'looker' } })
    const nobody = { effect: 'deny', resources: [], notResources: [], actions: [], notActions: [], role_name: '' }
    expect(_access.denied).toContainEqual({ action: 'updateTeamName', reason: nobody })
  })

  it('gets 400 for an unknown expansion', async () => {
    const { engine, question } = await staged(teamOfAll)
    const reason = 'must be one of members, roles, roleAttributes, projects, maintainers'
    const { status, body } = await asking(engine, getTeam, door)({ ...question, query: { expand: 'members,friends' } })
    expect({ status, body }).toEqual(invalid(['expand.1', reason]))
  })

  it('is forbidden for a caller without the right to view it', async () => {
    const { engine, question } = await staged(teamOfAll)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['team/other'], actions: ['viewTeam'] }],
    })
    const { status, body } = await asking(engine, getTeam, door)({ ...question, as: token })
    expect({ status, body }).toEqual(refusals.forbidden)
  })

  it.each(['none', 'a b', '__proto__', '*'])('is not found for the key %s', async (teamKey) => {
    const { engine } = await staged(teamOfAll)
    const { status, body } = await asking(engine, getTeam, door)({ params: { teamKey } })
    expect({ status, body }).toEqual(refusals.not_found)
  })
})
