import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine, type EngineInput, type LogEntry } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { init, type LDClient, type LDOptions } from '@launchdarkly/node-server-sdk'
import { onTestFinished } from 'vitest'
import { fixedRandomHex } from '../../packages/core/src/resources/account/test/fixed-random.ts'

export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

export type SdkFixture = Awaited<ReturnType<typeof createSdkFixture>>

/**
 * Creates an engine with project `web`, the flags `checkout` (visible to clients) and `inner`, and the segment `beta`.
 */
export async function createSdkFixture(storage: Storage, options: Partial<EngineInput> = {}) {
  const log: LogEntry[] = []
  const engine = createEngine({
    storage,
    randomHex: fixedRandomHex(),
    sdk: { flushMs: 0 },
    log: (entry) => log.push(entry),
    ...options,
  })
  onTestFinished(() => engine.close())
  const as = (await engine.bootstrap())?.token as string
  const { api } = engine
  const { projectKey } = environmentKeys
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const visibleToClients = { usingEnvironmentId: true, usingMobileKey: true }
  await api.createFlag(
    { projectKey, body: { key: 'checkout', name: 'Checkout', clientSideAvailability: visibleToClients } },
    { as },
  )
  const hiddenFromClients = { usingEnvironmentId: false, usingMobileKey: false }
  await api.createFlag(
    { projectKey, body: { key: 'inner', name: 'Inner', clientSideAvailability: hiddenFromClients } },
    { as },
  )
  await api.createSegment({ ...environmentKeys, body: { key: 'beta', name: 'Beta' } }, { as })
  const environment = () => api.getEnvironment(environmentKeys, { as })
  const { apiKey, mobileKey, _id: id } = await environment()

  function instruct(key: string, ...instructions: object[]) {
    const body = { environmentKey: environmentKeys.environmentKey, instructions } as never
    return api.patchFlag({ projectKey, flagKey: key, body }, { as })
  }

  return {
    engine,
    api,
    as,
    log,
    keys: { server: apiKey, mobile: mobileKey, id },
    environment,
    instruct,
    turn: (key: string, on: boolean) => instruct(key, { kind: on ? 'turnFlagOn' : 'turnFlagOff' }),
    patchSegment: (...body: object[]) =>
      api.patchSegment({ ...environmentKeys, segmentKey: 'beta', body: body as never }, { as }),
    patchEnvironment: (...body: object[]) => api.patchEnvironment({ ...environmentKeys, body: body as never }, { as }),
  }
}

/** Starts a server for the duration of the test and returns its URL. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(
    () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const silentLogger = { error() {}, warn() {}, info() {}, debug() {} }

/** Creates a client of the SDK as programs use it, connected to a server; closed when the test is over. */
export function sdkClient(url: string, key: string, options: LDOptions = {}): LDClient {
  const client = init(key, { baseUri: url, streamUri: url, eventsUri: url, logger: silentLogger, ...options })
  onTestFinished(() => client.close())
  return client
}

export async function readyClient(url: string, key: string, options?: LDOptions): Promise<LDClient> {
  const client = sdkClient(url, key, options)
  await client.waitForInitialization({ timeout: 20 })
  return client
}

/** Resolves with the key of the next flag that the client reports as updated. */
export function nextUpdate(client: LDClient): Promise<string> {
  return new Promise((resolve) => client.once('update', ({ key }: { key: string }) => resolve(key)))
}

/** A server-sent event. */
export interface SentEvent {
  readonly event: string
  readonly data: unknown
}

/** Reads a stream event by event, without comments. */
export function eventsOf(body: ReadableStream<Uint8Array>) {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>
  let text = ''
  let comments = 0
  async function next(): Promise<SentEvent | undefined> {
    for (;;) {
      const comment = /^:.*\n/.exec(text)?.[0]
      if (comment !== undefined) {
        comments++
        text = text.slice(comment.length)
        continue
      }
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const [, event = '', data = ''] = /^event: (\S+)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        return { event, data: JSON.parse(data) }
      }
      const { done, value } = await reader.read()
      if (done) return undefined
      text += value
    }
  }
  return {
    next,
    /** Reads comments until there are `count` of them. */
    async comments(count: number): Promise<void> {
      while (comments < count) {
        const { done, value } = await reader.read()
        if (done) throw new Error('the stream ended')
        text += value
        for (let line = /^:.*\n/.exec(text); line; line = /^:.*\n/.exec(text)) {
          comments++
          text = text.slice(line[0].length)
        }
      }
    },
    close: () => reader.cancel(),
  }
}
