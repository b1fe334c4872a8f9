import { createHmac } from 'node:crypto'
import { createTestEngine, type TestEngine, type TestEngineInput } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { fetchSender, type Send, type Statement } from '../../index.ts'
import { failureOf } from '../account/test/calls.ts'
import { openReceiver, type Receiver } from './test/receiver.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const send: Send = fetchSender({ allowPrivate: true })

/** The same for receivers that hang. */
const impatient: Send = (message) => send({ ...message, timeoutMs: 300 })

const engineThat = (input: TestEngineInput = {}) => createTestEngine({ webhooks: { send }, ...input })

async function webhookTo({ api, admin }: TestEngine, { url }: Pick<Receiver, 'url'>, more: object = {}) {
  return (await api.createWebhook({ body: { url, on: true, sign: true, ...more } }, { as: admin }))._id
}

const replacing = (path: string, value: unknown) => [{ op: 'replace', path, value }] as never

const rename = ({ api, admin }: TestEngine, projectKey: string, name: string) =>
  api.patchProject({ projectKey, body: replacing('/name', name) }, { as: admin })

const patch = ({ api, admin }: TestEngine, id: string, path: string, value: unknown) =>
  api.patchWebhook({ id, body: replacing(path, value) }, { as: admin })

const attemptsOf = async ({ api, admin }: TestEngine, id: string, more: object = {}) =>
  (await api.listWebhookDeliveries({ id, limit: 100, ...more }, { as: admin })).items

const newest = async ({ api, admin }: TestEngine) => (await api.listChangeLog({ limit: 1 }, { as: admin })).items[0]

const bodies = ({ received }: Receiver) => received.map(({ body }) => JSON.parse(body))

const namesTold = (receiver: Receiver) => bodies(receiver).map(({ name }) => name)

const allow = (resource: string, actions: string[] = ['*']): Statement[] => [
  { effect: 'allow', resources: [resource], actions },
]

describe('a change', () => {
  it('reaches a webhook as its entry of the change log, signed', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const secret = 'a-secret-that-is-long-enough'
    await webhookTo(engine, receiver, { secret })
    await engine.given.project('web')
    expect(receiver.received).toEqual([])
    expect(await engine.deliver()).toEqual({ delivered: 1, failed: 0, more: false })
    const [{ path, headers, body }] = receiver.received as [(typeof receiver.received)[0]]
    expect(path).toBe('/hook')
    const entry = await newest(engine)
    expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(entry)))
    expect(headers['content-type']).toBe('application/json')
    expect(headers['webhook-id']).toBe(entry?._id)
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(engine.now() / 1000)))
    expect(headers['x-svc-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
    expect(headers['webhook-signature']).toMatch(/^v1,/)
    expect(await engine.deliver()).toEqual({ delivered: 0, failed: 0, more: false })
  })

  it('is told without a signature where the webhook does not sign', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver, { sign: false })
    await engine.given.project('web')
    await engine.deliver()
    expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('webhook-signature')
    expect(Object.keys(receiver.received[0]?.headers ?? {})).not.toContain('x-svc-signature')
  })

  it('is told to nobody where it was refused, told only what would be, or changed nothing', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await engine.given.project('web')
    await webhookTo(engine, receiver)
    await failureOf(engine.given.project('web'))
    await failureOf(
      engine.api.patchProject({ projectKey: 'web', body: replacing('/name', 'x') }, { as: { role: 'reader' } }),
    )
    await rename(engine, 'web', 'web')
    expect(await engine.deliver()).toMatchObject({ delivered: 0, failed: 0 })
    expect(receiver.received).toEqual([])
  })

  it('of a webhook is told to the others', async () => {
    const [engine, one, other] = [await engineThat(), await openReceiver(), await openReceiver()]
    await webhookTo(engine, one, { name: 'one' })
    const id = await webhookTo(engine, other, { name: 'other' })
    await patch(engine, id, '/name', 'renamed')
    await engine.api.deleteWebhook({ id }, { as: engine.admin })
    await engine.deliver()
    expect(bodies(one).map(({ titleVerb, name }) => `${titleVerb} ${name}`)).toEqual([
      'created the webhook other',
      'updated the webhook renamed',
      'deleted the webhook renamed',
    ])
    expect(other.received).toEqual([])
  })

  it('holds no secret of a webhook', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver)
    const id = await webhookTo(engine, { url: 'https://other.example.com' }, { secret: 'first-secret-of-the-other' })
    await patch(engine, id, '/secret', 'second-secret-of-the-other')
    await engine.deliver()
    expect(receiver.received).toHaveLength(2)
    expect(JSON.stringify(bodies(receiver))).not.toContain('secret-of-the-other')
  })
})

