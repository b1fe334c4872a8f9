import { describe, expect, it } from 'vitest'
import type { Send } from '../../entries/webhooks.ts'
import { openReceiver } from './test/receiver.ts'
import {
  allow,
  attemptsOf,
  bodies,
  day,
  deliveredNames,
  engineWithSender,
  hour,
  minute,
  newestEntry,
  patch,
  rename,
  second,
  send,
  webhookTo,
} from './test/webhook-calls.ts'

/** Sends with a short timeout, for receivers that do not respond. */
const sendWithShortTimeout: Send = (message) => send({ ...message, timeoutMs: 300 })

describe('a failed delivery', () => {
  it('is retried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, at most a tenth later, and then given up', async () => {
    const delays = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)]
    const [engine, receiver] = [await engineWithSender({ now: 0 }), await openReceiver()]
    // Other deliveries succeed between the failures of this delivery, so that the webhook stays on.
    receiver.response = ({ body }) => ({ status: body.includes('"name":"bad"') ? 500 : 200 })
    const id = await webhookTo(engine, receiver)
    await engine.given.project('bad')
    const deliveryId = (await newestEntry(engine))?._id as string
    for (const [index, delay] of delays.entries()) {
      expect(await engine.runDueTasks()).toMatchObject({ failed: 1 })
      await engine.given.project(`good-${index}`)
      await engine.runDueTasks()
      const [attempt] = await attemptsOf(engine, id, { delivery: deliveryId })
      expect(attempt).toMatchObject({ number: index + 1, status: 500 })
      const { nextAttemptDate } = await engine.api.getWebhookDelivery({ id, deliveryId }, { as: engine.admin })
      const wait = Number(nextAttemptDate) - engine.now()
      expect(wait).toBeGreaterThanOrEqual(delay)
      expect(wait).toBeLessThanOrEqual(delay * 1.1)
      engine.advance(wait - 1)
      expect(await engine.runDueTasks()).toMatchObject({ failed: 0 })
      engine.advance(1)
    }
    expect(await engine.runDueTasks()).toMatchObject({ failed: 1 })
    const finished = await engine.api.getWebhookDelivery({ id, deliveryId }, { as: engine.admin })
    expect(finished).toMatchObject({ waiting: false, attempts: { length: 10 } })
    engine.advance(30 * hour)
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
    const attempts = receiver.received.filter(({ headers }) => headers['webhook-id'] === deliveryId)
    expect(attempts).toHaveLength(10)
  })

  it('keeps its id and gets a new signature', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver)
    receiver.response = { status: 500 }
    await engine.given.project('web')
    await engine.runDueTasks()
    engine.advance(6 * second)
    receiver.response = { status: 200 }
    await engine.runDueTasks()
    const [first, retried] = receiver.received.map(({ headers }) => headers)
    expect(retried?.['webhook-id']).toBe(first?.['webhook-id'])
    expect(retried?.['webhook-timestamp']).not.toBe(first?.['webhook-timestamp'])
    expect(retried?.['webhook-signature']).not.toBe(first?.['webhook-signature'])
  })

  it.each([301, 302, 307, 400, 404, 500])('is one that gets a response with status %i', async (status) => {
    const [engine, receiver, elsewhere] = [await engineWithSender(), await openReceiver(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    receiver.response = { status, headers: { location: elsewhere.url }, body: `${'x'.repeat(2000)}` }
    await engine.given.project('web')
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 1, more: false })
    expect(elsewhere.received).toEqual([])
    const [attempt] = await attemptsOf(engine, id)
    expect(attempt).toMatchObject({ outcome: 'failure', status, reason: expect.stringContaining(`${status}`) })
    // Some runtimes hide the body of a redirect.
    if (status >= 400) expect(attempt?.response).toBe('x'.repeat(1024))
  })

  it('is one that gets no response in time', async () => {
    const [engine, receiver] = [
      await engineWithSender({ webhooks: { send: sendWithShortTimeout } }),
      await openReceiver(),
    ]
    const id = await webhookTo(engine, receiver)
    receiver.response = 'hang'
    await engine.given.project('web')
    await engine.runDueTasks()
    await patch(engine, id, '/url', 'http://127.0.0.1:1/')
    engine.advance(6 * second)
    await engine.runDueTasks()
    expect((await attemptsOf(engine, id)).map(({ reason }) => reason)).toEqual([
      'No connection.',
      'No response within 300 ms.',
    ])
  })

  it.each([429, 503])('respects Retry-After of a response with %i, up to a day', async (status) => {
    for (const [retryAfter, wait] of [
      ['120', 120 * second],
      [new Date(Date.UTC(2026, 0, 1, 1)).toUTCString(), hour],
      ['9999999', day],
      ['soon', 5 * second],
      ['1', 5 * second],
    ] as const) {
      const [engine, receiver] = [await engineWithSender(), await openReceiver()]
      await webhookTo(engine, receiver)
      receiver.response = { status, headers: { 'retry-after': retryAfter } }
      await engine.given.project('web')
      await engine.runDueTasks()
      receiver.response = { status: 200 }
      engine.advance(wait - 1)
      expect(await engine.runDueTasks()).toMatchObject({ delivered: 0 })
      engine.advance(1 + second)
      expect(await engine.runDueTasks()).toMatchObject({ delivered: 1 })
    }
  })

  it('delays later deliveries about the same resource, and no others', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver)
    for (const key of ['web', 'app']) await engine.given.project(key)
    await rename(engine, 'web', 'web 2')
    await rename(engine, 'app', 'app 2')
    receiver.response = ({ body }) => ({ status: body.includes('"name":"web"') ? 500 : 200 })
    await engine.runDueTasks()
    engine.advance(5 * second)
    await engine.runDueTasks()
    expect(deliveredNames(receiver)).not.toContain('web 2')
    expect(deliveredNames(receiver).filter((name) => name.startsWith('app'))).toEqual(['app', 'app 2'])
    receiver.response = { status: 200 }
    engine.advance(6 * minute)
    await engine.runDueTasks()
    expect(deliveredNames(receiver).slice(-2)).toEqual(['web', 'web 2'])
  })
})

