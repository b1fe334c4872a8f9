import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { expect } from 'vitest'
import { createSdkFixture, eventsOf, listen, type SdkFixture } from './sdk-fixture.ts'

/** Options of the engine, in addition to those of the fixture. */
export type SdkOptions = Parameters<typeof createSdkFixture>[1]

/** The part of the data sent to a server-side SDK that tests read. */
export interface ServerPayload {
  readonly flags: Readonly<Record<string, { readonly version: number }>>
  readonly segments: Readonly<Record<string, { readonly version: number }>>
}

export type Events = ReturnType<typeof eventsOf>
export type SendRequest = (path: string, init?: RequestInit) => Promise<Response>

/** The transports: a fetch handler, and Express over real connections, below a mount path. */
export const sdkTransports: Readonly<Record<string, (fixture: SdkFixture) => Promise<SendRequest>>> = {
  fetch: async ({ engine }) => {
    const handler = withSdk(createFetchHandler(engine), engine, { basePath: '/sdks/' })
    return (path, init) => handler(new Request(`http://localhost/sdks${path}`, init))
  },
  Express: async ({ engine }) => {
    const app = express()
    const url = await listen(app.use('/sdks', createExpressSdk(engine)))
    return (path, init) => fetch(`${url}/sdks${path}`, init)
  },
}

export const base64 = (context: object) => Buffer.from(JSON.stringify(context)).toString('base64url')
export const ann = { kind: 'user', key: 'ann' }

/**
 * Creates a fixture with functions that send requests over one transport: with each kind of key, for a stream, and for
 * the data of a whole environment.
 */
export async function openSdk(transport: string, options?: SdkOptions) {
  const fixture = await createSdkFixture(createMemoryStorage(), options)
  const send = await (sdkTransports[transport] as (fixture: SdkFixture) => Promise<SendRequest>)(fixture)
  const sendWithKey =
    (key: string): SendRequest =>
    (path, init) =>
      send(path, { ...init, headers: { authorization: key, ...init?.headers } })
  const server = sendWithKey(fixture.keys.server)
  const stream = async (path = '/all', sendAs: SendRequest = server) => {
    const response = await sendAs(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    return eventsOf(response.body as never)
  }
  const all = async () => (await (await server('/sdk/latest-all')).json()) as ServerPayload
  return { ...fixture, ask: send, server, mobile: sendWithKey(fixture.keys.mobile), stream, all }
}