describe('statements of a webhook', () => {
  it('select by resource and action', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver, { statements: allow('proj/web', ['updateProjectName']) })
    for (const key of ['web', 'app']) await engine.given.project(key)
    for (const key of ['web', 'app']) await rename(engine, key, `new ${key}`)
    await engine.api.patchProject({ projectKey: 'web', body: replacing('/tags', ['x']) }, { as: engine.admin })
    await engine.deliver()
    expect(bodies(receiver).map(({ accesses }) => accesses)).toEqual([
      [{ action: 'updateProjectName', resource: 'proj/web' }],
    ])
  })

  it('are heeded as they are when the change is made', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const id = await webhookTo(engine, receiver, { statements: allow('proj/web') })
    await engine.given.project('web')
    await patch(engine, id, '/statements', allow('proj/app'))
    await engine.given.project('app')
    await rename(engine, 'web', 'no longer')
    await engine.deliver()
    expect(namesTold(receiver)).toEqual(['web', 'app'])
  })

  it('with deny win over those that allow', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const statements = [...allow('proj/*'), { effect: 'deny', resources: ['proj/secret'], actions: ['*'] }]
    await webhookTo(engine, receiver, { statements })
    for (const key of ['secret', 'web']) await engine.given.project(key)
    await engine.deliver()
    expect(namesTold(receiver)).toEqual(['web'])
  })

  it('see tags as they were before the change and as they are after it', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver, { statements: allow('proj/*;watched') })
    const tag = (tags: string[]) =>
      engine.api.patchProject({ projectKey: 'web', body: replacing('/tags', tags) }, { as: engine.admin })
    await engine.given.project('web')
    await tag(['watched'])
    await rename(engine, 'web', 'tagged')
    await tag([])
    await rename(engine, 'web', 'untagged')
    await engine.deliver()
    expect(bodies(receiver).map(({ accesses }) => accesses[0].action)).toEqual([
      'updateTags',
      'updateProjectName',
      'updateTags',
    ])
  })

  it('see properties and tags of the levels above', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver, { statements: allow('proj/*;watched:env/*:flag/*') })
    await engine.given.project('web', { tags: ['watched'] })
    await engine.given.project('app')
    for (const key of ['web', 'app']) await engine.given.flag(key, `flag-of-${key}`)
    await engine.deliver()
    expect(namesTold(receiver)).toEqual(['flag-of-web'])
  })
})

