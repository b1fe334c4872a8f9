import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestEngine } from '@halyard/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { re2Pattern, snapshotFrom, snapshotReader } from '../../entries/evaluation.ts'

const environment = { projectKey: 'web', environmentKey: 'production' }
const context = { kind: 'user', key: 'ann' }
const newKeys = () => crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])

let keys: Awaited<ReturnType<typeof newKeys>>
beforeAll(async () => {
  keys = await newKeys()
})

/** An engine with a flag, and a store of its snapshots. */
async function setUp() {
  const engine = await createTestEngine()
  await engine.given.project('web')
  await engine.given.flag('web', 'checkout')
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const target = { put: (name: string, bytes: Uint8Array<ArrayBuffer>) => void files.set(name, bytes) }
  const write = () => engine.snapshot(environment, { signingKey: keys.privateKey, target })
  const read = async () => files.get('web/production.snapshot')
  const turnOn = () =>
    engine.as(engine.admin).patchFlag({
      projectKey: 'web',
      flagKey: 'checkout',
      body: { environmentKey: 'production', instructions: [{ kind: 'turnFlagOn' }] },
    })
  const reader = snapshotReader({ read, publicKey: keys.publicKey, environment, compilePattern: re2Pattern })
  return { engine, files, write, read, turnOn, reader }
}

describe('a snapshot', () => {
  it('evaluates each flag as the engine does, also after changes', async () => {
    const { engine, write, turnOn, reader } = await setUp()
    const evaluator = engine.evaluator(environment)
    const resultsOf = () =>
      [reader.evaluate('checkout', context, 'x'), evaluator.peek('checkout', context, 'x')] as const
    expect(resultsOf()[0]).toMatchObject({ value: 'x', reason: { errorKind: 'CLIENT_NOT_READY' } })
    for (const change of [async () => {}, turnOn]) {
      await change()
      await write()
      expect(await reader.refresh()).toBe(true)
      const [fromSnapshot, fromEngine] = resultsOf()
      expect(fromSnapshot).toEqual(fromEngine)
      expect(reader.evaluateAll(context)).toEqual(evaluator.evaluateAll(context))
    }
    expect(reader.ruleset?.flags.get('checkout')?.data.on).toBe(true)
  })

  it('keeps its bytes and its version until the data changes, whatever the time of the clock', async () => {
    const { write, turnOn, reader } = await setUp()
    const first = await write()
    expect(await write()).toEqual(first)
    await reader.refresh()
    expect(await reader.refresh()).toBe(false)
    await turnOn()
    const next = await write()
    expect(next.version).toBeGreaterThan(first.version)
    expect(await reader.refresh()).toBe(true)
    expect(reader.version).toBe(next.version)
  })

  it('is refused when a byte was changed, and evaluation continues', async () => {
    const { files, write, turnOn, reader } = await setUp()
    const { bytes } = await write()
    await reader.refresh()
    const before = reader.evaluate('checkout', context, null)
    await turnOn()
    const changed = (await write()).bytes
    for (const place of [3, 30, changed.length - 10]) {
      const altered = changed.slice()
      altered[place] = (altered[place] ?? 0) ^ 1
      files.set('web/production.snapshot', altered)
      await expect(reader.refresh()).rejects.toThrow(/signature|begin with/)
    }
    files.set('web/production.snapshot', new Uint8Array())
    await expect(reader.refresh()).rejects.toThrow('begin with')
    expect(reader.evaluate('checkout', context, null)).toEqual(before)
    files.set('web/production.snapshot', changed)
    await reader.refresh()
    files.set('web/production.snapshot', bytes)
    await expect(reader.refresh()).rejects.toThrow('or newer')
  })

  it('is refused when another key signed it, or when it is of another environment', async () => {
    const { engine, files, write, read, reader } = await setUp()
    await expect(reader.refresh()).rejects.toThrow('there is no snapshot of web/production')
    await write()
    const { publicKey } = await newKeys()
    await expect(snapshotReader({ read, publicKey, environment }).refresh()).rejects.toThrow('signature')
    const test = { projectKey: 'web', environmentKey: 'test' }
    const { bytes } = await engine.snapshot(test, { signingKey: keys.privateKey })
    files.set('web/production.snapshot', bytes)
    await expect(reader.refresh()).rejects.toThrow('must be one of web/production, not of web/test')
    await expect(
      engine.snapshot({ ...test, environmentKey: 'none' }, { signingKey: keys.privateKey }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('snapshotFrom', () => {
  let file: { readonly bytes: Uint8Array; readonly etag: string } | undefined
  const statuses: number[] = []
  const server = createServer((request, response) => {
    const status = !file ? 404 : request.headers['if-none-match'] === file.etag ? 304 : 200
    statuses.push(status)
    response.writeHead(status, file && { etag: file.etag }).end(status === 200 ? file?.bytes : undefined)
  })
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void server.close())

  it('downloads a snapshot once, and again when it has changed', async () => {
    const { write, turnOn } = await setUp()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/flags`
    const reader = snapshotReader({ read: snapshotFrom(url), publicKey: keys.publicKey, environment })
    await expect(reader.refresh()).rejects.toThrow('there is no snapshot')
    file = { bytes: (await write()).bytes, etag: '"1"' }
    expect(await Promise.all([reader.refresh(), reader.refresh()])).toEqual([true, true])
    expect(await reader.refresh()).toBe(false)
    await turnOn()
    file = { bytes: (await write()).bytes, etag: '"2"' }
    expect(await reader.refresh()).toBe(true)
    expect(statuses).toEqual([404, 200, 304, 200])
  })
})
