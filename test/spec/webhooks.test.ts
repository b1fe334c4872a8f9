import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { access, boolean, expectShape, links, listOf, members, policyStatement, string } from './answer-shape.ts'
import { describeGates } from './gates.ts'
import { answerOf, asking, doors, type SpecOperation, staged } from './spec-operation.ts'

const listWebhooks = {
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/v2/webhooks',
  success: 200,
} as const satisfies SpecOperation

const webhook = {
  _links: links('self', 'parent'),
  _id: string,
  url: string,
  on: boolean,
  tags: listOf(string),
  name: string,
  statements: listOf(policyStatement),
  _access: access,
}

const list = members({ _links: links('self'), items: listOf(members({ ...webhook, secret: string })) })

const statements = [
  { effect: 'allow', resources: ['proj/*:env/production:flag/*'], actions: ['*'] },
  { effect: 'deny', notResources: ['proj/web'], notActions: ['updateOn', 'updateName'] },
] as const

const secret = 'a-secret-of-sixteen'

/** Creates two webhooks that sign their messages, the first with a secret of its own. */
async function twoWebhooks({ api, admin, advance }: TestEngine) {
  const as = { as: admin }
  const url = 'https://chat.example.test/hook'
  const said = { name: 'Chat', url, on: true, sign: true, secret, tags: ['chat'] }
  const body = { ...said, statements: statements.map((one) => ({ ...one })) as never }
  const first = await api.createWebhook({ body }, as)
  advance(1)
  const second = await api.createWebhook({ body: { url, on: false, sign: true } }, as)
  return { question: {}, more: { first, second } }
}

describeGates(listWebhooks, twoWebhooks)

describe.each(doors)('listWebhooks %s', (door) => {
  it('returns every field of docs/specification.md, and neither a count nor pages', async () => {
    const { engine, more } = await staged(twoWebhooks)
    const answer = await answerOf(asking(engine, listWebhooks, door)(), listWebhooks)
    expectShape(answer, list)
    expect(answer._links).toEqual({ self: { href: '/api/v2/webhooks', type: 'application/json' } })
    expect(answer.items[0]).toEqual({
      _access: expect.anything(),
      _links: {
        self: { href: `/api/v2/webhooks/${more.first._id}`, type: 'application/json' },
        parent: { href: '/api/v2/webhooks', type: 'application/json' },
      },
      _id: more.first._id,
      url: 'https://chat.example.test/hook',
      on: true,
      tags: ['chat'],
      name: 'Chat',
      secret,
      statements,
    })
    expect(answer.items[1]).toMatchObject({ _id: more.second._id, on: false, name: '', tags: [], statements: [] })
    expect(answer.items[1]?.secret).toMatch(/^[0-9a-f]{64}$/)
  })

  it('returns all webhooks on one page', async () => {
    const { engine } = await staged(twoWebhooks)
    for (let i = 0; i < 119; i++) {
      const body = { url: `https://chat.example.test/${i}`, on: true, sign: false }
      await engine.api.createWebhook({ body }, { as: engine.admin })
    }
    const { items } = await answerOf(asking(engine, listWebhooks, door)(), listWebhooks)
    expect(items).toHaveLength(121)
    expectShape(items[120], members(webhook))
  })

  it('returns no secrets to a caller with read rights only', async () => {
    const { engine } = await staged(twoWebhooks)
    const { token } = await engine.given.token({ role: 'reader' })
    const answer = await answerOf(asking(engine, listWebhooks, door)({ as: token }), listWebhooks)
    expectShape(answer, list)
    expect(answer.items).toHaveLength(2)
    expect(JSON.stringify(answer)).not.toContain(secret)
    const denied = answer.items[0]?._access?.denied.map(({ action }: { action: string }) => action)
    expect(denied).toEqual(expect.arrayContaining(['updateSecret', 'updateUrl', 'deleteWebhook']))
  })

  it('omits webhooks that the caller may not view', async () => {
    const { engine, more } = await staged(twoWebhooks)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: [`webhook/${more.second._id}`], actions: ['viewWebhook'] }],
    })
    const { items } = await answerOf(asking(engine, listWebhooks, door)({ as: token }), listWebhooks)
    expect(items.map(({ _id }: { _id: string }) => _id)).toEqual([more.second._id])
  })
})
