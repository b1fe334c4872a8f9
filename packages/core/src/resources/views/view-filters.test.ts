import { describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { checkout, editor, failureOf, flagsOf, segmentsOf, start, viewAccount } from './test/view-account.ts'

const { projectKey } = checkout

describe('a filter of flags', () => {
  async function accountWithResources() {
    const account = await viewAccount()
    const { newFlag, newView, link, as, pass } = account
    const sdks = (usingEnvironmentId: boolean, usingMobileKey: boolean) => ({
      clientSideAvailability: { usingEnvironmentId, usingMobileKey },
    })
    await newFlag('web', { name: 'On the web, new', ...sdks(true, false) })
    pass(1_000)
    await newFlag('app', { name: 'In the app', tags: ['x', 'y'], ...sdks(false, true) })
    pass(1_000)
    await newFlag('both', { name: 'Everywhere', tags: ['x'], ...sdks(true, true) })
    pass(1_000)
    await newFlag('server', {
      ...sdks(false, false),
      purpose: 'migration',
      migrationSettings: { stageCount: 2 },
      temporary: false,
    })
    await newView('cart')
    await link({ keys: ['web', 'app'] })
    await link({ keys: ['both'] }, as, { ...flagsOf(), viewKey: 'cart' })
    const list = async (filter: string, caller: As = as) =>
      (await account.api.listFlags({ projectKey, filter, sort: 'creationDate' }, { as: caller })).items.map(
        ({ key }) => key,
      )
    return { ...account, list }
  }

  it.each([
    ['key:web+server', ['web', 'server']],
    ['name:"On the web, new"', ['web']],
    ['name:In the app', ['app']],
    ['query:THE', ['web', 'app']],
    ['query:"web, n"', ['web']],
    ['tags:x+y', ['app']],
    ['sdkAvailability:client', ['web', 'both']],
    ['sdkAvailability:mobile', ['app', 'both']],
    ['sdkAvailability:anyClient', ['web', 'app', 'both']],
    ['sdkAvailability:server', ['server']],
    ['purpose:migration', ['server']],
    ['type:permanent', ['server']],
    [`creationDate:{"before":${start + 1_000}}`, ['web']],
    [`creationDate:{"after":${start + 1_000}}`, ['both', 'server']],
    [`creationDate:{"after":${start},"before":${start + 2_000}},tags:x`, ['app']],
    ['view:checkout', ['web', 'app']],
    ['view:checkout+cart,tags:x', ['app', 'both']],
    ['view:none', []],
    ['maintainerId:a+b', []],
    ['', ['web', 'app', 'both', 'server']],
  ])('%s selects the matching resources', async (filter, keys) => {
    const { list } = await accountWithResources()
    expect(await list(filter)).toEqual(keys)
  })

  it('treats a view that the caller may not view as empty', async () => {
    const { list } = await accountWithResources()
    expect(await list('view:checkout', editor())).toEqual([])
    expect(await list('view:checkout', editor('viewView'))).toEqual(['web', 'app'])
  })

  it.each<[string, string]>([
    [
      'tags:a,colour:red',
      'column 8: must be one of query, key, name, tags, maintainerId, maintainerTeamKey, type, state, archived, sdkAvailability, creationDate, purpose, view',
    ],
    ['toString:x', 'column 1: must be one of query'],
    ['type:other', 'column 6: must be one of temporary, permanent'],
    ['type:temporary+permanent', 'column 16: must be the only value'],
    ['state:live+dead', 'column 12: must be one of live, deprecated, archived'],
    ['archived:constructor', 'column 10: must be one of true, false'],
    ['sdkAvailability:{"a":1}', 'column 17: must be a text'],
    ['creationDate:5', 'column 14: must be an object with "before" or "after"'],
    ['creationDate:{"before":"5"}', 'column 14: must be an object with'],
    ['creationDate:{"__proto__":5}', 'column 14: must be an object with'],
    ['creationDate:{}', 'column 14: must be an object with'],
    ['view:a+b+c+d+e+f+g+h+i+j+k', 'must name at most 10 views'],
  ])('%s is rejected over HTTP with the column', async (filter, reason) => {
    const { send } = await viewAccount()
    const response = await send('GET', `/api/v2/flags/web?filter=${encodeURIComponent(filter)}`)
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body as string).errors).toEqual([
      { attribute: 'filter', reason: expect.stringContaining(reason) },
    ])
  })

  it('reports all invalid values together, with other errors of the query', async () => {
    const { api, as } = await viewAccount()
    const failure = await failureOf(api.listFlags({ projectKey, filter: 'type:a,state:b', limit: 0 }, { as }))
    expect(failure.errors?.map(({ attribute }) => attribute)).toEqual(['limit', 'filter', 'filter'])
  })
})

