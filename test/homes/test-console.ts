import { expect } from 'vitest'

type Headers = Readonly<Record<string, string>>

const consoleHeaders: Headers = { 'x-requested-with': 'halyard-console', 'content-type': 'application/json' }

interface Rights {
  readonly items: readonly { readonly allowed: boolean }[]
}

/**
 * Uses a console that is mounted at a path, as its page does: loads the document with its files, calls a function and
 * the API, and follows a change.
 *
 * @param base address at which it is mounted, e.g. `http://127.0.0.1:8080/flags`.
 * @param caller headers that name an administrator. Default: no headers, for a host that names the caller itself.
 */
export async function useConsole(base: string, caller: Headers = {}): Promise<void> {
  const headers = { ...consoleHeaders, ...caller }
  const document = await fetch(`${base}/web/production/features`)
  expect([document.status, document.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(document.headers.get('content-security-policy')).toContain("default-src 'none'")
  const paths = [...(await document.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(3)
  for (const path of paths) {
    const file = await fetch(new URL(path, base))
    expect([path, file.status, (await file.text()).length > 0]).toEqual([path, 200, true])
  }
  const send = async (path: string, body: object, method = 'POST') => {
    const response = await fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) })
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
    return response.json()
  }
  const queries = [{ action: 'createProject', resource: 'proj/web' }]
  expect(((await send('/-/rights', { queries })) as Rights).items.map(({ allowed }) => allowed)).toEqual([true])
  await send('/api/v2/projects', { key: 'web', name: 'Web' })
  await send('/api/v2/flags/web', { key: 'checkout', name: 'Checkout' })
  const instructions = [{ kind: 'turnFlagOn' }]
  const change = { projectKey: 'web', environmentKey: 'production', flagKey: 'checkout', instructions }
  const simulation = (await send('/-/simulation', change)) as { readonly changeLogEntry: { readonly title: string } }
  expect(simulation.changeLogEntry.title).toContain('turned on Checkout in Production')
  const patch = [{ op: 'replace', path: '/environments/production/on', value: true }]
  await followChange(base, headers, () => send('/api/v2/flags/web/checkout', patch, 'PATCH'))
}

/**
 * Signs in by a link, and expects that the session changes nothing without the header of the console.
 *
 * @param path path of the link, as `createSignInPath` returns it.
 * @returns the headers of the session.
 */
export async function signInByLink(base: string, path: string): Promise<Headers> {
  const body = JSON.stringify({ code: path.slice(path.indexOf('=') + 1) })
  const response = await fetch(`${base}/-/sign-in`, { method: 'POST', headers: consoleHeaders, body })
  expect(response.status).toBe(200)
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const project = { method: 'POST', body: '{"key":"forged","name":"Forged"}' }
  const headers = { cookie, 'content-type': 'application/json' }
  expect((await fetch(`${base}/api/v2/projects`, { ...project, headers })).status).toBe(403)
  return { cookie }
}

/** Expects that the stream of changes names the flag that is changed while it is open. */
async function followChange(base: string, headers: Headers, change: () => Promise<unknown>): Promise<void> {
  const controller = new AbortController()
  const url = `${base}/-/changes?project=web&environment=production`
  const response = await fetch(url, { headers, signal: controller.signal })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  const read = async () => decoder.decode((await reader.read()).value, { stream: true })
  let text = await read()
  expect(text).toContain(': connected')
  await change()
  while (!text.includes('event: flags')) text += await read()
  expect(text).toContain('["checkout"]')
  controller.abort()
}
