import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  boolean,
  expectShape,
  integer,
  links,
  listOf,
  memberSummary,
  objectOf,
  policyStatement,
  string,
  time,
} from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import { engineWith, refusals, type SpecOperation, senderOf, successBody, transports } from './spec-operation.ts'

const getToken = {
  id: 'getToken',
  method: 'GET',
  path: '/api/v2/tokens/{id}',
  success: 200,
} as const satisfies SpecOperation

const commonFields = {
  _id: string,
  ownerId: string,
  memberId: string,
  creationDate: time,
  lastModified: time,
  _links: links('self', 'parent'),
  _member: memberSummary,
  name: string,
  description: string,
  customRoleIds: listOf(string),
  inlineRole: listOf(policyStatement),
  token: string,
  serviceToken: boolean,
  defaultApiVersion: integer,
  lastUsed: time,
}

const statements = [
  { effect: 'allow', resources: ['proj/*'], actions: ['*'] },
  { effect: 'deny', notResources: ['proj/web'], notActions: ['viewProject'] },
] as const

/** Creates tokens of one member: one for each of the three ways to grant rights, and a service token. */
async function tokensOfAllKinds({ given }: TestEngine) {
  await given.role('viewer', [{ effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] }])
  const ann = await given.member('ann@example.test', { firstName: 'Ann', lastName: 'Archer', role: 'admin' })
  const tokenSettings = { name: 'Bot', description: 'Deploys' }
  const baseRoleToken = await given.token({ ...tokenSettings, role: 'reader', defaultApiVersion: 20220603 }, ann._id)
  const customRoleToken = await given.token({ ...tokenSettings, customRoleIds: ['viewer'] }, ann._id)
  const inlineRoleToken = await given.token(
    { ...tokenSettings, inlineRole: statements.map((statement) => ({ ...statement })) as never },
    ann._id,
  )
  const serviceToken = await given.token({ ...tokenSettings, serviceToken: true })
  return {
    request: { params: { id: baseRoleToken._id } },
    fixture: { ann, plain: baseRoleToken, custom: customRoleToken, inline: inlineRoleToken, service: serviceToken },
  }
}

describeCommonRules(getToken, tokensOfAllKinds)

describe.each(transports)('getToken %s', (transport) => {
  it('has every field of docs/specification.md', async () => {
    const { engine, request, fixture } = await engineWith(tokensOfAllKinds)
    const token = await successBody(senderOf(engine, getToken, transport)(request), getToken)
    expectShape(token, objectOf({ ...commonFields, role: string }))
    const { ann, plain: baseRoleToken } = fixture
    expect(token).toMatchObject({
      _id: baseRoleToken._id,
      memberId: ann._id,
      creationDate: String(engine.now()),
      lastModified: String(engine.now()),
      name: 'Bot',
      description: 'Deploys',
      customRoleIds: [],
      inlineRole: [],
      role: 'reader',
      serviceToken: false,
      defaultApiVersion: 20220603,
      lastUsed: '0',
      _links: {
        self: { href: `/api/v2/tokens/${baseRoleToken._id}`, type: 'application/json' },
        parent: { href: '/api/v2/tokens', type: 'application/json' },
      },
    })
    expect(token._member).toEqual({
      _links: { self: { href: `/api/v2/members/${ann._id}`, type: 'application/json' } },
      _id: ann._id,
      role: 'admin',
      email: 'ann@example.test',
      firstName: 'Ann',
      lastName: 'Archer',
    })
    const { items } = await engine.api.listMembers({}, { as: engine.admin })
    const owner = items.find(({ role }) => role === 'owner')
    expect(token.ownerId).toBe(owner?._id)
  })

  it('a token is returned completely when it is created, and as its last four characters afterwards', async () => {
    const { engine, request, fixture } = await engineWith(tokensOfAllKinds)
    expect(fixture.plain.token).toMatch(/^api-[0-9a-f]{64}$/)
    const { token } = await successBody(senderOf(engine, getToken, transport)(request), getToken)
    expect(token).toBe(fixture.plain.token.slice(-4))
  })

  it('a token is returned completely when it is reset, and as its last four characters afterwards', async () => {
    const { engine, request, fixture } = await engineWith(tokensOfAllKinds)
    const reset = await engine.api.resetToken({ id: fixture.plain._id }, { as: engine.admin })
    expect(reset.token).toMatch(/^api-[0-9a-f]{64}$/)
    expect(reset.token).not.toBe(fixture.plain.token)
    const { token } = await successBody(senderOf(engine, getToken, transport)(request), getToken)
    expect(token).toBe(reset.token.slice(-4))
  })

  it('a token with custom roles lists them and has no base role', async () => {
    const { engine, fixture } = await engineWith(tokensOfAllKinds)
    const send = senderOf(engine, getToken, transport)
    const token = await successBody(send({ params: { id: fixture.custom._id } }), getToken)
    expectShape(token, objectOf(commonFields))
    expect(token).toMatchObject({ customRoleIds: ['viewer'], inlineRole: [], defaultApiVersion: 20240415 })
  })

  it('a token with an inline role lists its statements and has no base role', async () => {
    const { engine, fixture } = await engineWith(tokensOfAllKinds)
    const send = senderOf(engine, getToken, transport)
    const token = await successBody(send({ params: { id: fixture.inline._id } }), getToken)
    expectShape(token, objectOf(commonFields))
    expect(token).toMatchObject({ customRoleIds: [], inlineRole: statements })
  })

  it('a service token has `serviceToken: true`', async () => {
    const { engine, fixture } = await engineWith(tokensOfAllKinds)
    const token = await successBody(
      senderOf(engine, getToken, transport)({ params: { id: fixture.service._id } }),
      getToken,
    )
    expectShape(token, objectOf({ ...commonFields, role: string }))
    expect(token.serviceToken).toBe(true)
  })

  it('lastUsed is the time of the last use, as a number if timestamps are numbers', async () => {
    for (const timestamps of ['string', 'number'] as const) {
      const { engine, request, fixture } = await engineWith(tokensOfAllKinds, { wire: { timestamps } })
      const send = senderOf(engine, getToken, transport)
      const zero = timestamps === 'string' ? '0' : 0
      expect((await successBody(send(request), getToken)).lastUsed).toBe(zero)
      engine.advance(3_600_000)
      await engine.api.listProjects({}, { as: fixture.plain.token })
      const afterUse = await successBody(send(request), getToken)
      expectShape(afterUse, objectOf({ ...commonFields, role: string }), { timestamps })
      expect(Number(afterUse.lastUsed)).toBe(engine.now())
    }
  })

  it('is forbidden for a caller without the right to view it', async () => {
    const { engine, request } = await engineWith(tokensOfAllKinds)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['member/other:token/*'], actions: ['viewToken'] }],
    })
    expect(await senderOf(engine, getToken, transport)({ ...request, as: token })).toEqual(refusals.forbidden)
  })

  it.each(['none', '__proto__', '00000000-0000-4000-8000-999999999999'])('is not found for the id %s', async (id) => {
    const { engine } = await engineWith(tokensOfAllKinds)
    expect(await senderOf(engine, getToken, transport)({ params: { id } })).toEqual(refusals.not_found)
  })
})
