import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, describe, vi } from 'vitest'
import { examineHome, homeToken } from './homes/examine-home.ts'
import { lambdaGateway } from './homes/lambda-gateway.ts'
import { listening } from './homes/listening-server.ts'

beforeAll(() => {
  vi.stubEnv('HALYARD_TOKEN', homeToken)
  vi.stubEnv('PORT', '0')
})
afterAll(() => void vi.unstubAllEnvs())

/** A server before a function from Request to Response, as the platforms have that call it. */
const serving = (fetch: (request: Request) => Promise<Response>) =>
  serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server

describe('Express', () => {
  // Express has no declarations of its own, so this one is JavaScript.
  const example: string = '../docs/examples/homes/express/server.mjs'
  examineHome(async () => listening((await import(example)).server), '/features')
})

describe('node:http', () => {
  examineHome(async () => listening((await import('../docs/examples/homes/node-http/server.ts')).server))
})

describe('Hono', () => {
  examineHome(
    async () => listening((await import('../docs/examples/homes/hono/server.ts')).server as Server),
    '/features',
  )
})

describe('the route handler of Next', () => {
  examineHome(async () => {
    const route = await import('../docs/examples/homes/next/app/api/v2/[...path]/route.ts')
    // As Next does it: a function for each method, and that of GET answers HEAD.
    const methods = { ...route, HEAD: route.GET } as unknown as Record<string, typeof route.GET>
    return listening(
      serving(async (request) => methods[request.method]?.(request) ?? new Response(null, { status: 405 })),
    )
  })
})

describe('the module of a worker', () => {
  examineHome(async () => {
    const { default: worker } = await import('../docs/examples/homes/workers/worker.ts')
    return listening(serving((request) => worker.fetch(request, { HALYARD_TOKEN: homeToken })))
  })
})

describe('the function of Lambda', () => {
  examineHome(async () => listening(lambdaGateway((await import('../docs/examples/homes/lambda/handler.ts')).handler)))
})
