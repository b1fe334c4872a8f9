import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, type Question } from './ask.ts'
import type { Serving } from './serve-program.ts'

/** The administrator's token in every home. */
export const homeToken = 'administrator-token-1'

/** Paths that climb, that are no UTF-8, that end too early, or that are another address. */
const hostilePaths: Readonly<Record<string, string>> = {
  'climbs to a file': '/api/v2/projects/../../../etc/passwd',
  'climbs encoded': '/api/v2/projects/..%2f..%2f..%2fetc%2fpasswd',
  'climbs from a flag': '/api/v2/flags/web/%2e%2e',
  'has a zero byte': '/api/v2/flags/web/%00',
  'is not UTF-8': '/api/v2/flags/web/%ff%fe',
  'ends within a character': '/api/v2/flags/web/%E0%A4%A',
  'names a prototype': '/api/v2/flags/web/__proto__',
  'looks like another host': '//flags.example.com/api/v2/projects',
  'is long': `/api/v2/flags/web/${'x'.repeat(6_000)}`,
}

/**
 * What any home must do, as tests of the surrounding `describe`.
 *
 * @param start starts the home, with `homeToken` as its administrator's token.
 * @param base where the API is mounted. Default: at the root.
 * @param startMs how long starting it may take, ms. Default: as long as any hook.
 */
export function examineHome(start: () => Promise<Serving>, base = '', startMs?: number): void {
  let home: Serving
  beforeAll(async () => {
    home = await start()
  }, startMs)
  afterAll(() => home.stop())

  const call = (path: string, { headers, ...question }: Question = {}) =>
    ask(home.port, `${base}${path}`, { ...question, headers: { authorization: homeToken, ...headers } })

  it('keeps what is made, whoever comes first', async () => {
    const first = await Promise.all(Array.from({ length: 8 }, () => call('/api/v2/projects')))
    expect(first.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const project = await call('/api/v2/projects', { method: 'POST', body: { key: 'web', name: 'Läden ☕' } })
    expect([project.status, JSON.parse(project.body).name]).toEqual([201, 'Läden ☕'])
    const flag = await call('/api/v2/flags/web', { method: 'POST', body: { key: 'checkout', name: 'Checkout' } })
    expect([flag.status, JSON.parse(flag.body).key]).toEqual([201, 'checkout'])
  })

  it('answers 304 to whoever has it already, and no body to HEAD', async () => {
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

  it('changes and removes', async () => {
    const path = '/api/v2/flags/web/passing'
    await call('/api/v2/flags/web', { method: 'POST', body: { key: 'passing', name: 'Passing' } })
    const changed = await call(path, { method: 'PATCH', body: [{ op: 'replace', path: '/name', value: 'By' }] })
    expect([changed.status, JSON.parse(changed.body).name]).toEqual([200, 'By'])
    const removed = await call(path, { method: 'DELETE' })
    expect([removed.status, removed.body]).toEqual([204, ''])
  })

  it('says what is not there, and to whom it says nothing', async () => {
    const missing = await call('/api/v2/flags/web/none')
    expect([missing.status, JSON.parse(missing.body).code]).toEqual([404, 'not_found'])
    const unknown = await ask(home.port, `${base}/api/v2/flags/web/checkout`)
    expect([unknown.status, JSON.parse(unknown.body).code]).toEqual([401, 'unauthorized'])
  })

  it.each(Object.entries(hostilePaths))('refuses a path that %s, and goes on', async (_, path) => {
    const refused = await call(path)
    expect(refused.status, refused.body).toBeGreaterThanOrEqual(400)
    expect(refused.status, refused.body).toBeLessThan(500)
    expect(refused.body).not.toMatch(/root:|node_modules|at [\w.]+ \(/)
    expect((await call('/api/v2/flags/web/checkout')).status).toBe(200)
  })
}
