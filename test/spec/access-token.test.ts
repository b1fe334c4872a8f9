import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  boolean,
  expectShape,
  integer,
  links,
  listOf,
  memberSummary,
  members,
  policyStatement,
  string,
  time,
} from './answer-shape.ts'
import { describeGates } from './gates.ts'
import { answerOf, asking, doors, refusals, type SpecOperation, staged } from './spec-operation.ts'

const getToken = {
  id: 'getToken',
  method: 'GET',
  path: '/api/v2/tokens/{id}',
  success: 200,
} as const satisfies SpecOperation

const always = {
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
  const said = { name: 'Bot', description: 'Deploys' }
  const plain = await given.token({ ...said, role: 'reader', defaultApiVersion: 20220603 }, ann._id)
  const custom = await given.token({ ...said, customRoleIds: ['viewer'] }, ann._id)
  const inline = await given.token({ ...said, inlineRole: statements.map((one) => ({ ...one })) as never }, ann._id)
  const service = await given.token({ ...said, serviceToken: true })
  return { question: { params: { id: plain._id } }, more: { ann, plain, custom, inline, service } }
}

describeGates(getToken, tokensOfAllKinds)

describe.each(doors)('getToken %s', (door) => {
  it('has every field of docs/specification.md', async () => {
    const { engine, question, more } = await staged(tokensOfAllKinds)
    const token = await answerOf(asking(engine, getToken, door)(question), getToken)
    expectShape(token, members({ ...always, role: string }))
    const { ann, plain } = more
    expect(token).toMatchObject({
      _id: plain._id,
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
        self: { href: `/api/v2/tokens/${plain._id}`, type: 'application/json' },
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
    const { engine, question, more } = await staged(tokensOfAllKinds)
    expect(more.plain.token).toMatch(/^api-[0-9a-f]{64}$/)
    const { token } = await answerOf(asking(engine, getToken, door)(question), getToken)
    expect(token).toBe(more.plain.token.slice(-4))
  })

  it('a token is returned completely when it is reset, and as its last four characters afterwards', async () => {
    const { engine, question, more } = await staged(tokensOfAllKinds)
    const reset = await engine.api.resetToken({ id: more.plain._id }, { as: engine.admin })
    expect(reset.token).toMatch(/^api-[0-9a-f]{64}$/)
    expect(reset.token).not.toBe(more.plain.token)
    const { token } = await answerOf(asking(engine, getToken, door)(question), getToken)
    expect(token).toBe(reset.token.slice(-4))
  })

  it('a token with custom roles lists them and has no base role', async () => {
    const { engine, more } = await staged(tokensOfAllKinds)
    const ask = asking(engine, getToken, door)
    const token = await answerOf(ask({ params: { id: more.custom._id } }), getToken)
    expectShape(token, members(always))
    expect(token).toMatchObject({ customRoleIds: ['viewer'], inlineRole: [], defaultApiVersion: 20240415 })
  })

  it('a token with an inline role lists its statements and has no base role', async () => {
    const { engine, more } = await staged(tokensOfAllKinds)
    const ask = asking(engine, getToken, door)
    const token = await answerOf(ask({ params: { id: more.inline._id } }), getToken)
    expectShape(token, members(always))
    expect(token).toMatchObject({ customRoleIds: [], inlineRole: statements })
  })

  it('a service token has `serviceToken: true`', async () => {
    const { engine, more } = await staged(tokensOfAllKinds)
    const token = await answerOf(asking(engine, getToken, door)({ params: { id: more.service._id } }), getToken)
    expectShape(token, members({ ...always, role: string }))
    expect(token.serviceToken).toBe(true)
  })

  it('lastUsed is the time of the last use, as a number if timestamps are numbers (D4)', async () => {
    for (const timestamps of ['string', 'number'] as const) {
      const { engine, question, more } = await staged(tokensOfAllKinds, { wire: { timestamps } })
      const ask = asking(engine, getToken, door)
      const zero = timestamps === 'string' ? '0' : 0
      expect((await answerOf(ask(question), getToken)).lastUsed).toBe(zero)
      engine.advance(3_600_000)
      await engine.api.listProjects({}, { as: more.plain.token })
      const used = await answerOf(ask(question), getToken)
      expectShape(used, members({ ...always, role: string }), { timestamps })
      expect(Number(used.lastUsed)).toBe(engine.now())
    }
  })

  it('is forbidden for a caller without the right to view it', async () => {
    const { engine, question } = await staged(tokensOfAllKinds)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['member/other:token/*'], actions: ['viewToken'] }],
    })
    expect(await asking(engine, getToken, door)({ ...question, as: token })).toEqual(refusals.forbidden)
  })

  it.each(['none', '__proto__', '00000000-0000-4000-8000-999999999999'])('is not found for the id %s', async (id) => {
    const { engine } = await staged(tokensOfAllKinds)
    expect(await asking(engine, getToken, door)({ params: { id } })).toEqual(refusals.not_found)
  })
})
