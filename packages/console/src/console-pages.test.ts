import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { consolePages, createExpressConsole, withConsole } from './index.ts'

const files = {
  '/insights': 'text/html; charset=utf-8',
  '/insights/console.js': 'text/javascript; charset=utf-8',
  '/insights/console.css': 'text/css; charset=utf-8',
  '/insights/icon.svg': 'image/svg+xml',
  '/invitation': 'text/html; charset=utf-8',
  '/invitation/page.js': 'text/javascript; charset=utf-8',
}

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the page', () => {
  it.each(Object.entries(files))(
    'serves %s as %s, with a content security policy that allows no other origin',
    async (path, type) => {
      const { status, headers, body } = (await consolePages()('GET', path))!
      expect([status, headers['content-type']]).toEqual([200, type])
      expect(body.length).toBeGreaterThan(100)
      expect(headers['x-content-type-options']).toBe('nosniff')
      const policy = headers['content-security-policy']!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    },
  )

  it.each([
    ['/insights', 'insights/console.js'],
    ['/invitation', 'invitation/page.js'],
  ])('serves %s without references to other origins and without inline code', async (path, script) => {
    const { body } = (await consolePages()('GET', path))!
    expect(body).not.toMatch(/https?:|<style|style=|\son\w+=|javascript:/)
    expect([...body.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual([
      ` type="module" src="${script}"`,
    ])
  })

  it('does not handle other paths', async () => {
    for (const path of [
      '/',
      '/insight',
      '/insightsX',
      '/insights/x',
      '/invitation/x',
      '/invitations',
      '/INSIGHTS',
      '/insights/__proto__',
      '/api/v2/projects',
      '/x/insights',
    ]) {
      expect(await consolePages()('GET', path), path).toBeUndefined()
    }
  })

  it('responds with 405 to methods other than GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = (await consolePages()(method, '/insights'))!
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('redirects the path with a trailing slash', async () => {
    const { status, headers } = (await consolePages({ basePath: '/features' })('GET', '/features/insights/'))!
    expect([status, headers.location]).toEqual([308, '/features/insights'])
  })

  it('serves the page below a base path', async () => {
    const pages = consolePages({ basePath: '/features/' })
    expect((await pages('GET', '/features/insights'))?.status).toBe(200)
    expect(await pages('GET', '/insights')).toBeUndefined()
    expect(() => consolePages({ basePath: 'features' })).toThrow(RangeError)
  })

  it('writes the name of the version header into the page', async () => {
    const { body } = (await consolePages({ versionHeader: 'Our-Version' })('GET', '/insights'))!
    expect(body).toContain('content="Our-Version"')
    expect(() => consolePages({ versionHeader: '"><script>' })).toThrow(RangeError)
  })
})

describe('createExpressConsole', () => {
  it('serves the page in Express together with other handlers, at any mount path', async () => {
    const origin = await listen(
      express()
        .use('/features', createExpressConsole())
        .use((_: unknown, res: { end(text: string): void }) => res.end('next')),
    )
    const page = await fetch(`${origin}/features/insights?project=shop`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, files['/insights']])
    expect(await page.text()).toContain('<h1>Engineering insights</h1>')
    expect(await (await fetch(`${origin}/insights`)).text()).toBe('next')
    expect((await fetch(`${origin}/features/insights`, { method: 'POST' })).status).toBe(405)
  })

  it('responds to HEAD without a body, and with 404 to other paths when no handler follows', async () => {
    const origin = await listen(createExpressConsole())
    const head = await fetch(`${origin}/insights`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(1000)
    expect((await fetch(`${origin}/x`)).status).toBe(404)
  })
})

describe('withConsole', () => {
  const handler = withConsole(async (request) => new Response(`api ${new URL(request.url).pathname}`))

  it('serves the page and passes other requests to the API', async () => {
    const page = await handler(new Request('http://localhost/insights?project=shop'))
    expect([page.status, page.headers.get('content-type')]).toEqual([200, files['/insights']])
    expect(await page.text()).toContain('<h1>Engineering insights</h1>')
    expect(await (await handler(new Request('http://localhost/api/v2/projects'))).text()).toBe('api /api/v2/projects')
    const head = await handler(new Request('http://localhost/insights', { method: 'HEAD' }))
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it.each(Object.keys(files))(
    'responds with 501 and the name of the package to install when %s cannot be loaded',
    async (path) => {
      vi.doMock('#page', () => {
        throw new Error('/srv/app/node_modules')
      })
      onTestFinished(() => void vi.doUnmock('#page'))
      const response = await handler(new Request(`http://localhost${path}`))
      expect([response.status, response.headers.get('content-type')]).toEqual([501, 'text/plain; charset=utf-8'])
      expect(await response.text()).toMatch(/^This page is not installed\. Install the whole package @halyard\/console/)
    },
  )
})
