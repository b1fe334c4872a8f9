import { describe, expect, it } from 'vitest'
import type { WebhookMessage } from '../../entries/webhooks.ts'
import { failureOf, sender } from '../account/test/calls.ts'
import { engineWithRecordedMessages, json, minute, turnOff, url } from './test/engine-with-post.ts'

describe('testWebhook', () => {
  it('sends a signed message of the kind ping, without a change log entry', async () => {
    const { engine, post, id, as } = await engineWithRecordedMessages()
    const before = (await engine.api.listChangeLog({}, as)).items.length
    const send = sender(engine)
    const { status, headers, body } = await send('POST', `/api/v2/webhooks/${id}/test`)
    const self = `/api/v2/webhooks/${id}/deliveries/${body._id}`
    expect({ status, location: headers.location, self: body._links.self.href }).toEqual({
      status: 201,
      location: self,
      self,
    })
    expect(await engine.api.getWebhookDelivery({ id, deliveryId: body._id }, as)).toMatchObject({
      event: 'ping',
      waiting: true,
      attempts: [],
    })
    await engine.runDueTasks()
    const [message] = post.sent as [WebhookMessage]
    expect(JSON.parse(message.body)).toEqual({
      _links: { self: { href: self, type: json } },
      _id: body._id,
      date: `${engine.now()}`,
      kind: 'ping',
      name: 'Chat',
      titleVerb: 'tested the webhook Chat',
      title: 'The engine tested the webhook Chat',
      description: 'tested the webhook Chat',
      accesses: [],
      target: { name: 'Chat', resources: [`webhook/${id}`] },
      delta: [],
    })
    expect(message.headers).toMatchObject({ 'webhook-id': body._id, 'webhook-signature': expect.any(String) })
    expect((await engine.api.listChangeLog({}, as)).items).toHaveLength(before)
    await engine.api.replayWebhookDelivery({ id, deliveryId: body._id }, as)
    await engine.runDueTasks()
    expect(post.sent[1]?.body).toBe(message.body)
  })
})

describe('replayWebhook', () => {
  it('sends the changes that the current statements select, and returns their number', async () => {
    const { engine, post, id, as } = await engineWithRecordedMessages()
    const times: number[] = []
    for (const key of ['a', 'b', 'c', 'd']) {
      times.push(engine.now())
      await engine.given.project(key)
      engine.advance(minute)
    }
    await engine.runDueTasks()
    post.sent.length = 0
    const statements = [{ effect: 'allow', notResources: ['proj/c', 'proj/c:env/*'], actions: ['*'] }]
    await engine.api.patchWebhook({ id, body: [{ op: 'replace', path: '/statements', value: statements }] }, as)
    const [, second, , fourth] = times as [number, number, number, number]
    expect(await engine.api.replayWebhook({ id, body: { after: second, before: fourth } }, as)).toEqual({ count: 1 })
    // Pending deliveries are not counted again.
    expect(await engine.api.replayWebhook({ id, body: { after: second } }, as)).toEqual({ count: 1 })
    await engine.runDueTasks()
    expect(post.sent.map(({ body }) => JSON.parse(body).name).sort()).toEqual(['b', 'd'])
  })

  it('includes the current time', async () => {
    const { engine, id, as } = await engineWithRecordedMessages()
    await engine.given.project('web')
    await engine.runDueTasks()
    expect(await engine.api.replayWebhook({ id, body: { after: engine.now() } }, as)).toEqual({ count: 1 })
  })

  it('rejects a range with more than 10,000 changes', async () => {
    const { engine, id, as } = await engineWithRecordedMessages()
    await turnOff(engine, id)
    await engine.given.project('web')
    const first = engine.now()
    for (let i = 0; i < 10_001; i++) {
      engine.advance(1)
      await engine.api.patchProject({ projectKey: 'web', body: [{ op: 'replace', path: '/name', value: `${i}` }] }, as)
    }
    const { _id: otherId } = await engine.api.createWebhook({ body: { url, on: true, sign: false } }, as)
    const failure = await failureOf(engine.api.replayWebhook({ id: otherId, body: { after: first + 1 } }, as))
    expect(failure.errors).toEqual([
      { attribute: 'after', reason: 'selects more than 10000 changes; request a shorter range' },
    ])
    expect(
      await engine.api.replayWebhook({ id: otherId, body: { after: first + 2, before: engine.now() + 1 } }, as),
    ).toEqual({
      count: 10_000,
    })
  }, 60_000)

  it.each([
    [{}, ['after must be present']],
    [{ after: 'x', before: -1 }, ['after must be integer Unix milliseconds', 'before must not be negative']],
    [{ after: 5, before: 5 }, ['before must be later than `after`']],
    [{ after: 0, more: 1 }, ['more is not a known member']],
  ])('rejects %j', async (body, expectedErrors) => {
    const { engine, id, as } = await engineWithRecordedMessages()
    const { errors } = await failureOf(engine.api.replayWebhook({ id, body } as never, as))
    expect(errors?.map(({ attribute, reason }) => `${attribute} ${reason}`)).toEqual(expectedErrors)
  })
})