describe('a filter of segments', () => {
  async function accountWithResources() {
    const account = await viewAccount()
    const { api, as, newSegment, link, production } = account
    const patch = (segmentKey: string, path: string, value: unknown) =>
      api.patchSegment(
        { projectKey, environmentKey: 'production', segmentKey, body: [{ op: 'replace', path, value }] as never },
        { as },
      )
    await newSegment('lists', { name: 'Lists', tags: ['x'] })
    await patch('lists', '/included', ['ada', 'bob'])
    await patch('lists', '/excludedContexts', [{ contextKind: 'org', values: ['acme'] }])
    await newSegment('rules', { name: 'Rules', description: 'By country' })
    await patch('rules', '/rules', [{ clauses: [{ attribute: 'country', op: 'in', values: ['fr'] }] }])
    await newSegment('huge', { name: 'Huge', unbounded: true, tags: ['x'] })
    const keys = { projectKey, environmentKey: 'production', segmentKey: 'huge' }
    await api.updateBigSegmentTargets({ ...keys, body: { included: { add: ['ada'] } } }, { as })
    await newSegment('rules', {}, 'test')
    const segmentIdentifiers = ['rules', 'huge'].map((segmentKey) => ({ environmentId: production, segmentKey }))
    await link({ segmentIdentifiers }, as, segmentsOf())
    const list = async (filter: string, environmentKey = 'production', caller: As = as) =>
      (await api.listSegments({ projectKey, environmentKey, filter }, { as: caller })).items.map(({ key }) => key)
    return { ...account, list }
  }

  it.each([
    ['keys anyOf ["rules", "lists"]', ['lists', 'rules']],
    ['query equals "COUNTRY"', ['rules']],
    ['includedKeys anyOf ["ada"]', ['lists']],
    ['includedKeys anyOf ["acme"]', []],
    ['excludedKeys anyOf ["acme", "none"]', ['lists']],
    ['type equals rule-based', ['rules']],
    ['type anyOf [list-based, synced]', ['huge', 'lists']],
    ['unbounded equals true | tags anyOf [none]', ['huge']],
    ['(unbounded equals true | type equals rule-based), tags anyOf [x]', ['huge']],
    ['unbounded equals true | type equals rule-based, tags anyOf [x]', ['huge']],
    ['type equals rule-based | unbounded equals true, tags anyOf [x]', ['huge', 'rules']],
    ['view equals checkout', ['huge', 'rules']],
    ['view anyOf [checkout, none], (keys anyOf [rules])', ['rules']],
    ['view equals none', []],
  ])('%s selects the matching resources', async (filter, keys) => {
    const { list } = await accountWithResources()
    expect(await list(filter)).toEqual(keys)
  })

  it('considers only the linked segments of its environment, and only views that the caller may view', async () => {
    const { list } = await accountWithResources()
    expect(await list('view equals checkout', 'test')).toEqual([])
    expect(await list('view equals checkout', 'production', editor())).toEqual([])
  })

  it.each<[string, string]>([
    ['colour equals red', 'column 1: must be one of query, tags, keys, includedKeys'],
    ['tags equals a', 'column 6: must be anyOf'],
    ['query equals a, unbounded equals maybe', 'column 34: must be true or false'],
    ['type anyOf [rule-based, other]', 'column 12: must be one of rule-based, list-based, synced'],
    ['(query equals a', 'column 16: must be ",", "|" or ")"'],
    ['constructor equals a', 'column 1: must be one of'],
  ])('%s is rejected over HTTP with the column', async (filter, reason) => {
    const { send } = await viewAccount()
    const response = await send('GET', `/api/v2/segments/web/production?filter=${encodeURIComponent(filter)}`)
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body as string).errors).toEqual([
      { attribute: 'filter', reason: expect.stringContaining(reason) },
    ])
  })
})
