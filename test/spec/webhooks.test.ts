import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { access, boolean, expectShape, links, listOf, objectOf, policyStatement, string } from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import { engineWith, type SpecOperation, senderOf, successBody, transports } from './spec-operation.ts'

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

const list = objectOf({ _links: links('self'), items: listOf(objectOf({ ...webhook, secret: string })) })

const statements = [
  { effect: 'allow', resources: ['proj/*:env/production:flag/*'], actions: ['*'] },
  { effect: 'deny', notResources: ['proj/web'], notActions: ['updateOn', 'updateName'] },
] as const

const secret = 'a-secret-of-sixteen'

/** Creates two webhooks that sign their messages, the first with a secret of its own. */
async function twoWebhooks({ api, admin, advance }: TestEngine) {
  const as = { as: admin }
  const url = 'https://chat.example.test/hook'
  const settings = { name: 'Chat', url, on: true, sign: true, secret, tags: ['chat'] }
  const body = { ...settings, statements: statements.map((statement) => ({ ...statement })) as never }
  const first = await api.createWebhook({ body }, as)
  advance(1)
  const second = await api.createWebhook({ body: { url, on: false, sign: true } }, as)
  return { request: {}, fixture: { first, second } }
}

describeCommonRules(listWebhooks, twoWebhooks)

describe.each(transports)('listWebhooks %s', (transport) => {
  it('returns every field of docs/specification.md, and neither a count nor pages', async () => {
    const { engine, fixture } = await engineWith(twoWebhooks)
    const response = await successBody(senderOf(engine, listWebhooks, transport)(), listWebhooks)
    expectShape(response, list)
    expect(response._links).toEqual({ self: { href: '/api/v2/webhooks', type: 'application/json' } })
    expect(response.items[0]).toEqual({
      _access: expect.anything(),
      _links: {
        self: { href: `/api/v2/webhooks/${fixture.first._id}`, type: 'application/json' },
        parent: { href: '/api/v2/webhooks', type: 'application/json' },
      },
      _id: fixture.first._id,
      url: 'https://chat.example.test/hook',
      on: true,
      tags: ['chat'],
      name: 'Chat',
      secret,
      statements,
    })
    expect(response.items[1]).toMatchObject({ _id: fixture.second._id, on: false, name: '', tags: [], statements: [] })
    expect(response.items[1]?.secret).toMatch(/^[0-9a-f]{64}$/)
  })

  it('returns all webhooks on one page', async () => {
    const { engine } = await engineWith(twoWebhooks)
    for (let i = 0; i < 119; i++) {
      const body = { url: `https://chat.example.test/${i}`, on: true, sign: false }
      await engine.api.createWebhook({ body }, { as: engine.admin })
    }
    const { items } = await successBody(senderOf(engine, listWebhooks, transport)(), listWebhooks)
    expect(items).toHaveLength(121)
    expectShape(items[120], objectOf(webhook))
  })

  it('returns no secrets to a caller with read rights only', async () => {
    const { engine } = await engineWith(twoWebhooks)
    const { token } = await engine.given.token({ role: 'reader' })
    const response = await successBody(senderOf(engine, listWebhooks, transport)({ as: token }), listWebhooks)
    expectShape(response, list)
    expect(response.items).toHaveLength(2)
    expect(JSON.stringify(response)).not.toContain(secret)
    const denied = response.items[0]?._access?.denied.map(({ action }: { action: string }) => action)
    expect(denied).toEqual(expect.arrayContaining(['updateSecret', 'updateUrl', 'deleteWebhook']))
  })

  it('omits webhooks that the caller may not view', async () => {
    const { engine, fixture } = await engineWith(twoWebhooks)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: [`webhook/${fixture.second._id}`], actions: ['viewWebhook'] }],
    })
    const { items } = await successBody(senderOf(engine, listWebhooks, transport)({ as: token }), listWebhooks)
    expect(items.map(({ _id }: { _id: string }) => _id)).toEqual([fixture.second._id])
  })
})
