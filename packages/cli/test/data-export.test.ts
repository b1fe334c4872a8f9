import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { halyard, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'

/** Starts a server with the project `web`. */
async function startServer(env: Record<string, string>) {
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], { HALYARD_TOKEN: token, ...env })
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  async function call(method: string, resource: string, body: object = {}) {
    const headers = { authorization: token, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/v2${resource}`, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  expect((await call('POST', '/projects', { key: 'web', name: 'Web' })).status).toBe(201)
  return { running, call }
}

it('serve writes changes to the file of a destination', async () => {
  const directory = path.join(temporaryFolder(), 'exports')
  mkdirSync(directory)
  const { call } = await startServer({ HALYARD_DATA_EXPORT_DIRECTORY: directory })
  const destination = { name: 'File', kind: 'file', config: { name: 'web.ndjson' }, on: true }
  expect((await call('POST', '/destinations/web/production', destination)).status).toBe(201)
  await call('POST', '/flags/web', { key: 'checkout', name: 'Checkout' })
  const lines = await vi.waitFor(() => {
    const text = readFileSync(path.join(directory, 'web.ndjson'), 'utf8')
    // The file is created before its first lines are written.
    expect(text).toMatch(/\n$/)
    return text.trimEnd().split('\n')
  }, 20_000)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      schemaVersion: 1,
      kind: 'change',
      environmentKey: 'production',
      change: { titleVerb: 'created the flag Checkout' },
    },
  ])
})

it('serve lists the supported kinds of destinations in a refusal, and names the variable that a trust policy needs', async () => {
  const { call } = await startServer({})
  const config = { region: 'eu-central-1', roleArn: 'arn:aws:iam::123456789012:role/x', streamName: 'flags' }
  const refusal = await call('POST', '/destinations/web/production', { name: 'K', kind: 'kinesis', config })
  const kinds = ['azure-event-hubs', 'mparticle', 'segment', 'http-ndjson'].map((kind) => `"${kind}"`).join(', ')
  expect(refusal).toMatchObject({
    status: 400,
    body: { errors: [{ attribute: 'kind', reason: `must be one of ${kinds}, for which this engine has exporters` }] },
  })
  const policy = await call('POST', '/destinations/projects/web/environments/production/generate-trust-policy')
  expect(policy.status).toBe(400)
  expect(policy.body.message).toContain('HALYARD_DATA_EXPORT_ROLE_ARN')
})

it.each([
  ['HALYARD_DATA_EXPORT_DIRECTORY', 'missing', /^halyard: --data-export-directory must be a directory that exists/],
  ['GOOGLE_APPLICATION_CREDENTIALS', 'key.json', /^halyard: --data-export-google-key: .* must be the key file/],
])('serve refuses an unusable %s', async (name, file, message) => {
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, 'key.json'), '{"private_key": "secret-1"}')
  const running = halyard(['serve', '--port', '0', '--storage', 'memory'], { [name]: path.join(folder, file) })
  expect(await running.ended).toBe(1)
  expect(running.err()).toMatch(message)
  expect(running.err()).not.toContain('secret-1')
})
