import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  access,
  boolean,
  expectShape,
  integer,
  links,
  listOf,
  number,
  objectOf,
  optional,
  type Shape,
  string,
  time,
  unspecified,
} from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import {
  engineWith,
  refusals,
  type SpecOperation,
  senderOf,
  successBody,
  type Transport,
  transports,
} from './spec-operation.ts'

const getSegment = {
  id: 'getSegment',
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}',
  success: 200,
} as const satisfies SpecOperation

const rule = objectOf({
  _id: string,
  clauses: listOf(
    objectOf({
      _id: string,
      attribute: string,
      negate: boolean,
      op: string,
      values: listOf(unspecified),
      contextKind: string,
    }),
  ),
  weight: optional(integer),
  rolloutContextKind: optional(string),
  bucketBy: optional(string),
  description: optional(string),
})

const targets = listOf(objectOf({ values: listOf(string), contextKind: string }))

const commonFields: Readonly<Record<string, Shape>> = {
  name: string,
  tags: listOf(string),
  creationDate: time,
  lastModifiedDate: time,
  key: string,
  _links: links('self', 'parent'),
  rules: listOf(rule),
  version: integer,
  deleted: boolean,
  generation: integer,
  included: listOf(string),
  includedContexts: targets,
  excludedContexts: targets,
  _access: access,
  _flags: listOf(
    objectOf({
      name: string,
      key: string,
      _links: links('self', 'parent'),
      _site: objectOf({ href: string, type: string }),
    }),
  ),
  unbounded: boolean,
}

const standardFields = { ...commonFields, excluded: listOf(string) }

const bigFields = {
  ...commonFields,
  unboundedContextKind: string,
  _unboundedMetadata: objectOf({
    envId: string,
    segmentId: string,
    version: number,
    includedCount: number,
    excludedCount: number,
    lastModified: number,
    deleted: boolean,
  }),
  _importInProgress: boolean,
}

const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const betaKeys = { ...environmentKeys, segmentKey: 'beta' }

/** Creates a standard segment with every optional field, a flag that targets it, and three segments of other kinds. */
async function segmentsOfAllKinds({ api, admin, given, advance }: TestEngine) {
  const as = { as: admin }
  await given.project('web')
  await given.segment('web', 'production', 'beta', { name: 'Beta users', description: 'First', tags: ['early'] })
  advance(1000)
  const clause = { attribute: 'email', op: 'endsWith', values: ['@example.test'] } as const
  await api.patchSegment(
    {
      ...betaKeys,
      body: [
        { op: 'add', path: '/included/-', value: 'ann' },
        { op: 'add', path: '/excluded/-', value: 'bob' },
        { op: 'add', path: '/includedContexts/-', value: { contextKind: 'org', values: ['acme'] } },
        { op: 'add', path: '/excludedContexts/-', value: { contextKind: 'org', values: ['evil'] } },
        { op: 'add', path: '/rules/-', value: { clauses: [clause], weight: 50_000, rolloutContextKind: 'user' } },
      ],
    },
    as,
  )
  await given.flag('web', 'checkout', { name: 'Checkout' })
  const targeting = { clauses: [{ attribute: 'segmentMatch', op: 'segmentMatch', values: ['beta'] }], variation: 0 }
  await api.patchFlag(
    {
      projectKey: 'web',
      flagKey: 'checkout',
      body: [{ op: 'add', path: '/environments/production/rules/-', value: targeting }],
    },
    as,
  )
  await given.segment('web', 'production', 'plain')
  await given.segment('web', 'production', 'big', { unbounded: true, unboundedContextKind: 'org' })
  await api.updateBigSegmentContextTargets(
    {
      ...environmentKeys,
      segmentKey: 'big',
      body: { included: { add: ['acme', 'initech'] }, excluded: { add: ['evil'] } },
    },
    as,
  )
  const _externalLink = 'https://analytics.example.test/cohorts/7'
  await given.segment('web', 'production', 'synced', { unbounded: true, _external: 'amplitude', _externalLink })
  return { request: { params: betaKeys }, fixture: {} }
}

describeCommonRules(getSegment, segmentsOfAllKinds)

async function readSegment(transport: Transport, segmentKey: string, input = {}) {
  const { engine } = await engineWith(segmentsOfAllKinds, input)
  const send = senderOf(engine, getSegment, transport)
  return { engine, segment: await successBody(send({ params: { ...environmentKeys, segmentKey } }), getSegment) }
}

