import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  approvalSettings,
  commonFields,
  environment,
  expandedPages,
  indicators,
  metadata,
  pageFields,
  scoreMetadata,
  scores,
  unexpandedPage,
} from './insight-group-shape.ts'
import { envelope, expectShape, listOf, objectOf, type Shape } from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import {
  engineWith,
  invalid,
  type SpecOperation,
  senderOf,
  successBody,
  type Transport,
  transports,
} from './spec-operation.ts'

const listInsightGroups = {
  id: 'listInsightGroups',
  method: 'GET',
  path: '/api/v2/engineering-insights/insights/groups',
  beta: true,
  success: 200,
} as const satisfies SpecOperation

const day = 86_400_000

/** Creates an environment with settings of its own and deployments in two periods, and three insight groups in it. */
async function threeGroups({ api, admin, given, now }: TestEngine) {
  const as = { as: admin }
  await given.project('web')
  await given.environment('web', 'live', { critical: true, tags: ['eu'], defaultTtl: 5, requireComments: true })
  const environmentKeys = { projectKey: 'web', environmentKey: 'live' }
  for (const ago of [40, 10, 5]) {
    const event = { ...environmentKeys, applicationKey: 'shop', version: `v${ago}`, eventTime: now() - ago * day }
    await api.createDeploymentEvent({ body: { ...event, eventType: 'finished' } }, as)
  }
  for (const key of ['b', 'a', 'c']) {
    await api.createInsightGroup(
      { body: { key, name: `Group ${key}`, ...environmentKeys, applicationKeys: ['shop'] } },
      as,
    )
  }
  return { request: {}, fixture: { place: environmentKeys } }
}

describeCommonRules(listInsightGroups, threeGroups)

async function listGroups(transport: Transport, query: Record<string, string> = {}, input = {}) {
  const { engine } = await engineWith(threeGroups, input)
  return successBody(senderOf(engine, listInsightGroups, transport)({ query }), listInsightGroups)
}

const keysOf = ({ items }: { readonly items: readonly { readonly key: string }[] }) => items.map(({ key }) => key)

