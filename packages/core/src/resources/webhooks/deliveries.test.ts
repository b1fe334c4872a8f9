import { createHmac } from 'node:crypto'
import { createTestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import type { Send } from '../../entries/webhooks.ts'
import { failureOf } from '../account/test/calls.ts'
import { openReceiver, type Receiver } from './test/receiver.ts'
import {
  attemptsOf,
  bodies,
  day,
  engineWithSender,
  minute,
  newestEntry,
  patch,
  rename,
  replaceOperation,
  send,
  webhookTo,
} from './test/webhook-calls.ts'

describe('a change', () => {
  it('is delivered as its signed entry of the change log', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const secret = 'a-secret-that-is-long-enough'
    await webhookTo(engine, receiver, { secret })
    await engine.given.project('web')
    expect(receiver.received).toEqual([])
    expect(await engine.runDueTasks()).toEqual({ delivered: 1, failed: 0, more: false })
    const [{ path, headers, body }] = receiver.received as [(typeof receiver.received)[0]]
    expect(path).toBe('/hook')
    const entry = await newestEntry(engine)
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(entry)))
    expect(headers['content-type']).toBe('application/json')
    expect(headers['webhook-id']).toBe(entry?._id)
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(engine.now() / 1000)))
    expect(headers['x-svc-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
    expect(headers['webhook-signature']).toMatch(/^v1,/)
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
  })

  it('is delivered without a signature when the webhook does not sign', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver, { sign: false })
    await engine.given.project('web')
    await engine.runDueTasks()
    expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('webhook-signature')
    expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('x-svc-signature')
  })

  it('is not delivered when it was rejected or changed nothing', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await engine.given.project('web')
    await webhookTo(engine, receiver)
    await failureOf(engine.given.project('web'))
    await failureOf(
      engine.api.patchProject({ projectKey: 'web', body: replaceOperation('/name', 'x') }, { as: { role: 'reader' } }),
    )
    await rename(engine, 'web', 'web')
    expect(await engine.runDueTasks()).toMatchObject({ delivered: 0, failed: 0 })
    expect(receiver.received).toEqual([])
  })

  it('of a webhook is delivered to the other webhooks', async () => {
    const [engine, firstReceiver, secondReceiver] = [
      await engineWithSender(),
      await openReceiver(),
      await openReceiver(),
    ]
    await webhookTo(engine, firstReceiver, { name: 'one' })
    const id = await webhookTo(engine, secondReceiver, { name: 'other' })
    await patch(engine, id, '/name', 'renamed')
    await engine.api.deleteWebhook({ id }, { as: engine.admin })
    await engine.runDueTasks()
    expect(bodies(firstReceiver).map(({ titleVerb }) => titleVerb)).toEqual([
      'created the webhook other',
      'renamed other to renamed',
      'deleted the webhook renamed',
    ])
    expect(secondReceiver.received).toEqual([])
  })

  it('is delivered without the secrets of webhooks', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver)
    const id = await webhookTo(engine, { url: 'https://other.example.com' }, { secret: 'first-secret-of-the-other' })
    await patch(engine, id, '/secret', 'second-secret-of-the-other')
    await engine.runDueTasks()
    expect(receiver.received).toHaveLength(2)
    expect(JSON.stringify(bodies(receiver))).not.toContain('secret-of-the-other')
  })
})

