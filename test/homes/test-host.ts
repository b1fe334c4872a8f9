import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HttpRequest, sendRequest } from './send-request.ts'
import type { Serving } from './serve-program.ts'

/** The administrator's token in every host. */
export const hostToken = 'administrator-token-1'

/** Paths that leave the API, are not valid UTF-8, are truncated, or look like another address. */
const hostilePaths: Readonly<Record<string, string>> = {
  'leads up to a file': '/api/v2/projects/../../../etc/passwd',
  'leads up to a file in encoded form': '/api/v2/projects/..%2f..%2f..%2fetc%2fpasswd',
  'leads up from a flag': '/api/v2/flags/web/%2e%2e',
  'has a zero byte': '/api/v2/flags/web/%00',
  'is not UTF-8': '/api/v2/flags/web/%ff%fe',
  'ends within a character': '/api/v2/flags/web/%E0%A4%A',
  'names a prototype': '/api/v2/flags/web/__proto__',
  'looks like another host': '//flags.example.com/api/v2/projects',
  'is long': `/api/v2/flags/web/${'x'.repeat(6_000)}`,
}

/**
 * Declares the tests that any host must pass, inside the surrounding `describe`.
 *
 * @param start starts the host, with `hostToken` as its administrator's token.
 * @param base path at which the API is mounted. Default: the root.
 * @param startMs maximum duration of the start, ms. Default: that of any hook.
 */
export function testHost(start: () => Promise<Serving>, base = '', startMs?: number): void {
  let host: Serving
  beforeAll(async () => {
    host = await start()
  }, startMs)
  afterAll(() => host.stop())

  const call = (path: string, { headers, ...request }: HttpRequest = {}) =>
    sendRequest(host.port, `${base}${path}`, { ...request, headers: { authorization: hostToken, ...headers } })

  it('stores everything that is created after concurrent first requests', async () => {
    const first = await Promise.all(Array.from({ length: 8 }, () => call('/api/v2/projects')))
    expect(first.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const project = await call('/api/v2/projects', { method: 'POST', body: { key: 'web', name: 'Läden ☕' } })
    expect([project.status, JSON.parse(project.body).name]).toEqual([201, 'Läden ☕'])
    const flag = await call('/api/v2/flags/web', { method: 'POST', body: { key: 'checkout', name: 'Checkout' } })
    expect([flag.status, JSON.parse(flag.body).key]).toEqual([201, 'checkout'])
  })

  it('responds with 304 when the ETag matches, and without a body to HEAD', async () => {
    const flag = await call('/api/v2/flags/web/checkout')
    expect(flag.status).toBe(200)
    expect(flag.headers['content-type']).toBe('application/json')
    expect(JSON.parse(flag.body)).toMatchObject({ key: 'checkout', kind: 'boolean' })
    const etag = String(flag.headers.etag)
    const again = await call('/api/v2/flags/web/checkout', { headers: { 'if-none-match': etag } })
    expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag])
    const head = await call('/api/v2/flags/web/checkout', { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
  })

  it('changes and deletes a flag', async () => {
    const path = '/api/v2/flags/web/passing'
    await call('/api/v2/flags/web', { method: 'POST', body: { key: 'passing', name: 'Passing' } })
    const changed = await call(path, { method: 'PATCH', body: [{ op: 'replace', path: '/name', value: 'By' }] })
    expect([changed.status, JSON.parse(changed.body).name]).toEqual([200, 'By'])
    const removed = await call(path, { method: 'DELETE' })
    expect([removed.status, removed.body]).toEqual([204, ''])
  })

  it('responds with 404 to an authorized caller and with 401 without a token', async () => {
    const missing = await call('/api/v2/flags/web/none')
    expect([missing.status, JSON.parse(missing.body).code]).toEqual([404, 'not_found'])
    const unknown = await sendRequest(host.port, `${base}/api/v2/flags/web/checkout`)
    expect([unknown.status, JSON.parse(unknown.body).code]).toEqual([401, 'unauthorized'])
  })

  it.each(Object.entries(hostilePaths))('rejects a path that %s, and continues to respond', async (_, path) => {
    const refused = await call(path)
    expect(refused.status, refused.body).toBeGreaterThanOrEqual(400)
    expect(refused.status, refused.body).toBeLessThan(500)
    expect(refused.body).not.toMatch(/root:|node_modules|at [\w.]+ \(/)
    expect((await call('/api/v2/flags/web/checkout')).status).toBe(200)
  })
}