describe.each(transports)('getSegment %s', (transport) => {
  it('has every field of docs/specification.md', async () => {
    const { engine, segment } = await readSegment(transport, 'beta')
    expectShape(segment, objectOf({ ...standardFields, description: string }))
    expect(segment).toMatchObject({
      key: 'beta',
      name: 'Beta users',
      description: 'First',
      tags: ['early'],
      creationDate: String(engine.now() - 1000),
      lastModifiedDate: String(engine.now()),
      deleted: false,
      generation: 1,
      included: ['ann'],
      excluded: ['bob'],
      includedContexts: [{ contextKind: 'org', values: ['acme'] }],
      excludedContexts: [{ contextKind: 'org', values: ['evil'] }],
      unbounded: false,
      rules: [
        {
          clauses: [{ attribute: 'email', op: 'endsWith', values: ['@example.test'], negate: false }],
          weight: 50_000,
        },
      ],
      _links: {
        self: { href: '/api/v2/segments/web/production/beta', type: 'application/json' },
        parent: { href: '/api/v2/segments/web/production', type: 'application/json' },
      },
    })
    expect(segment._flags).toEqual([
      {
        name: 'Checkout',
        key: 'checkout',
        _links: {
          self: { href: '/api/v2/flags/web/checkout', type: 'application/json' },
          parent: { href: '/api/v2/flags/web', type: 'application/json' },
        },
        _site: { href: '/web/production/features/checkout', type: 'text/html' },
      },
    ])
  })

  it('a minimal segment has empty lists and no description', async () => {
    const { segment } = await readSegment(transport, 'plain')
    expectShape(segment, objectOf(standardFields))
    const emptyLists = { tags: [], rules: [], included: [], excluded: [], includedContexts: [], excludedContexts: [] }
    expect(segment).toMatchObject({ ...emptyLists, _flags: [], version: 1 })
  })

  it('returns times as numbers if timestamps are numbers', async () => {
    const { segment } = await readSegment(transport, 'plain', { wire: { timestamps: 'number' } })
    expectShape(segment, objectOf(standardFields), { timestamps: 'number' })
  })

  it('a big segment has counts instead of its included and excluded keys', async () => {
    const { engine, segment } = await readSegment(transport, 'big')
    expectShape(segment, objectOf(bigFields))
    expect(segment).toMatchObject({
      unbounded: true,
      unboundedContextKind: 'org',
      included: [],
      generation: 1,
      _importInProgress: false,
      _unboundedMetadata: { includedCount: 2, excludedCount: 1, lastModified: engine.now(), deleted: false },
    })
    const { _id } = await engine.api.getEnvironment(environmentKeys, { as: engine.admin })
    expect(segment._unboundedMetadata?.envId).toBe(_id)
  })

  it('a synced segment names the source of its keys', async () => {
    const { segment } = await readSegment(transport, 'synced')
    expectShape(segment, objectOf({ ...bigFields, _external: string, _externalLink: string }))
    expect(segment).toMatchObject({
      _external: 'amplitude',
      _externalLink: 'https://analytics.example.test/cohorts/7',
      unboundedContextKind: 'user',
    })
  })

  it('a segment becomes big with its 15,001st entry', async () => {
    const { engine } = await engineWith(segmentsOfAllKinds)
    const send = senderOf(engine, getSegment, transport)
    const params = { ...environmentKeys, segmentKey: 'plain' }
    const patch = async (path: string, value: unknown) => {
      await engine.api.patchSegment({ ...params, body: [{ op: 'add', path, value }] }, { as: engine.admin })
      return successBody(send({ params }), getSegment)
    }
    const entries = Array.from({ length: 15_000 }, (_, i) => `user-${i}`)
    const atLimit = await patch('/included', entries)
    expect(atLimit.unbounded).toBe(false)
    expect(atLimit.included).toHaveLength(15_000)
    const beyondLimit = await patch('/included/-', 'one-more')
    expectShape(beyondLimit, objectOf(bigFields))
    expect(beyondLimit).toMatchObject({ unbounded: true, included: [], _unboundedMetadata: { includedCount: 15_001 } })
  })

  it('returns in _access what the caller may do', async () => {
    const { engine, request } = await engineWith(segmentsOfAllKinds)
    const { token } = await engine.given.token({ role: 'reader' })
    const { _access } = await successBody(
      senderOf(engine, getSegment, transport)({ ...request, as: token }),
      getSegment,
    )
    const actions = _access.denied.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(
      expect.arrayContaining(['updateIncluded', 'updateExcluded', 'updateRules', 'deleteSegment']),
    )
  })

  it('the version grows with every change', async () => {
    const { engine } = await engineWith(segmentsOfAllKinds)
    const params = { ...environmentKeys, segmentKey: 'plain' }
    const version = async () =>
      (await successBody(senderOf(engine, getSegment, transport)({ params }), getSegment)).version
    expect(await version()).toBe(1)
    const body = [{ op: 'replace' as const, path: '/name', value: 'Renamed' }]
    await engine.api.patchSegment({ ...params, body }, { as: engine.admin })
    expect(await version()).toBe(2)
  })

  it('a segment in a list has no _flags', async () => {
    const { engine } = await engineWith(segmentsOfAllKinds)
    const { items } = await engine.api.listSegments(environmentKeys, { as: engine.admin })
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) expect(item).not.toHaveProperty('_flags')
  })

  it.each([{ segmentKey: 'none' }, { environmentKey: 'none' }, { projectKey: 'none' }, { segmentKey: '__proto__' }])(
    'responds with 404 for %o',
    async (otherParams) => {
      const { engine } = await engineWith(segmentsOfAllKinds)
      expect(await senderOf(engine, getSegment, transport)({ params: { ...betaKeys, ...otherParams } })).toEqual(
        refusals.not_found,
      )
    },
  )

  it('is not found for a caller without the right to view its project, because it does not list `forbidden`', async () => {
    const { engine, request } = await engineWith(segmentsOfAllKinds)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/shop'], actions: ['viewProject'] }],
    })
    expect(await senderOf(engine, getSegment, transport)({ ...request, as: token })).toEqual(refusals.not_found)
  })
})