describe('a receiver', () => {
  it('gets all deliveries in order after an hour of failures', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    receiver.response = { status: 503 }
    await engine.given.project('web')
    for (let i = 0; i < 60; i++) {
      await rename(engine, 'web', `name ${i}`)
      await engine.runDueTasks()
      engine.advance(minute)
    }
    receiver.response = { status: 200 }
    const receivedWhileDown = receiver.received.length
    for (let i = 0; i < 200; i++) {
      await engine.runDueTasks()
      engine.advance(minute)
    }
    expect(deliveredNames(receiver).slice(receivedWhileDown)).toEqual([
      'web',
      ...Array.from({ length: 60 }, (_, i) => `name ${i}`),
    ])
    expect(await engine.api.getWebhook({ id }, { as: engine.admin })).toMatchObject({ on: true })
  })

  it('gets no more deliveries after a response with 410', async () => {
    const [engine, receiver, otherReceiver] = [await engineWithSender(), await openReceiver(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    await webhookTo(engine, otherReceiver, { statements: allow('webhook/*', ['updateOn']) })
    receiver.response = { status: 410 }
    await engine.given.project('web')
    await rename(engine, 'web', 'next')
    await engine.runDueTasks()
    expect(await engine.api.getWebhook({ id }, { as: engine.admin })).toMatchObject({ on: false })
    const entry = await newestEntry(engine)
    expect(entry).toMatchObject({
      comment: 'The receiver responded with 410 (Gone).',
      accesses: [{ action: 'updateOn', resource: `webhook/${id}` }],
    })
    expect(bodies(otherReceiver).at(-1)?._id).toBe(entry?._id)
    const before = receiver.received.length
    receiver.response = { status: 200 }
    await patch(engine, id, '/on', true)
    engine.advance(day)
    await engine.runDueTasks()
    expect(receiver.received).toHaveLength(before)
  })

  it('is turned off after three days of failures', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    receiver.response = { status: 500 }
    await engine.given.project('web')
    const isOn = async () => (await engine.api.getWebhook({ id }, { as: engine.admin })).on
    for (let i = 0; i < 71; i++) {
      await engine.runDueTasks()
      engine.advance(hour)
      expect(await isOn()).toBe(true)
    }
    for (let i = 0; i < 30; i++) {
      await rename(engine, 'web', `name ${i}`)
      await engine.runDueTasks()
      engine.advance(hour)
    }
    expect(await isOn()).toBe(false)
    const { items } = await engine.api.listChangeLog({ spec: `webhook/${id}` }, { as: engine.admin })
    expect(items[0]?.comment).toBe('Every delivery of the last three days failed.')
  })

  it('stays on after a success within three days, or a change of its URL', async () => {
    for (const rescue of ['success', 'url'] as const) {
      const [engine, receiver] = [await engineWithSender(), await openReceiver()]
      const id = await webhookTo(engine, receiver)
      for (let i = 0; i < 100; i++) {
        await engine.given.project(`p${i}`)
        receiver.response = { status: i === 50 && rescue === 'success' ? 200 : 500 }
        if (i === 50 && rescue === 'url') await patch(engine, id, '/url', `${receiver.url}/new`)
        await engine.runDueTasks()
        engine.advance(hour)
      }
      expect(await engine.api.getWebhook({ id }, { as: engine.admin })).toMatchObject({ on: true })
    }
  })

  it('that does not respond does not delay other receivers', async () => {
    const [slowReceiver, quickReceiver] = [await openReceiver(), await openReceiver()]
    // The short timeout applies to one receiver only, so that the other has enough time on a busy machine.
    const sendWithOneShortTimeout: Send = (message) =>
      (message.url.startsWith(slowReceiver.url) ? sendWithShortTimeout : send)(message)
    const engine = await engineWithSender({ webhooks: { send: sendWithOneShortTimeout } })
    await webhookTo(engine, slowReceiver)
    const id = await webhookTo(engine, quickReceiver)
    for (let i = 0; i < 40; i++) await engine.given.project(`p${i}`)
    slowReceiver.response = 'hang'
    await engine.runDueTasks({ limit: 1_000 })
    expect(quickReceiver.received).toHaveLength(40)
    // At first four deliveries wait for the slow receiver. After that, they are tried one at a time, and the deliveries
    // to other receivers go on.
    expect(slowReceiver.received.length).toBeLessThan(10)
    expect(await attemptsOf(engine, id, { outcome: 'success' })).toHaveLength(40)
  })
})