describe.each(transports)('listInsightGroups %s', (transport) => {
  it('returns every field of docs/specification.md, and no expansion by default', async () => {
    const { engine } = await engineWith(threeGroups)
    const response = await successBody(senderOf(engine, listInsightGroups, transport)(), listInsightGroups)
    expectShape(response, unexpandedPage)
    expect(response).toMatchObject({ totalCount: 3, _links: { self: { href: listInsightGroups.path } } })
    expect(response.items[0]).toEqual({
      key: 'a',
      name: 'Group a',
      projectKey: 'web',
      environmentKey: 'live',
      createdAt: String(engine.now()),
      applicationKeys: ['shop'],
    })
  })

  it.each(Object.keys(expandedPages))('with the expansion %s returns exactly that expansion', async (name) => {
    expectShape(await listGroups(transport, { expand: name }), expandedPages[name] as Shape)
  })

  it('returns all expansions together, with times as numbers if timestamps are numbers', async () => {
    const group = objectOf({ ...commonFields, scores, environment, scoreMetadata })
    const all = objectOf({ ...pageFields, items: listOf(group), metadata, scoreMetadata })
    for (const timestamps of ['string', 'number'] as const) {
      const response = await listGroups(transport, { expand: 'scores,environment,metadata' }, { wire: { timestamps } })
      expectShape(response, all, { timestamps })
    }
  })

  it('returns the settings of the environment', async () => {
    const { items } = await listGroups(transport, { expand: 'environment' })
    expect(items[0]?.environment).toMatchObject({
      _links: { self: { href: '/api/v2/projects/web/environments/live', type: 'application/json' } },
      key: 'live',
      name: 'live',
      color: '417505',
      defaultTtl: 5,
      secureMode: false,
      defaultTrackEvents: false,
      requireComments: true,
      confirmChanges: false,
      tags: ['eu'],
      critical: true,
      approvalSettings: {
        required: false,
        bypassApprovalsForPendingChanges: false,
        minNumApprovals: 1,
        canReviewOwnRequest: false,
        canApplyDeclinedChanges: true,
        serviceConfig: {},
        requiredApprovalTags: [],
        autoApplyApprovedChanges: false,
      },
      resourceApprovalSettings: {},
    })
  })

  it('returns the approval settings of the environment and of resource kinds', async () => {
    const { engine, fixture } = await engineWith(threeGroups)
    const settings = {
      required: true,
      bypassApprovalsForPendingChanges: true,
      minNumApprovals: 3,
      canReviewOwnRequest: true,
      canApplyDeclinedChanges: false,
      requiredApprovalTags: [],
      autoApplyApprovedChanges: true,
    }
    const body = [
      ...Object.entries(settings).map(([name, value]) => ({
        op: 'replace' as const,
        path: `/approvalSettings/${name}`,
        value,
      })),
      { op: 'add' as const, path: '/resourceApprovalSettings', value: { segment: { minNumApprovals: 2 } } },
    ]
    await engine.api.patchEnvironment(
      { ...fixture.place, body: { comment: 'stricter', patch: body } },
      { as: engine.admin },
    )
    const query = { expand: 'environment' }
    const { items } = await successBody(senderOf(engine, listInsightGroups, transport)({ query }), listInsightGroups)
    expectShape(items[0]?.environment, environment)
    expect(items[0]?.environment?.approvalSettings).toMatchObject(settings)
    expectShape(items[0]?.environment?.resourceApprovalSettings, objectOf({ segment: approvalSettings }))
  })

  it('hides the secret keys of an environment from callers without the right to see them', async () => {
    const { engine, fixture } = await engineWith(threeGroups)
    const environmentWithKeys = await engine.api.getEnvironment(fixture.place, { as: engine.admin })
    const { token } = await engine.given.token({ role: 'reader' })
    const send = senderOf(engine, listInsightGroups, transport)
    const { items } = await successBody(send({ as: token, query: { expand: 'environment' } }), listInsightGroups)
    expectShape(items[0]?.environment, environment)
    expect(JSON.stringify(items)).not.toContain(environmentWithKeys.apiKey)
    expect(JSON.stringify(items)).not.toContain(environmentWithKeys.mobileKey)
  })

  it('compares the scores of the last 30 days with the 30 days before', async () => {
    const { engine } = await engineWith(threeGroups)
    const now = engine.now()
    const send = senderOf(engine, listInsightGroups, transport)
    const { items, scoreMetadata: responseMetadata } = await successBody(
      send({ query: { expand: 'scores' } }),
      listInsightGroups,
    )
    const expected = {
      period: { startTime: String(now - 30 * day), endTime: String(now) },
      lastPeriod: { startTime: String(now - 60 * day), endTime: String(now - 30 * day) },
    }
    expect(responseMetadata).toEqual(expected)
    expect(items[0]?.scoreMetadata).toEqual(expected)
    // Two deployments in thirty days are between the rates 1/30 a day (score 40) and 1/7 a day (score 70).
    const fraction = (2 / 30 - 1 / 30) / (1 / 7 - 1 / 30)
    expect(items[0]?.scores).toMatchObject({
      deploymentFrequency: {
        score: Math.round(40 + 30 * fraction),
        indicator: 'fair',
        indicatorRange: { min: 40, max: 69 },
        diffVsLastPeriod: Math.round(40 + 30 * fraction) - 40,
      },
      deploymentFailureRate: { score: 100, indicator: 'excellent', indicatorRange: { min: 90, max: 100 } },
      leadTime: { indicator: 'unknown' },
      velocity: { aggregateOf: ['deploymentFrequency', 'leadTime'] },
      risk: { aggregateOf: ['deploymentFailureRate', 'impactSize'] },
      efficiency: { aggregateOf: ['flagHealth', 'experimentationCoverage'] },
      overall: { aggregateOf: ['velocity', 'risk', 'efficiency'] },
    })
  })

  it('counts the indicators of all groups, not only of those on the page', async () => {
    const { items, metadata: counts } = await listGroups(transport, { expand: 'metadata,scores', limit: '1' })
    const indicator = items[0]?.scores?.overall.indicator ?? ''
    const none = Object.fromEntries(indicators.map((name) => [name, 0]))
    expect(counts).toEqual({ countByIndicator: { ...none, [indicator]: 3, total: 3 } })
  })

  it('returns 20 groups by default, and 1 to 20 with `limit`', async () => {
    const { engine, fixture } = await engineWith(threeGroups)
    for (let i = 0; i < 19; i++) {
      const body = { key: `more-${i}`, name: 'More', ...fixture.place }
      await engine.api.createInsightGroup({ body }, { as: engine.admin })
    }
    const send = senderOf(engine, listInsightGroups, transport)
    const count = async (query: Record<string, string>) =>
      (await successBody(send({ query }), listInsightGroups)).items.length
    expect(await count({})).toBe(20)
    expect(await count({ limit: '20' })).toBe(20)
    expect(await count({ limit: '1' })).toBe(1)
    expect(await count({ offset: '20' })).toBe(2)
    expect(await send({ query: { limit: '21' } })).toEqual(invalid(['limit', 'must be at most 20']))
    expect(await send({ query: { limit: '0' } })).toEqual(invalid(['limit', 'must be at least 1']))
  })

  it('starts at `offset` and has links to all other pages', async () => {
    const response = await listGroups(transport, { sort: '-name', limit: '1', offset: '1' })
    expectShape(response, envelope(objectOf(commonFields)))
    expect(keysOf(response)).toEqual(['b'])
    const pageLink = (offset: number) => ({
      href: `${listInsightGroups.path}?sort=-name&limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(response._links).toEqual({
      self: pageLink(1),
      first: pageLink(0),
      prev: pageLink(0),
      next: pageLink(2),
      last: pageLink(2),
    })
  })

  it('sorts by name, ascending or descending', async () => {
    expect(keysOf(await listGroups(transport))).toEqual(['a', 'b', 'c'])
    expect(keysOf(await listGroups(transport, { sort: 'name' }))).toEqual(['a', 'b', 'c'])
    expect(keysOf(await listGroups(transport, { sort: '-name' }))).toEqual(['c', 'b', 'a'])
  })

  it('filters by name', async () => {
    expect(keysOf(await listGroups(transport, { query: 'group B' }))).toEqual(['b'])
    expect(await listGroups(transport, { query: 'nothing' })).toMatchObject({ totalCount: 0, items: [] })
  })

  it('names every invalid parameter', async () => {
    const { engine } = await engineWith(threeGroups)
    const query = { limit: 'many', offset: '-1', sort: 'key', expand: 'scores,team' }
    expect(await senderOf(engine, listInsightGroups, transport)({ query })).toEqual(
      invalid(
        ['limit', 'must be an integer'],
        ['offset', 'must be at least 0'],
        ['sort', 'must be one of name, with "-" before it for descending'],
        ['expand.1', 'must be one of scores, environment, metadata'],
      ),
    )
  })

  it('neither returns nor counts groups of projects that the caller may not view', async () => {
    const { engine } = await engineWith(threeGroups)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/shop'], actions: ['viewProject'] }],
    })
    const response = await successBody(senderOf(engine, listInsightGroups, transport)({ as: token }), listInsightGroups)
    expect(response).toMatchObject({ totalCount: 0, items: [] })
  })
})
