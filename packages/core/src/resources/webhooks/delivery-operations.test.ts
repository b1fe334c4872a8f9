import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { failureOf, sender } from '../account/test/calls.ts'
import {
  callerWith,
  engineWithRecordedMessages,
  failedOutcome,
  json,
  minute,
  turnOff,
  url,
} from './test/engine-with-post.ts'

describe('the attempts of a webhook', () => {
  it('are listed newest first, with all properties', async () => {
    const { engine, post, id, as } = await engineWithRecordedMessages()
    post.next = failedOutcome
    await engine.given.project('web')
    await engine.runDueTasks()
    engine.advance(minute)
    post.next = { outcome: 'answered', status: 200, body: 'thanks', ms: 12 }
    await engine.runDueTasks()
    const page = await engine.api.listWebhookDeliveries({ id }, as)
    const deliveryId = post.sent[0]?.headers['webhook-id'] as string
    const common = {
      _id: expect.any(String),
      _links: {
        self: { href: `/api/v2/webhooks/${id}/deliveries/${deliveryId}`, type: json },
        parent: { href: `/api/v2/webhooks/${id}/deliveries`, type: json },
      },
      deliveryId,
      event: 'change',
    }
    expect(page.items).toEqual([
      { ...common, date: `${engine.now()}`, number: 2, outcome: 'success', status: 200, ms: 12, response: 'thanks' },
      { ...common, date: `${engine.now() - minute}`, number: 1, outcome: 'failure', reason: 'No connection.' },
    ])
    expect(Object.keys(page._links)).toEqual(['self'])
  })

  it('are listed in pages, each once', async () => {
    const { engine, id } = await engineWithRecordedMessages()
    for (let i = 0; i < 25; i++) await engine.given.project(`p${i}`)
    await engine.runDueTasks()
    const send = sender(engine)
    const attemptIds: string[] = []
    let path: string | undefined = `/api/v2/webhooks/${id}/deliveries?limit=10`
    const sizes: number[] = []
    while (path !== undefined) {
      const { status, body }: Awaited<ReturnType<typeof send>> = await send('GET', path)
      expect(status).toBe(200)
      sizes.push(body.items.length)
      attemptIds.push(...body.items.map(({ _id }: { _id: string }) => _id))
      path = body._links.next?.href
    }
    expect(sizes).toEqual([10, 10, 5])
    expect(new Set(attemptIds).size).toBe(25)
  })

  it('are filtered by outcome and by delivery', async () => {
    const { engine, post, id, as } = await engineWithRecordedMessages()
    await engine.given.project('good')
    await engine.runDueTasks()
    post.next = failedOutcome
    await engine.given.project('bad')
    await engine.runDueTasks()
    const [good, bad] = post.sent.map(({ headers }) => headers['webhook-id'] as string)
    const ids = async (overrides: object) =>
      (await engine.api.listWebhookDeliveries({ id, ...overrides }, as)).items.map(({ deliveryId }) => deliveryId)
    expect(await ids({ outcome: 'success' })).toEqual([good])
    expect(await ids({ outcome: 'failure' })).toEqual([bad])
    expect(await ids({ delivery: good })).toEqual([good])
    expect(await ids({ delivery: good, outcome: 'failure' })).toEqual([])
    expect(await ids({ delivery: 'unknown' })).toEqual([])
  })

  it('with one outcome are found among many with the other outcome', async () => {
    const { engine, post, id, as } = await engineWithRecordedMessages()
    post.next = failedOutcome
    await engine.given.project('bad')
    await engine.runDueTasks()
    const [bad] = post.sent.map(({ headers }) => headers['webhook-id'])
    post.next = { outcome: 'answered', status: 200, body: '', ms: 1 }
    for (let i = 0; i < 1_050; i++) await engine.api.testWebhook({ id }, as)
    while ((await engine.runDueTasks({ limit: 2_000 })).more);
    const first = await engine.api.listWebhookDeliveries({ id, outcome: 'failure' }, as)
    expect(first.items).toEqual([])
    const cursor = new URL(first._links.next?.href as string, 'http://x').searchParams.get('cursor') as string
    const second = await engine.api.listWebhookDeliveries({ id, outcome: 'failure', cursor }, as)
    expect(second.items.map(({ deliveryId }) => deliveryId)).toEqual([bad])
    expect(second._links.next).toBeUndefined()
  })

  it.each([
    [{ cursor: 'x' }, 'cursor', 'must be the _id of an attempt'],
    [{ outcome: 'maybe' }, 'outcome', 'must be one of "success", "failure"'],
    [{ limit: 0 }, 'limit', 'must be at least 1'],
    [{ limit: 101 }, 'limit', 'must be at most 100'],
  ])('are not listed for %j', async (query, attribute, reason) => {
    const { engine, id, as } = await engineWithRecordedMessages()
    const failure = await failureOf(engine.api.listWebhookDeliveries({ id, ...query } as never, as))
    expect(failure).toMatchObject({ code: 'invalid_request', errors: [{ attribute, reason }] })
  })
})

