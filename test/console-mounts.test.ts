import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Console, createConsole } from '@halyard/console'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { getRequestListener } from '@hono/node-server'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { bundleConsole } from './homes/bundle-console.ts'
import { useConsole } from './homes/test-console.ts'

const timeout = 120_000

/** Starts a console as the guide mounts it, uses it, and stops it. */
async function useMounted(basePath: string | undefined, mount: (flags: Console) => RequestListener): Promise<void> {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.bootstrap({ email: 'ada@example.com' })
  const identify = () => ({ service: 'ann@example.com', role: 'admin' }) as const
  const flags = createConsole(engine, { identify, ...(basePath === undefined ? {} : { basePath }) })
  const server = createServer(mount(flags))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await useConsole(`http://127.0.0.1:${(server.address() as AddressInfo).port}/flags`)
  } finally {
    server.close().closeAllConnections()
    await engine.close()
  }
}

/** Calls the functions of a route module as Next does: one for each method. */
function asNext(route: Readonly<Record<string, (request: Request) => Promise<Response>>>) {
  return getRequestListener(async (request) => {
    const handle = route[request.method]
    return handle ? handle(request) : new Response(null, { status: 405 })
  })
}

it('serves the console under Express', { timeout }, () =>
  useMounted(undefined, (flags) => express().use('/flags', flags.express)),
)

it('serves the console under Hono', { timeout }, () =>
  useMounted('/flags', (flags) => {
    const app = new Hono().all('/flags/*', (c) => flags.fetch(c.req.raw))
    return getRequestListener(app.fetch)
  }),
)

it('serves the console by the functions of a Next route', { timeout }, () =>
  useMounted('/flags', ({ fetch: GET }) => asNext({ GET, DELETE: GET, PATCH: GET, POST: GET, PUT: GET })),
)

it('serves the document from the bundle for workers, before any module of Node is loaded', { timeout }, async () => {
  const bundles = await bundleConsole()
  try {
    const { default: worker } = await import(bundles.fileOf('console'))
    const response: Response = await worker.fetch(new Request('https://shop.example.com/flags/'))
    expect([response.status, (await response.text()).includes('modulepreload')]).toEqual([200, true])
  } finally {
    bundles.remove()
  }
})
