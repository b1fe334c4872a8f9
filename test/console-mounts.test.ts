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
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleConsole } from './homes/bundle-console.ts'
import type { Bundles } from './homes/bundle-modules.ts'
import { serveProgram } from './homes/serve-program.ts'
import { signInByLink, useConsole } from './homes/test-console.ts'
import { root } from './root.ts'
import { runtimeBinary } from './runtimes/runtime-binary.ts'
import { writeWorkerdConfig } from './runtimes/workerd-config.ts'
import { longTests } from './setup/long-tests.ts'

const timeout = 120_000

/** Workers with this compatibility date or a later one resume a request when another one resolves its promise. */
const streamsDate = '2024-10-14'

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

it('the console is served under Express', { timeout }, () =>
  useMounted(undefined, (flags) => express().use('/flags', flags.express)),
)

it('the console is served under Hono', { timeout }, () =>
  useMounted('/flags', (flags) => {
    const app = new Hono().all('/flags/*', (c) => flags.fetch(c.req.raw))
    return getRequestListener(app.fetch)
  }),
)

it('the console is served by the functions of a Next route', { timeout }, () =>
  useMounted('/flags', ({ fetch: GET }) => asNext({ GET, DELETE: GET, PATCH: GET, POST: GET, PUT: GET })),
)

describe('the console in one file for workers', () => {
  let bundles: Bundles
  beforeAll(async () => {
    bundles = await bundleConsole()
  }, timeout)
  afterAll(() => bundles?.remove())

  it('serves the document before any module of Node is loaded', { timeout }, async () => {
    const { default: worker } = await import(bundles.fileOf('console'))
    const response: Response = await worker.fetch(new Request('https://shop.example.com/flags/'))
    expect([response.status, (await response.text()).includes('modulepreload')]).toEqual([200, true])
  })

  /** Starts a program that serves the file, signs in by a link, and uses the console. */
  async function useServed(program: string, args: readonly string[]): Promise<void> {
    const { port, stop } = await serveProgram(program, args, { cwd: root })
    try {
      const origin = `http://127.0.0.1:${port}`
      const link = await (await fetch(`${origin}/link`)).text()
      await useConsole(`${origin}/flags`, await signInByLink(`${origin}/flags`, link))
    } finally {
      await stop()
    }
  }

  // The binaries of these runtimes are downloaded.
  describe.runIf(longTests)('in their own runtime', { timeout: 300_000 }, () => {
    it('serves the console in workerd', async () => {
      const config = writeWorkerdConfig(bundles.fileOf('console'), {}, streamsDate)
      await useServed(await runtimeBinary('workerd'), ['serve', config, '--control-fd=1'])
    })

    it('serves the console in Deno', async () => {
      const args = ['serve', '--no-prompt', '--host=127.0.0.1', '--port=0', bundles.fileOf('console')]
      await useServed(await runtimeBinary('Deno'), args)
    })

    it('serves the console in Bun', async () => {
      await useServed(await runtimeBinary('Bun'), ['test/runtimes/serve-bun.mjs', bundles.fileOf('console')])
    })
  })
})