describe('engine.runDueTasks', () => {
  it('respects its limit and deadline, and reports whether more tasks are due', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver)
    for (let i = 0; i < 10; i++) await engine.given.project(`p${i}`)
    expect(await engine.runDueTasks({ limit: 4 })).toEqual({ delivered: 4, failed: 0, more: true })
    expect(await engine.runDueTasks({ deadline: engine.now() })).toEqual({ delivered: 0, failed: 0, more: true })
    expect(await engine.runDueTasks({ deadline: engine.now() + 1 })).toEqual({ delivered: 6, failed: 0, more: false })
  })

  it.each([0, -1, 1.5, Number.NaN])('rejects the limit %d', async (limit) => {
    await expect((await engineWithSender()).runDueTasks({ limit })).rejects.toThrow(RangeError)
  })

  it('runs the other tasks in an engine without a webhook sender, and reports the pending deliveries', async () => {
    const engine = await createTestEngine()
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
    await engine.given.project('web')
    await engine.given.flag('web', 'checkout')
    const body = { url: 'https://hooks.example.com', on: true, sign: false, name: 'Hook' }
    await engine.api.createWebhook({ body }, { as: engine.admin })
    const flagKeys = { projectKey: 'web', flagKey: 'checkout', environmentKey: 'production' }
    const executionDate = engine.now() + minute
    const change = { executionDate, instructions: [{ kind: 'turnFlagOn' }] } as const
    await engine.api.createScheduledChange({ ...flagKeys, body: change }, { as: engine.admin })
    engine.advance(2 * minute)
    const report = await engine.runDueTasks()
    expect(report).toMatchObject({ delivered: 1, failed: 0, more: false })
    expect(report.left).toEqual([
      { queue: 'webhook-deliveries', reason: expect.stringMatching(/webhooks\.send.*fetchSender\(\)/s) },
    ])
    const { environments } = await engine.api.getFlag(flagKeys, { as: engine.admin })
    expect(environments?.production?.on).toBe(true)
  })

  it('repeats a delivery with the same id when the process ended before it was recorded', async () => {
    const receiver = await openReceiver()
    let crashing = true
    const crashingSend: Send = async (message) => {
      await send(message)
      if (crashing) throw new Error('the process ended')
      return { outcome: 'answered', status: 200, body: '', ms: 1 }
    }
    const engine = await engineWithSender({ webhooks: { send: crashingSend } })
    await webhookTo(engine, receiver)
    await engine.given.project('web')
    expect(await engine.runDueTasks()).toMatchObject({ delivered: 0, failed: 0 })
    crashing = false
    expect(await engine.runDueTasks()).toMatchObject({ delivered: 0 })
    engine.advance(2 * minute)
    expect(await engine.runDueTasks()).toMatchObject({ delivered: 1 })
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([ids[0], ids[0]])
  })

  it('drops the deliveries of a webhook that is off or deleted', async () => {
    for (const end of ['off', 'gone']) {
      const [engine, receiver] = [await engineWithSender(), await openReceiver()]
      const id = await webhookTo(engine, receiver)
      await engine.given.project('web')
      if (end === 'off') await patch(engine, id, '/on', false)
      else await engine.api.deleteWebhook({ id }, { as: engine.admin })
      expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
      if (end === 'off') await patch(engine, id, '/on', true)
      engine.advance(day)
      await engine.runDueTasks()
      expect(receiver.received).toEqual([])
    }
  })

  it('sends each delivery once when several runs are concurrent', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    await webhookTo(engine, receiver)
    for (let i = 0; i < 50; i++) await engine.given.project(`p${i}`)
    const reports = await Promise.all([engine.runDueTasks(), engine.runDueTasks(), engine.runDueTasks()])
    expect(reports.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(50)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(50)
    expect(receiver.received).toHaveLength(50)
  })

  it('keeps attempts for thirty days', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    await engine.given.project('web')
    await engine.runDueTasks()
    engine.advance(30 * day)
    await engine.compact()
    expect(await attemptsOf(engine, id)).toHaveLength(1)
    engine.advance(1)
    await engine.compact()
    expect(await attemptsOf(engine, id)).toEqual([])
  })
})

describe('a changed secret of a webhook', () => {
  const signaturesOf = ({ received }: Receiver) => String(received.at(-1)?.headers['webhook-signature']).split(' ')

  it('signs messages for one more day, in addition to the new secret', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const id = await webhookTo(engine, receiver, { secret: 'first-secret-of-a-webhook' })
    await patch(engine, id, '/secret', 'second-secret-of-a-webhook')
    const deliverAndReadSignatures = async () => {
      await engine.given.project(`p${engine.now()}`)
      await engine.runDueTasks()
      return signaturesOf(receiver)
    }
    expect(await deliverAndReadSignatures()).toHaveLength(2)
    const { body, headers } = receiver.received.at(-1) as Receiver['received'][0]
    const expectedSignature = createHmac('sha256', 'second-secret-of-a-webhook').update(body).digest('hex')
    expect(headers['x-svc-signature']).toBe(expectedSignature)
    engine.advance(day - 1)
    expect(await deliverAndReadSignatures()).toHaveLength(2)
    engine.advance(1)
    expect(await deliverAndReadSignatures()).toHaveLength(1)
  })

  it('is never returned again, and does not sign after the secret was removed', async () => {
    const [engine, receiver] = [await engineWithSender(), await openReceiver()]
    const id = await webhookTo(engine, receiver, { secret: 'first-secret-of-a-webhook' })
    const response = await patch(engine, id, '/secret', 'second-secret-of-a-webhook')
    expect(JSON.stringify(response)).not.toContain('first-secret')
    const { items } = await engine.api.listChangeLog({}, { as: engine.admin })
    expect(JSON.stringify(items)).not.toContain('secret-of-a-webhook')
    await engine.api.patchWebhook({ id, body: [{ op: 'remove', path: '/secret' }] }, { as: engine.admin })
    await engine.given.project('web')
    await engine.runDueTasks()
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('webhook-signature')
  })
})
