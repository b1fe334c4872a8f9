import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import {
  emptyEngine,
  failure,
  filledAccount,
  header,
  linesOf,
  project,
  recordsIn,
  sealed,
  textOf,
  token,
} from './test/backed-up-account.ts'

describe('engine.import', () => {
  it('restores the same account from an export with secrets: tokens work, and a new export has the same bytes', async () => {
    const { engine, as } = await filledAccount()
    const text = await textOf(engine.export({ secrets: true }))
    const { engine: copy } = emptyEngine()
    const imported = await copy.import([text])
    expect(imported).toEqual({
      records: JSON.parse(linesOf(text).at(-1) as string).records,
      secrets: { renewed: {}, missing: {}, leftOut: {} },
    })
    expect(await textOf(copy.export({ secrets: true }))).toBe(text)
    const flag = { projectKey: 'web', flagKey: 'checkout' }
    expect((await copy.api.getFlag(flag, { as })).key).toBe('checkout')
    const patched = await copy.api.patchFlag(
      { ...flag, body: [{ op: 'replace', path: '/name', value: 'Later' }] },
      { as },
    )
    expect(patched.name).toBe('Later')
  })

  it('accepts text and bytes that are split at any positions', async () => {
    const { engine, as } = await filledAccount()
    await engine.api.createProject({ body: { key: 'euro', name: '\u20ac\u{1f600}' } }, { as })
    const text = await textOf(engine.export({ secrets: true }))
    const bytes = new TextEncoder().encode(text)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7))
    const { engine: copy } = emptyEngine()
    await copy.import(pieces)
    expect(await textOf(copy.export({ secrets: true }))).toBe(text)
  })

  it('generates new secrets for an export without secrets, and reports documents that cannot get new secrets', async () => {
    const { engine, as, secrets } = await filledAccount()
    const { engine: copy } = emptyEngine()
    const { secrets: outcomes, token: issued } = await copy.import(engine.export(), { token })
    expect(outcomes).toEqual({
      renewed: { environment: 2, 'sdk-key': 1, webhook: 1 },
      missing: { destination: 1 },
      leftOut: { credential: 2, 'oauth-client': 1, token: 2, 'token-use': 1 },
    })
    expect(issued).toBe(token)
    expect((await failure(copy.api.listProjects({}, { as }))).code).toBe('unauthorized')
    const { apiKey, mobileKey } = await copy.api.getEnvironment(
      { projectKey: 'web', environmentKey: 'production' },
      { as: token },
    )
    expect(apiKey).toMatch(/^sdk-[0-9a-f]{40}$/)
    expect(mobileKey).toMatch(/^mob-[0-9a-f]{40}$/)
    expect(secrets).not.toContain(apiKey)
    const { items } = await copy.api.listWebhooks({}, { as: token })
    const byName = Object.fromEntries(items.map((item) => [item.name, item.secret]))
    expect(byName.Hook).toMatch(/^[0-9a-f]{64}$/)
    expect(byName.Unsigned).toBeUndefined()
    const destinations = await copy.api.listDestinations({}, { as: token })
    expect(destinations.items.map(({ on }) => on)).toEqual([false])
    expect((await copy.api.listTokens({ query: { showAll: true } } as never, { as: token })).items).toHaveLength(1)
  })

  it('generates a token for an owner of the account when none is given', async () => {
    const { engine } = await filledAccount()
    const { engine: copy } = emptyEngine()
    const { token: issued } = await copy.import(engine.export())
    expect(issued).toMatch(/^api-[0-9a-f]{64}$/)
    expect((await copy.api.listProjects({}, { as: issued as string })).items.map(({ key }) => key)).toEqual(['web'])
    expect((await failure(emptyEngine().engine.import(engine.export(), { token: 'short' }))).errors).toEqual([
      { attribute: 'token', reason: 'must be 16 to 512 printable ASCII characters without spaces' },
    ])
  })

  it('rejects an account that is not empty, and leaves it unchanged', async () => {
    const { engine } = await filledAccount()
    const { engine: copy, storage } = emptyEngine()
    await copy.bootstrap({ token })
    const before = await recordsIn(storage)
    const error = await failure(copy.import(engine.export()))
    expect(error).toMatchObject({ code: 'optimistic_locking_error', message: 'The account is not empty' })
    expect(await recordsIn(storage)).toEqual(before)
    const set = { name: 'x', scope: '' }
    const otherEngine = emptyEngine()
    await otherEngine.storage.account('default').commit([{ do: 'add-keys', set, keys: ['m'] }])
    expect((await failure(otherEngine.engine.import(engine.export()))).message).toBe('The account is not empty')
  })

  const document = project('web')
  const member = '{"kind":"member","name":"s","scope":"","member":"m"}'
  const sample = '{"kind":"sample","name":"s","scope":"","sample":{"id":"i","at":1,"label":"","values":[],"body":null}}'
  const altered = (line: string, from: string, to: string) => {
    expect(line).toContain(from)
    return line.replace(from, to)
  }
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`

  it.each<[string, string, number, RegExp]>([
    ['nothing', '', 1, /is empty/],
    ['another file', 'key\nu1\n', 1, /header/],
    ['JSON that is not a back-up', '{"a":1}\n', 1, /header/],
    ['another format', sealed(['{"format":"other","version":1,"secrets":true}']), 1, /header/],
    ['another version', sealed(['{"format":"halyard","version":2,"secrets":true}']), 1, /version: 2 is not 1/],
    [
      'a header with an additional property',
      sealed(['{"format":"halyard","version":1,"secrets":true,"x":1}']),
      1,
      /secrets/,
    ],
    ['no footer', `${header}\n${document}\n`, 3, /is missing/],
    ['a truncated line', sealed([header, document]).slice(0, 90), 2, /is truncated/],
    ['a truncated footer', sealed([header, document]).slice(0, -1), 3, /is truncated/],
    ['an altered line', altered(sealed([header, document]), '"name":"web"', '"name":"wab"'), 3, /altered/],
    ['a removed line', altered(sealed([header, document, member]), `${member}\n`, ''), 3, /altered/],
    [
      'lines in another order',
      altered(sealed([header, document, member]), `${document}\n${member}`, `${member}\n${document}`),
      4,
      /altered/,
    ],
    ['other line ends', sealed([header, document]).replaceAll('\n', '\r\n'), 3, /altered/],
    ['a line after the footer', `${sealed([header])}${member}\n`, 3, /must not follow/],
    ['a footer without a hash', `${header}\n{"kind":"end"}\n`, 2, /counts and sha256/],
    ['not JSON', `${header}\n{]\n`, 2, /not valid JSON/],
    ['an empty line', `${header}\n\n`, 2, /not valid JSON/],
    ['a line without an object', `${header}\nnull\n`, 2, /./],
    ['an unknown kind', sealed([header, '{"kind":"thing"}']), 2, /kind/],
    ['an unknown collection', sealed([header, altered(document, '"project"', '"no-such"')]), 2, /there is no no-such/],
    [
      'a document in the wrong scope',
      sealed([header, project('x', { scope: 'proj/web' })]),
      2,
      /in the scope "proj\/web"/,
    ],
    ['a scope that is not an address', sealed([header, project('x', { scope: 'proj/%zz' })]), 2, /there is no project/],
    ['a body with another version', sealed([header, project('x', { version: 2 })]), 2, /version/],
    ['version 0', sealed([header, project('x', { version: 0 })]), 2, /version/],
    ['a body that is not an object', sealed([header, project('x', { body: [] })]), 2, /body/],
    [
      'a body without properties',
      sealed([
        header,
        '{"kind":"document","collection":"approval-request","scope":"proj/p:env/e:flag/f","key":"k","version":1,"body":{"version":1}}',
      ]),
      2,
      /body: must be a document of the collection approval-request/,
    ],
    ['a body too deep', sealed([header, altered(document, '"tags":[]', `"tags":${deep}`)]), 2, /body/],
    ['a member without a name', sealed([header, altered(member, '"name":"s",', '')]), 2, /name/],
    ['a member that is not a string', sealed([header, altered(member, '"m"', '1')]), 2, /member/],
    ['an additional property', sealed([header, altered(member, '"m"', '"m","x":1')]), 2, /x/],
    ['a sample without a time', sealed([header, altered(sample, '"at":1', '"at":"1"')]), 2, /sample\.at/],
    ['nine values', sealed([header, altered(sample, '"values":[]', '"values":[1,2,3,4,5,6,7,8,9]')]), 2, /values/],
    ['withheld properties that are not secret', sealed([header, project('x', { withheld: ['name'] })]), 2, /withheld/],
  ])('rejects %s, names the line, and writes nothing', async (_, text, line, reason) => {
    const { engine, storage } = emptyEngine()
    const error = await failure(engine.import([text]))
    expect(error.code).toBe('invalid_request')
    expect(error.errors).toEqual([{ attribute: `line ${line}`, reason: expect.stringMatching(reason) }])
    expect(await recordsIn(storage)).toEqual([])
    // Nothing was written, so another back-up can be imported.
    await engine.import([sealed([header, document])])
    expect(await recordsIn(storage)).toHaveLength(1)
  })

  it('rejects bytes that are not UTF-8', async () => {
    const { engine, storage } = emptyEngine()
    const pieces = [new TextEncoder().encode(`${header}\n`), new Uint8Array([0x22, 0xff, 0xfe, 0x22, 0x0a])]
    expect((await failure(engine.import(pieces))).errors).toEqual([{ attribute: 'line 2', reason: 'is not UTF-8' }])
    expect(await recordsIn(storage)).toEqual([])
  })

  it('rejects duplicates, however far apart, and writes nothing', async () => {
    const many = Array.from({ length: 12_000 }, (_, i) => member.replace('"m"', `"m${i}"`))
    for (const lines of [
      [document, document],
      [member, member],
      [sample, sample],
      [...many, many[0] as string],
    ]) {
      const { engine, storage } = emptyEngine()
      const error = await failure(engine.import([sealed([header, ...lines])]))
      expect(error.code).toBe('optimistic_locking_error')
      expect(error.message).toMatch(/twice/)
      expect(await recordsIn(storage)).toEqual([])
    }
  })

  it('removes the records that it has written when its signal is aborted or its source fails', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => member.replace('"m"', `"m${i}"`))
    const text = sealed([header, ...many])
    const { engine, storage } = emptyEngine()
    const controller = new AbortController()
    let reported = 0
    const progress = (records: number) => {
      reported = records
      controller.abort(new Error('enough'))
    }
    expect((await failure(engine.import([text], { signal: controller.signal, progress }))).message).toBe('enough')
    expect(reported).toBeGreaterThan(0)
    expect(reported).toBeLessThan(20_000)
    expect(await recordsIn(storage)).toEqual([])
    async function* broken() {
      yield text.slice(0, 900_000)
      throw new TypeError('the disk is gone')
    }
    expect((await failure(engine.import(broken()))).message).toBe('the disk is gone')
    expect(await recordsIn(storage)).toEqual([])
  })

  it('excludes other imports, exports and bootstraps while it runs, and allows no access before it ends', async () => {
    const { engine, as } = await filledAccount()
    const text = await textOf(engine.export({ secrets: true }))
    const many = Array.from({ length: 9000 }, (_, i) => member.replace('"m"', `"m${i}"`))
    const withMembers = sealed([header, ...linesOf(text).slice(1, -1), ...many])
    const { engine: copy, storage } = emptyEngine()
    const otherEngine = createEngine({ storage, clock: () => 1_800_000_000_000, rateLimit: false })
    async function* slowly() {
      yield withMembers.slice(0, -20)
      const conflict = { code: 'optimistic_locking_error' }
      expect(await failure(otherEngine.import([text]))).toMatchObject({
        ...conflict,
        message: expect.stringMatching(/is running/),
      })
      expect(await failure(textOf(otherEngine.export()))).toMatchObject({
        ...conflict,
        message: expect.stringMatching(/being imported/),
      })
      expect((await failure(otherEngine.api.listProjects({}, { as }))).code).toBe('unauthorized')
      expect(await otherEngine.bootstrap({ token })).toBeUndefined()
      yield withMembers.slice(-20)
    }
    await copy.import(slowly())
    expect((await otherEngine.api.listProjects({}, { as })).items).toHaveLength(1)
    expect(
      (await recordsIn(storage)).some((item) => item.kind === 'document' && item.id.collection === 'account-import'),
    ).toBe(false)
  })

  it('replaces an import that made no progress for ten minutes, which can then not continue', async () => {
    let now = 1_800_000_000_000
    const storage = createMemoryStorage()
    const { engine } = emptyEngine(storage, () => now)
    const otherEngine = createEngine({ storage, clock: () => now, rateLimit: false })
    const many = Array.from({ length: 12_000 }, (_, i) => member.replace('"m"', `"m${i}"`))
    const text = sealed([header, ...many])
    async function* stuck() {
      yield text.slice(0, 700_000)
      now += 10 * 60 * 1000 - 1
      expect((await failure(otherEngine.import([sealed([header, document])]))).message).toMatch(/is running/)
      now += 1
      await otherEngine.import([sealed([header, document])])
      yield text.slice(700_000)
    }
    expect((await failure(engine.import(stuck()))).message).toBe('Another import has taken over')
    expect((await recordsIn(storage)).map((item) => item.kind)).toEqual(['document'])
  })
})