describe('a delivery that fails', () => {
  it('is tried after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, a tenth later at most, and given up', async () => {
    const delays = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((one) => one * hour)]
    const [engine, receiver] = [await engineThat({ now: 0 }), await openReceiver()]
    // Between its own failures another one is delivered, so that the webhook stays on.
    receiver.answer = ({ body }) => ({ status: body.includes('"name":"bad"') ? 500 : 200 })
    const id = await webhookTo(engine, receiver)
    await engine.given.project('bad')
    const deliveryId = (await newest(engine))?._id as string
    for (const [at, delay] of delays.entries()) {
      expect(await engine.deliver()).toMatchObject({ failed: 1 })
      await engine.given.project(`good-${at}`)
      await engine.deliver()
      const [attempt] = await attemptsOf(engine, id, { delivery: deliveryId })
      expect(attempt).toMatchObject({ number: at + 1, status: 500 })
      const { nextAttemptDate } = await engine.api.getWebhookDelivery({ id, deliveryId }, { as: engine.admin })
      const wait = Number(nextAttemptDate) - engine.now()
      expect(wait).toBeGreaterThanOrEqual(delay)
      expect(wait).toBeLessThanOrEqual(delay * 1.1)
      engine.advance(wait - 1)
      expect(await engine.deliver()).toMatchObject({ failed: 0 })
      engine.advance(1)
    }
    expect(await engine.deliver()).toMatchObject({ failed: 1 })
    const given = await engine.api.getWebhookDelivery({ id, deliveryId }, { as: engine.admin })
    expect(given).toMatchObject({ waiting: false, attempts: { length: 10 } })
    engine.advance(30 * hour)
    expect(await engine.deliver()).toEqual({ delivered: 0, failed: 0, more: false })
    const sent = receiver.received.filter(({ headers }) => headers['webhook-id'] === deliveryId)
    expect(sent).toHaveLength(10)
  })

  it('keeps its id and is signed anew', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver)
    receiver.answer = { status: 500 }
    await engine.given.project('web')
    await engine.deliver()
    engine.advance(6 * second)
    receiver.answer = { status: 200 }
    await engine.deliver()
    const [first, again] = receiver.received.map(({ headers }) => headers)
    expect(again?.['webhook-id']).toBe(first?.['webhook-id'])
    expect(again?.['webhook-timestamp']).not.toBe(first?.['webhook-timestamp'])
    expect(again?.['webhook-signature']).not.toBe(first?.['webhook-signature'])
  })

  it.each([301, 302, 307, 400, 404, 500])('is one that is answered with %i', async (status) => {
    const [engine, receiver, elsewhere] = [await engineThat(), await openReceiver(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    receiver.answer = { status, headers: { location: elsewhere.url }, body: `${'x'.repeat(2000)}` }
    await engine.given.project('web')
    expect(await engine.deliver()).toEqual({ delivered: 0, failed: 1, more: false })
    expect(elsewhere.received).toEqual([])
    const [attempt] = await attemptsOf(engine, id)
    expect(attempt).toMatchObject({ outcome: 'failure', status, reason: expect.stringContaining(`${status}`) })
    // Some runtimes hide what a redirect says.
    if (status >= 400) expect(attempt?.response).toBe('x'.repeat(1024))
  })

  it('is one that nobody answers, or not in time', async () => {
    const [engine, receiver] = [await engineThat({ webhooks: { send: impatient } }), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    receiver.answer = 'hang'
    await engine.given.project('web')
    await engine.deliver()
    await patch(engine, id, '/url', 'http://127.0.0.1:1/')
    engine.advance(6 * second)
    await engine.deliver()
    expect((await attemptsOf(engine, id)).map(({ reason }) => reason)).toEqual([
      'No connection.',
      'No answer within 300 ms.',
    ])
  })

  it.each([429, 503])('waits as long as a receiver says that answers %i, a day at most', async (status) => {
    for (const [retryAfter, wait] of [
      ['120', 120 * second],
      [new Date(Date.UTC(2026, 0, 1, 1)).toUTCString(), hour],
      ['9999999', day],
      ['soon', 5 * second],
      ['1', 5 * second],
    ] as const) {
      const [engine, receiver] = [await engineThat(), await openReceiver()]
      await webhookTo(engine, receiver)
      receiver.answer = { status, headers: { 'retry-after': retryAfter } }
      await engine.given.project('web')
      await engine.deliver()
      receiver.answer = { status: 200 }
      engine.advance(wait - 1)
      expect(await engine.deliver()).toMatchObject({ delivered: 0 })
      engine.advance(1 + second)
      expect(await engine.deliver()).toMatchObject({ delivered: 1 })
    }
  })

  it('holds up what comes after it about the same thing, and nothing else', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver)
    for (const key of ['web', 'app']) await engine.given.project(key)
    await rename(engine, 'web', 'web 2')
    await rename(engine, 'app', 'app 2')
    receiver.answer = ({ body }) => ({ status: body.includes('"name":"web"') ? 500 : 200 })
    await engine.deliver()
    engine.advance(5 * second)
    await engine.deliver()
    expect(namesTold(receiver)).not.toContain('web 2')
    expect(namesTold(receiver).filter((name) => name.startsWith('app'))).toEqual(['app', 'app 2'])
    receiver.answer = { status: 200 }
    engine.advance(6 * minute)
    await engine.deliver()
    expect(namesTold(receiver).slice(-2)).toEqual(['web', 'web 2'])
  })
})

