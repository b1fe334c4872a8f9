import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { expect } from 'vitest'
import { eventsOf, listening, type SdkWorld, sdkWorld } from './sdk-world.ts'

/** Options of the engine, in addition to those of the fixture. */
export type SdkOptions = Parameters<typeof sdkWorld>[1]

/** Data sent to a server-side SDK, as far as tests read it. */
export interface Sent {
  readonly flags: Readonly<Record<string, { readonly version: number }>>
  readonly segments: Readonly<Record<string, { readonly version: number }>>
}

export type Events = ReturnType<typeof eventsOf>
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** The transports: a fetch handler, and Express over real connections, below a mount path. */
export const doors: Readonly<Record<string, (world: SdkWorld) => Promise<Ask>>> = {
  fetch: async ({ engine }) => {
    const handler = withSdk(createFetchHandler(engine), engine, { basePath: '/sdks/' })
    return (path, init) => handler(new Request(`http://localhost/sdks${path}`, init))
  },
  Express: async ({ engine }) => {
    const app = express()
    const url = await listening(app.use('/sdks', createExpressSdk(engine)))
    return (path, init) => fetch(`${url}/sdks${path}`, init)
  },
}

export const base64 = (context: object) => Buffer.from(JSON.stringify(context)).toString('base64url')
export const ann = { kind: 'user', key: 'ann' }

/**
 * Creates a fixture with functions that send requests over one transport: with each kind of key, as a stream, and for
 * all data.
 */
export async function openDoor(door: string, more?: SdkOptions) {
  const world = await sdkWorld(createMemoryStorage(), more)
  const ask = await (doors[door] as (world: SdkWorld) => Promise<Ask>)(world)
  const asking =
    (key: string): Ask =>
    (path, init) =>
      ask(path, { ...init, headers: { authorization: key, ...init?.headers } })
  const server = asking(world.keys.server)
  const stream = async (path = '/all', by: Ask = server) => {
    const answer = await by(path)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    return eventsOf(answer.body as never)
  }
  const all = async () => (await (await server('/sdk/latest-all')).json()) as Sent
  return { ...world, ask, server, mobile: asking(world.keys.mobile), stream, all }
}
