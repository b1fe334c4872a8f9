import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createTestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { describe, expect, it } from 'vitest'

const { resolve } = createRequire(import.meta.url)
const sources = [
  resolve('launchdarkly-api-typescript').replace(/dist[\\/].*$/, 'api.ts'),
  resolve('@launchdarkly/mcp-server/models/components').replace(/dist[\\/].*$/, 'src/funcs/featureFlagsList.ts'),
].map((file) => readFileSync(file, 'utf8').replaceAll('\\"', '"').replaceAll("\\'", "'"))

const engine = await createTestEngine()
await engine.given.project('web')
const handler = createFetchHandler(engine)

/** Lists flags with a query, as a client does. */
async function listWith(query: Readonly<Record<string, string>>) {
  const url = `http://localhost/api/v2/flags/web?${new URLSearchParams(query)}`
  const response = await handler(new Request(url, { headers: { authorization: engine.admin } }))
  const body = (await response.json()) as { readonly errors?: readonly { readonly reason: string }[] }
  return { status: response.status, reasons: (body.errors ?? []).map(({ reason }) => reason).join() }
}

/** The descriptions of the list of flags: from its filters to the end of its orders. */
const descriptions = sources.map((source) => /### Filtering flags([\s\S]*?)### Expanding/.exec(source)?.[1] ?? '')

/** Returns all matches of a pattern in texts, each once. */
const matchesOf = (pattern: RegExp) => [
  ...new Map(descriptions.flatMap((text) => [...text.matchAll(pattern)]).map((match) => [match[0], match])).values(),
]

/** The examples of filters in the descriptions: the terms after `filter=`. */
const examples = matchesOf(/\| `[\w.]+` *\| [^|]*\| (?:`|Use `)filter=([^`]+)`/g).map(([, filter = '']) => filter)

/** Filters that earlier and later versions of the clients name. */
const otherFilters = [
  ...['contextKindTargeted', 'excludeSettings', 'followerId', 'hasDataExport', 'key', 'name', 'purpose'],
  ...['segmentTargeted', 'staleState', 'status', 'targeting', 'view'],
]

/** Filters of the reference API, with the reason why they are refused. */
const refused: Readonly<Record<string, string>> = {
  applicationEvaluated: 'evaluations are counted without the application that an SDK reports',
  contextKindTargeted: 'no row of a configuration contains the kinds of its rules',
  excludeSettings: 'the reference documents no values',
  hasDataExport: 'exports are of a whole environment',
  staleState: 'the reference documents no values',
  targeting: 'the reference documents no values',
}

const fieldOf = (filter: string) => /^[\w.]+/.exec(filter)?.[0] ?? ''

describe('the list of flags', () => {
  it.each(examples)('accepts the filter of the published clients: %s', async (filter) => {
    const { status, reasons } = await listWith({ filter })
    if (fieldOf(filter) in refused)
      expect([status, reasons]).toEqual([400, expect.stringMatching(/one of .*\bstatus\b/)])
    else expect([status, reasons]).toEqual([200, ''])
  })

  it('accepts every filter of the reference API, except some with a reason', async () => {
    const names = new Set([...examples.map(fieldOf), ...otherFilters])
    const { reasons } = await listWith({ filter: 'unknown:1' })
    const known = (/one of ([\w., ]+)/.exec(reasons)?.[1] ?? '').split(', ')
    expect(names.size).toBe(28)
    expect([...names].filter((name) => !known.includes(name)).sort()).toEqual(Object.keys(refused).sort())
  })

  it('accepts every value of guardedRollout but archived, which the published clients do not explain', async () => {
    const [[, list = ''] = []] = matchesOf(/`guardedRollout` *\| A string, one of ((?:`\w+`(?:, )?)+)/g)
    const words = [...list.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)
    const statuses = await Promise.all(
      words.map(async (word) => [word, (await listWith({ filter: `guardedRollout:${word}` })).status] as const),
    )
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([['archived', 400]])
    expect(words.length).toBe(6)
  })

  it('accepts every order of the published clients', async () => {
    const names = new Set(matchesOf(/- `(\w+)` sorts by/g).map(([, name = '']) => name))
    const statuses = [...names].flatMap((name) =>
      [name, `-${name}`].map(async (sort) => [sort, (await listWith({ sort, env: 'production' })).status] as const),
    )
    expect(names.has('targetingModifiedDate') && names.has('tags')).toBe(true)
    expect((await Promise.all(statuses)).filter(([, status]) => status !== 200)).toEqual([])
  })
})