describe('a delivery', () => {
  it('is returned with its message and its times', async () => {
    const { engine, post, id, as } = await engineWithRecordedMessages()
    post.next = failedOutcome
    await engine.given.project('web')
    await engine.runDueTasks()
    const deliveryId = post.sent[0]?.headers['webhook-id'] as string
    const delivery = await engine.api.getWebhookDelivery({ id, deliveryId }, as)
    const { items } = await engine.api.listWebhookDeliveries({ id }, as)
    expect(delivery).toEqual({
      _id: deliveryId,
      _links: items[0]?._links,
      event: 'change',
      body: post.sent[0]?.body,
      waiting: true,
      nextAttemptDate: expect.stringMatching(/^\d+$/),
      attempts: items,
    })
    engine.advance(minute)
    post.next = { outcome: 'answered', status: 204, body: '', ms: 1 }
    await engine.runDueTasks()
    const finished = await engine.api.getWebhookDelivery({ id, deliveryId }, as)
    expect(finished).toMatchObject({ waiting: false, attempts: [{ number: 2 }, { number: 1 }] })
    expect(finished).not.toHaveProperty('nextAttemptDate')
  })

  it('is not found when it does not exist or belongs to another webhook', async () => {
    const { engine, id, as } = await engineWithRecordedMessages()
    const { _id: otherId } = await engine.api.createWebhook({ body: { url, on: true, sign: false } }, as)
    const { _id: deliveryId } = await engine.api.testWebhook({ id }, as)
    for (const unknownKeys of [
      { id: otherId, deliveryId },
      { id, deliveryId: 'unknown' },
      { id, deliveryId: `${deliveryId}0` },
      { id, deliveryId: deliveryId.slice(0, -1) },
      { id: 'unknown', deliveryId },
    ]) {
      expect((await failureOf(engine.api.getWebhookDelivery(unknownKeys, as))).code).toBe('not_found')
      expect((await failureOf(engine.api.replayWebhookDelivery(unknownKeys, as))).code).toBe('not_found')
    }
  })

  it('is replayed immediately with the same id, and its attempts are counted from 1 again', async () => {
    const { engine, post, id, as } = await engineWithRecordedMessages()
    await engine.given.project('web')
    await engine.runDueTasks()
    const deliveryId = post.sent[0]?.headers['webhook-id'] as string
    post.next = failedOutcome
    const page = await engine.api.replayWebhookDelivery({ id, deliveryId }, as)
    expect(page).toEqual({ _id: deliveryId, _links: expect.any(Object) })
    await engine.runDueTasks()
    // A pending delivery is sent without waiting for its next attempt.
    await engine.api.replayWebhookDelivery({ id, deliveryId }, as)
    await engine.runDueTasks()
    expect(post.sent.map(({ headers }) => headers['webhook-id'])).toEqual([deliveryId, deliveryId, deliveryId])
    expect(new Set(post.sent.map(({ body }) => body)).size).toBe(1)
    const { attempts } = await engine.api.getWebhookDelivery({ id, deliveryId }, as)
    expect(attempts.map(({ number, outcome }) => `${number} ${outcome}`)).toEqual([
      '1 failure',
      '1 failure',
      '1 success',
    ])
  })
})

describe('permissions for deliveries', () => {
  it('are viewWebhook to read and updateOn to send', async () => {
    const { engine, id, as } = await engineWithRecordedMessages()
    const { _id: deliveryId } = await engine.api.testWebhook({ id }, as)
    const readCalls = [
      (caller: As) => engine.api.listWebhookDeliveries({ id }, { as: caller }),
      (caller: As) => engine.api.getWebhookDelivery({ id, deliveryId }, { as: caller }),
    ]
    const sendCalls = [
      (caller: As) => engine.api.testWebhook({ id }, { as: caller }),
      (caller: As) => engine.api.replayWebhookDelivery({ id, deliveryId }, { as: caller }),
      (caller: As) => engine.api.replayWebhook({ id, body: { after: 0 } }, { as: caller }),
    ]
    for (const readCall of readCalls) {
      await readCall(callerWith('viewWebhook'))
      expect((await failureOf(readCall(callerWith('updateOn')))).code).toBe('forbidden')
    }
    for (const send of sendCalls) {
      await send(callerWith('updateOn'))
      expect((await failureOf(send(callerWith('viewWebhook', 'updateUrl')))).code).toBe('forbidden')
    }
  })

  it('do not allow sending to a webhook that is off', async () => {
    const { engine, id, as } = await engineWithRecordedMessages()
    const { _id: deliveryId } = await engine.api.testWebhook({ id }, as)
    await turnOff(engine, id)
    for (const send of [
      engine.api.testWebhook({ id }, as),
      engine.api.replayWebhookDelivery({ id, deliveryId }, as),
      engine.api.replayWebhook({ id, body: { after: 0 } }, as),
    ]) {
      expect((await failureOf(send)).errors).toEqual([
        { attribute: 'on', reason: 'must be true, because a webhook that is off receives nothing' },
      ])
    }
  })

  it('end with the webhook, whose deliveries are deleted', async () => {
    const { engine, id, as } = await engineWithRecordedMessages()
    await engine.api.testWebhook({ id }, as)
    await engine.runDueTasks()
    await engine.api.deleteWebhook({ id }, as)
    expect((await failureOf(engine.api.listWebhookDeliveries({ id }, as))).code).toBe('not_found')
    expect((await failureOf(engine.api.testWebhook({ id }, as))).code).toBe('not_found')
    expect((await failureOf(engine.api.replayWebhook({ id, body: { after: 0 } }, as))).code).toBe('not_found')
  })
})
