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
  objectOf,
  pageLinks,
  type Shape,
  string,
  time,
} from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import {
  engineWith,
  invalid,
  refusals,
  type SpecOperation,
  senderOf,
  successBody,
  transports,
} from './spec-operation.ts'

const getTeam = {
  id: 'getTeam',
  method: 'GET',
  path: '/api/v2/teams/{teamKey}',
  success: 200,
} as const satisfies SpecOperation

const projects = objectOf({
  totalCount: integer,
  items: listOf(objectOf({ _links: links('self', 'environments'), key: string, name: string })),
})

const commonFields: Readonly<Record<string, Shape>> = {
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
  members: objectOf({ totalCount: integer }),
  roles: objectOf({
    totalCount: integer,
    _links: pageLinks,
    items: listOf(objectOf({ key: string, name: string, projects, appliedOn: time })),
  }),
  roleAttributes: mapOf(listOf(string)),
  projects,
  maintainers: objectOf({ totalCount: integer, _links: pageLinks, items: listOf(memberSummary) }),
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
  return { request: { params: { teamKey: 'growth' } }, fixture: { ann } }
}

describeCommonRules(getTeam, teamOfAll)

describe.each(transports)('getTeam %s', (transport) => {
  it('returns every field of docs/specification.md, and no expansion by default', async () => {
    const { engine, request } = await engineWith(teamOfAll)
    const createdAt = engine.now() - 1000
    const team = await successBody(senderOf(engine, getTeam, transport)(request), getTeam)
    expectShape(team, objectOf(commonFields))
    expect(team).toMatchObject({
      description: 'Growing',
      key: 'growth',
      name: 'Growth',
      _creationDate: String(createdAt),
      _lastModified: String(createdAt + 1000),
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
    const { engine, request } = await engineWith(teamOfAll)
    const team = await successBody(
      senderOf(engine, getTeam, transport)({ ...request, query: { expand: name } }),
      getTeam,
    )
    expectShape(team, objectOf({ ...commonFields, [name]: expansions[name] as Shape }))
  })

  it('returns the content of each expansion', async () => {
    const { engine, request, fixture } = await engineWith(teamOfAll)
    const query = { expand: 'members,roles,roleAttributes,projects,maintainers' }
    const team = await successBody(senderOf(engine, getTeam, transport)({ ...request, query }), getTeam)
    expectShape(team, objectOf({ ...commonFields, ...expansions }))
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
        items: [
          { _id: fixture.ann._id, email: 'ann@example.test', firstName: 'Ann', lastName: 'Archer', role: 'writer' },
        ],
        _links: { self: { href: '/api/v2/teams/growth/maintainers?limit=20' } },
      },
    })
  })

  it('returns times as numbers if timestamps are numbers', async () => {
    const { engine, request } = await engineWith(teamOfAll, { wire: { timestamps: 'number' } })
    const send = senderOf(engine, getTeam, transport)
    const team = await successBody(send({ ...request, query: { expand: 'roles' } }), getTeam)
    expectShape(team, objectOf({ ...commonFields, roles: expansions.roles as Shape }), { timestamps: 'number' })
    expect(team._lastModified).toBe(engine.now())
  })

  it('returns in _access what the caller may do, with the deciding statement and its role', async () => {
    const { engine, request } = await engineWith(teamOfAll)
    const view = { effect: 'allow', resources: ['team/growth'], actions: ['viewTeam'] } as const
    const denyDeletion = { effect: 'deny', resources: ['team/*'], actions: ['deleteTeam'] } as const
    await engine.given.role('looker', [view, denyDeletion])
    const { token } = await engine.given.token({ customRoleIds: ['looker'] })
    const { _access } = await successBody(senderOf(engine, getTeam, transport)({ ...request, as: token }), getTeam)
    expect(_access.allowed).toEqual([{ action: 'viewTeam', reason: { ...view, role_name: 'looker' } }])
    expect(_access.denied).toContainEqual({ action: 'deleteTeam', reason: { ...denyDeletion, role_name: 'looker' } })
    const byDefault = { effect: 'deny', resources: [], notResources: [], actions: [], notActions: [], role_name: '' }
    expect(_access.denied).toContainEqual({ action: 'updateTeamName', reason: byDefault })
  })

  it('gets 400 for an unknown expansion', async () => {
    const { engine, request } = await engineWith(teamOfAll)
    const reason = 'must be one of members, roles, roleAttributes, projects, maintainers'
    const { status, body } = await senderOf(
      engine,
      getTeam,
      transport,
    )({ ...request, query: { expand: 'members,friends' } })
    expect({ status, body }).toEqual(invalid(['expand.1', reason]))
  })

  it('is forbidden for a caller without the right to view it', async () => {
    const { engine, request } = await engineWith(teamOfAll)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['team/other'], actions: ['viewTeam'] }],
    })
    const { status, body } = await senderOf(engine, getTeam, transport)({ ...request, as: token })
    expect({ status, body }).toEqual(refusals.forbidden)
  })

  it.each(['none', 'a b', '__proto__', '*'])('is not found for the key %s', async (teamKey) => {
    const { engine } = await engineWith(teamOfAll)
    const { status, body } = await senderOf(engine, getTeam, transport)({ params: { teamKey } })
    expect({ status, body }).toEqual(refusals.not_found)
  })
})
