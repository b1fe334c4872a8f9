import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createExpressPages, notInstalled, type PageSite, type PagesOptions, servedPages, withPages } from './index.ts'

const site: PageSite = {
  page: '/hello',
  images: "'self' data:",
  files: {
    '/hello': { type: 'text/html', text: async (server, header) => `${server} ${header}` },
    '/hello/broken.js': { type: 'text/javascript', text: () => Promise.reject(new Error('not there')) },
    '/hello/absent.js': {
      type: 'text/javascript',
      text: () => Promise.reject(notInstalled('Install greetings.', new Error('/srv/secret'))),
    },
  },
}

const pagesWith = (options?: PagesOptions) => servedPages(site, options)

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a page', () => {
  it('receives the path of the API and the name of its version header', async () => {
    expect((await pagesWith()('GET', '/hello'))?.body).toBe('/ SVC-API-Version')
    const pages = pagesWith({ basePath: '/features/', versionHeader: 'Our-Version' })
    expect((await pages('GET', '/features/hello', '/app'))?.body).toBe('/app/features Our-Version')
  })

  it('may load images from the sources of the site, and nothing else from elsewhere', async () => {
    const policy = (await pagesWith()('GET', '/hello'))?.headers['content-security-policy']
    expect(policy).toContain("img-src 'self' data:;")
    expect(policy).toContain("script-src 'self';")
  })

  it.each(['/', '/hello/x', '/helloX', '/x/hello', '/hello/__proto__', '/toString'])(
    'does not accept %s',
    async (path) => {
      expect(await pagesWith()('GET', path)).toBeUndefined()
    },
  )
})

describe('createExpressPages', () => {
  it('serves a page below the mount path, and redirects the path with a trailing slash', async () => {
    const origin = await listen(express().use('/features', createExpressPages(pagesWith())))
    const redirect = await fetch(`${origin}/features/hello/`, { redirect: 'manual' })
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, '/features/hello'])
    expect(await (await fetch(`${origin}/features/hello`)).text()).toBe('/features SVC-API-Version')
  })

  it('passes a failure to the next error handler', async () => {
    const errorHandler = (error: Error, _: unknown, res: { end(text: string): void }, __: unknown) =>
      res.end(error.message)
    const origin = await listen(express().use(createExpressPages(pagesWith())).use(errorHandler))
    expect(await (await fetch(`${origin}/hello/broken.js`)).text()).toBe('not there')
  })
})

it('a page whose package is missing gets 501 and names the package to install, in Express and in front of a fetch handler', async () => {
  const origin = await listen(express().use(createExpressPages(pagesWith())))
  const handler = withPages(async () => new Response('api'), pagesWith())
  const request = new Request('http://localhost/hello/absent.js')
  for (const response of [await fetch(`${origin}/hello/absent.js`), await handler(request)]) {
    expect([response.status, response.headers.get('content-type')]).toEqual([501, 'text/plain; charset=utf-8'])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await response.text()).toBe('Install greetings.\n')
  }
})

it('withPages serves pages in front of a fetch handler', async () => {
  const handler = withPages(async () => new Response('api'), pagesWith())
  const responses = ['/hello', '/other'].map(async (path) =>
    (await handler(new Request(`http://localhost${path}`))).text(),
  )
  expect(await Promise.all(responses)).toEqual(['/ SVC-API-Version', 'api'])
})
