import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error express ships no declarations of its own
import express from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { apiDocsPages, createExpressApiDocs, withApiDocs } from './index.ts'

const files = {
  '/api/v2/openapi.json': 'application/json',
  '/api/v2/docs': 'text/html; charset=utf-8',
  '/api/v2/docs/page.js': 'text/javascript; charset=utf-8',
  '/api/v2/docs/page.css': 'text/css; charset=utf-8',
  '/api/v2/docs/renderer.js': 'text/javascript; charset=utf-8',
  '/api/v2/docs/renderer.css': 'text/css; charset=utf-8',
}

async function listen(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('apiDocsPages', () => {
  it.each(Object.entries(files))(
    'serves %s as %s, with a content security policy that allows no other origin',
    async (path, type) => {
      const { status, headers, body } = (await apiDocsPages()('GET', path))!
      expect([status, headers['content-type']]).toEqual([200, type])
      expect(body.length).toBeGreaterThan(10)
      expect(headers['x-content-type-options']).toBe('nosniff')
      const policy = headers['content-security-policy']!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    },
  )

  it('serves a page without references to other origins and without inline code', async () => {
    const { body } = (await apiDocsPages()('GET', '/api/v2/docs'))!
    expect(body).not.toMatch(/https?:|<style|style=|\son\w+=|javascript:/)
    expect([...body.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual([
      ' src="docs/renderer.js" defer',
      ' src="docs/page.js" defer',
    ])
  })

  it('does not handle other paths', async () => {
    for (const path of [
      '/',
      '/api/v2',
      '/api/v2/docsX',
      '/api/v2/docs/x',
      '/api/v2/docs/__proto__',
      '/x/api/v2/docs',
    ]) {
      expect(await apiDocsPages()('GET', path), path).toBeUndefined()
    }
  })

  it('responds with 405 to other methods, and redirects the path with a trailing slash', async () => {
    expect(await apiDocsPages()('POST', '/api/v2/openapi.json')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
    const redirect = await apiDocsPages({ basePath: '/features/' })('GET', '/features/api/v2/docs/')
    expect(redirect).toMatchObject({ status: 308, headers: { location: '/features/api/v2/docs' } })
  })

  it('puts the base path and the name of the version header into the document', async () => {
    const pages = apiDocsPages({ basePath: '/features', versionHeader: 'X-Version' })
    const document = JSON.parse((await pages('GET', '/features/api/v2/openapi.json'))!.body)
    expect(document.servers).toEqual([{ url: '/features' }])
    expect(document.components.parameters.BetaVersion.name).toBe('X-Version')
    expect(document.info.description).toContain('`X-Version: beta`')
    expect(JSON.stringify(document)).not.toContain('SVC-API-Version')
  })

  it.each([{ basePath: 'features' }, { versionHeader: 'no header' }])(
    'throws a RangeError for the options %o',
    (options) => {
      expect(() => apiDocsPages(options)).toThrow(RangeError)
    },
  )
})

describe('the pages of the API documentation', () => {
  it('are served below the mount path of Express', async () => {
    const origin = await listen(
      express()
        .use('/features', createExpressApiDocs())
        .use((_: unknown, res: { end(text: string): void }) => res.end('next')),
    )
    const document = (await (await fetch(`${origin}/features/api/v2/openapi.json`)).json()) as { servers: unknown }
    expect(document.servers).toEqual([{ url: '/features' }])
    expect(await (await fetch(`${origin}/features/api/v2/docs?x=1`)).text()).toContain('<title>Halyard API</title>')
    expect(await (await fetch(`${origin}/api/v2/docs`)).text()).toBe('next')
    const head = await fetch(`${origin}/features/api/v2/docs`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('do not handle other paths, which lead to 404 when no handler follows', async () => {
    expect((await fetch(`${await listen(createExpressApiDocs())}/api/v2/projects`)).status).toBe(404)
  })

  it('are served in front of a fetch handler', async () => {
    const handler = withApiDocs(async (request) => new Response(`api ${new URL(request.url).pathname}`))
    const page = await handler(new Request('http://localhost/api/v2/docs'))
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await (await handler(new Request('http://localhost/api/v2/projects'))).text()).toBe('api /api/v2/projects')
    expect(await (await handler(new Request('http://localhost/api/v2/docs', { method: 'HEAD' }))).text()).toBe('')
  })

  it.each([
    ['#page', '/api/v2/docs', 'swagger-ui-dist'],
    ['#document', '/api/v2/openapi.json', 'dist/document.js'],
  ])(
    'respond with 501 and the package to install when %s cannot be loaded, and load it on a later request',
    async (name, path, missingFile) => {
      vi.doMock(name, () => {
        throw new Error('/srv/app/node_modules')
      })
      onTestFinished(() => void vi.doUnmock(name))
      const handler = withApiDocs(async () => new Response('api', { status: 404 }))
      const response = await handler(new Request(`http://localhost${path}`))
      expect([response.status, response.headers.get('content-type')]).toEqual([501, 'text/plain; charset=utf-8'])
      const text = await response.text()
      expect(text).toContain('@halyard/openapi')
      expect(text).toContain(missingFile)
      expect(text).not.toContain('/srv')
      vi.doUnmock(name)
      expect((await handler(new Request(`http://localhost${path}`))).status).toBe(200)
    },
  )
})