describe('a receiver', () => {
  it('that is down for an hour is told everything, in order', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    receiver.answer = { status: 503 }
    await engine.given.project('web')
    for (let i = 0; i < 60; i++) {
      await rename(engine, 'web', `name ${i}`)
      await engine.deliver()
      engine.advance(minute)
    }
    receiver.answer = { status: 200 }
    const down = receiver.received.length
    for (let i = 0; i < 200; i++) {
      await engine.deliver()
      engine.advance(minute)
    }
    expect(namesTold(receiver).slice(down)).toEqual(['web', ...Array.from({ length: 60 }, (_, i) => `name ${i}`)])
    expect(await engine.api.getWebhook({ id }, { as: engine.admin })).toMatchObject({ on: true })
  })

  it('that answers 410 is told nothing more', async () => {
    const [engine, receiver, other] = [await engineThat(), await openReceiver(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    await webhookTo(engine, other, { statements: allow('webhook/*', ['updateOn']) })
    receiver.answer = { status: 410 }
    await engine.given.project('web')
    await rename(engine, 'web', 'next')
    await engine.deliver()
    expect(await engine.api.getWebhook({ id }, { as: engine.admin })).toMatchObject({ on: false })
    const entry = await newest(engine)
    expect(entry).toMatchObject({
      comment: 'The receiver answered 410: it is gone.',
      accesses: [{ action: 'updateOn', resource: `webhook/${id}` }],
    })
    expect(bodies(other).at(-1)?._id).toBe(entry?._id)
    const before = receiver.received.length
    receiver.answer = { status: 200 }
    await patch(engine, id, '/on', true)
    engine.advance(day)
    await engine.deliver()
    expect(receiver.received).toHaveLength(before)
  })

  it('that does nothing but fail for three days is turned off', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    receiver.answer = { status: 500 }
    await engine.given.project('web')
    const isOn = async () => (await engine.api.getWebhook({ id }, { as: engine.admin })).on
    for (let i = 0; i < 71; i++) {
      await engine.deliver()
      engine.advance(hour)
      expect(await isOn()).toBe(true)
    }
    for (let i = 0; i < 30; i++) {
      await rename(engine, 'web', `name ${i}`)
      await engine.deliver()
      engine.advance(hour)
    }
    expect(await isOn()).toBe(false)
    const { items } = await engine.api.listChangeLog({ spec: `webhook/${id}` }, { as: engine.admin })
    expect(items[0]?.comment).toBe('Every delivery of the last three days failed.')
  })

  it('that succeeds once in three days stays on, as does one whose webhook was changed', async () => {
    for (const rescue of ['success', 'url'] as const) {
      const [engine, receiver] = [await engineThat(), await openReceiver()]
      const id = await webhookTo(engine, receiver)
      for (let i = 0; i < 100; i++) {
        await engine.given.project(`p${i}`)
        receiver.answer = { status: i === 50 && rescue === 'success' ? 200 : 500 }
        if (i === 50 && rescue === 'url') await patch(engine, id, '/url', `${receiver.url}/new`)
        await engine.deliver()
        engine.advance(hour)
      }
      expect(await engine.api.getWebhook({ id }, { as: engine.admin })).toMatchObject({ on: true })
    }
  })

  it('that hangs does not hold up the others', async () => {
    const [engine, slow, quick] = [
      await engineThat({ webhooks: { send: impatient } }),
      await openReceiver(),
      await openReceiver(),
    ]
    await webhookTo(engine, slow)
    const id = await webhookTo(engine, quick)
    for (let i = 0; i < 40; i++) await engine.given.project(`p${i}`)
    slow.answer = 'hang'
    await engine.deliver({ limit: 1_000 })
    expect(quick.received).toHaveLength(40)
    // Four hang at first, then one at a time is tried, and those of the others are done.
    expect(slow.received.length).toBeLessThan(10)
    expect(await attemptsOf(engine, id, { outcome: 'success' })).toHaveLength(40)
  })
})

describe('engine.deliver', () => {
  it('does no more than it is asked to, and says whether more is waiting', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver)
    for (let i = 0; i < 10; i++) await engine.given.project(`p${i}`)
    expect(await engine.deliver({ limit: 4 })).toEqual({ delivered: 4, failed: 0, more: true })
    expect(await engine.deliver({ deadline: engine.now() })).toEqual({ delivered: 0, failed: 0, more: true })
    expect(await engine.deliver({ deadline: engine.now() + 1 })).toEqual({ delivered: 6, failed: 0, more: false })
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses the limit %d', async (limit) => {
    await expect((await engineThat()).deliver({ limit })).rejects.toThrow(RangeError)
  })

  it('says what is missing where the engine has no sender', async () => {
    await expect((await createTestEngine()).deliver()).rejects.toThrow(/webhooks\.send.*fetchSender\(\)/s)
  })

  it('sends again under the same id what was sent and not marked', async () => {
    const receiver = await openReceiver()
    let crashing = true
    const crash: Send = async (message) => {
      await send(message)
      if (crashing) throw new Error('the process ended')
      return { outcome: 'answered', status: 200, body: '', ms: 1 }
    }
    const engine = await engineThat({ webhooks: { send: crash } })
    await webhookTo(engine, receiver)
    await engine.given.project('web')
    expect(await engine.deliver()).toMatchObject({ delivered: 0, failed: 0 })
    crashing = false
    expect(await engine.deliver()).toMatchObject({ delivered: 0 })
    engine.advance(2 * minute)
    expect(await engine.deliver()).toMatchObject({ delivered: 1 })
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([ids[0], ids[0]])
  })

  it('drops what waits for a webhook that is off or gone', async () => {
    for (const end of ['off', 'gone']) {
      const [engine, receiver] = [await engineThat(), await openReceiver()]
      const id = await webhookTo(engine, receiver)
      await engine.given.project('web')
      if (end === 'off') await patch(engine, id, '/on', false)
      else await engine.api.deleteWebhook({ id }, { as: engine.admin })
      expect(await engine.deliver()).toEqual({ delivered: 0, failed: 0, more: false })
      if (end === 'off') await patch(engine, id, '/on', true)
      engine.advance(day)
      await engine.deliver()
      expect(receiver.received).toEqual([])
    }
  })

  it('sends what two engines share to each receiver once', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    await webhookTo(engine, receiver)
    for (let i = 0; i < 50; i++) await engine.given.project(`p${i}`)
    const done = await Promise.all([engine.deliver(), engine.deliver(), engine.deliver()])
    expect(done.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(50)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(50)
    expect(receiver.received).toHaveLength(50)
  })

  it('keeps attempts for thirty days', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const id = await webhookTo(engine, receiver)
    await engine.given.project('web')
    await engine.deliver()
    engine.advance(30 * day)
    await engine.compact()
    expect(await attemptsOf(engine, id)).toHaveLength(1)
    engine.advance(1)
    await engine.compact()
    expect(await attemptsOf(engine, id)).toEqual([])
  })
})

describe('a secret that is changed', () => {
  const signaturesOf = ({ received }: Receiver) => String(received.at(-1)?.headers['webhook-signature']).split(' ')

  it('signs beside the new one for a day', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const id = await webhookTo(engine, receiver, { secret: 'first-secret-of-a-webhook' })
    await patch(engine, id, '/secret', 'second-secret-of-a-webhook')
    const told = async () => {
      await engine.given.project(`p${engine.now()}`)
      await engine.deliver()
      return signaturesOf(receiver)
    }
    expect(await told()).toHaveLength(2)
    const { body, headers } = receiver.received.at(-1) as Receiver['received'][0]
    const now = createHmac('sha256', 'second-secret-of-a-webhook').update(body).digest('hex')
    expect(headers['x-svc-signature']).toBe(now)
    engine.advance(day - 1)
    expect(await told()).toHaveLength(2)
    engine.advance(1)
    expect(await told()).toHaveLength(1)
  })

  it('is never shown again, and signs no more where the webhook shall not sign', async () => {
    const [engine, receiver] = [await engineThat(), await openReceiver()]
    const id = await webhookTo(engine, receiver, { secret: 'first-secret-of-a-webhook' })
    const shown = await patch(engine, id, '/secret', 'second-secret-of-a-webhook')
    expect(JSON.stringify(shown)).not.toContain('first-secret')
    const { items } = await engine.api.listChangeLog({}, { as: engine.admin })
    expect(JSON.stringify(items)).not.toContain('secret-of-a-webhook')
    await engine.api.patchWebhook({ id, body: [{ op: 'remove', path: '/secret' }] }, { as: engine.admin })
    await engine.given.project('web')
    await engine.deliver()
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty('webhook-signature')
  })
})
