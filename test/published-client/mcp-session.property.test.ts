import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openMcpSession } from './mcp-session.ts'

// The tools must be able to read whatever the engine accepts. Requests that it refuses leave the account as it is.

/** A request to the engine. */
interface Write {
  readonly method: 'POST' | 'PATCH' | 'PUT'
  readonly path: string
  readonly body: unknown
}

const numbers = fc.oneof(fc.nat({ max: 3 }), fc.constantFrom(0.5, -1, 1e5, 33.3, 1_700_000_000_000, 2 ** 60))
const texts = fc.constantFrom('', 'a', 'web', 'é', 'x y', 'https://x.test/${sha}')
const json = fc.oneof(
  numbers,
  texts,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom([], [1, null], {}, { a: { b: [] } }),
)
const variation = fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 1 }) }, { weight: 1, arbitrary: numbers })
const kind = fc.option(fc.constantFrom('user', 'org'), { nil: undefined })
const flagKey = fc.constantFrom('f', 'g', 'm')
const environmentKey = fc.constantFrom('production', 'test')

const ops = ['in', 'contains', 'matches', 'lessThan', 'before', 'semVerEqual', 'segmentMatch'] as const

const clauses = fc.array(
  fc.record(
    { attribute: texts, op: fc.constantFrom(...ops), values: fc.array(json, { maxLength: 2 }), negate: fc.boolean() },
    { requiredKeys: ['attribute', 'op', 'values'] },
  ),
  { maxLength: 2 },
)

const serves = fc.oneof(
  variation.map((index) => ({ variation: index })),
  fc
    .record({
      first: fc.constantFrom(0, 60_000, 0.5, 100_000),
      seed: fc.constantFrom(null, 0.5, 3),
      bucketBy: kind,
      kind,
    })
    .map(({ first, seed, bucketBy, kind: contextKind }) => {
      const weights = [first, 100_000 - first].map((weight, index) => ({ variation: index, weight }))
      return { rollout: { variations: weights, ...(seed === null ? {} : { seed }), bucketBy, contextKind } }
    }),
)

/** Values of the properties of a flag's configuration. */
const configValues: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  on: fc.boolean(),
  offVariation: variation,
  fallthrough: serves,
  trackEvents: fc.boolean(),
  trackEventsFallthrough: fc.boolean(),
  rules: fc.array(
    fc.tuple(serves, clauses, texts).map(([serve, list, description]) => ({ ...serve, clauses: list, description })),
    { maxLength: 2 },
  ),
  targets: fc.array(fc.record({ variation, values: fc.uniqueArray(texts, { maxLength: 2 }) }), { maxLength: 2 }),
  contextTargets: fc.array(fc.record({ variation, contextKind: kind, values: fc.constant(['acme']) }), {
    maxLength: 1,
  }),
  prerequisites: fc.array(fc.record({ key: flagKey, variation }), { maxLength: 1 }),
  'migrationSettings/checkRatio': numbers,
}

/** Values of the properties of a flag. */
const flagValues: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name: texts,
  description: texts,
  tags: fc.uniqueArray(texts, { maxLength: 2 }),
  archived: fc.boolean(),
  deprecated: fc.boolean(),
  maintainerTeamKey: fc.constantFrom('core', 'none'),
  'variations/0/value': json,
  'variations/1/name': texts,
  defaults: fc.record({ onVariation: variation, offVariation: variation }),
  'customProperties/a': fc.record({ name: texts, value: fc.array(texts, { maxLength: 2 }) }),
  'clientSideAvailability/usingMobileKey': fc.boolean(),
}

/** Makes JSON Patches that set one of the properties. */
const patchesOf = (prefix: string, values: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc
    .constantFrom(...Object.entries(values))
    .chain(([name, arbitrary]) => arbitrary.map((value) => [{ op: 'add', path: `${prefix}/${name}`, value }]))

const flagWrites = fc
  .tuple(
    flagKey,
    fc.oneof(
      patchesOf('', flagValues),
      environmentKey.chain((key) => patchesOf(`/environments/${key}`, configValues)),
    ),
  )
  .map(([key, body]): Write => ({ method: 'PATCH', path: `/flags/shop/${key}`, body }))

const environmentValues = {
  color: fc.constantFrom('000000', 'ff00ff'),
  defaultTtl: numbers,
  secureMode: fc.boolean(),
  tags: fc.uniqueArray(texts, { maxLength: 2 }),
  'approvalSettings/minNumApprovals': numbers,
  'approvalSettings/required': fc.constant(false),
  'approvalSettings/requiredApprovalTags': fc.array(texts, { maxLength: 1 }),
  'approvalSettings/serviceConfig': json,
}

const environmentWrites = fc
  .tuple(environmentKey, patchesOf('', environmentValues))
  .map(([key, body]): Write => ({ method: 'PATCH', path: `/projects/shop/environments/${key}`, body }))

const configPath = '/projects/shop/ai-configs/chat'

const variationWrites = fc
  .record(
    {
      name: texts,
      description: texts,
      comment: texts,
      messages: fc.array(fc.record({ role: texts, content: texts }), { maxLength: 2 }),
      model: json,
      modelConfigKey: fc.constantFrom('large', 'none'),
      tools: fc.array(fc.record({ key: fc.constant('weather'), version: numbers, customParameters: json }), {
        maxLength: 1,
      }),
      toolKeys: fc.constantFrom([], ['weather'], ['none']),
      judgeConfiguration: fc.record({
        judges: fc.array(fc.record({ judgeConfigKey: fc.constant('judge'), samplingRate: numbers }), { maxLength: 1 }),
      }),
      color: texts,
      state: fc.constantFrom('archived', 'published'),
    },
    { requiredKeys: [] },
  )
  .map((body): Write => ({ method: 'PATCH', path: `${configPath}/variations/a`, body }))

const scans = fc
  .record(
    {
      updateSequenceId: numbers,
      syncTime: numbers,
      commitTime: numbers,
      references: fc.array(
        fc.record({
          path: texts,
          hunks: fc.array(fc.record({ startingLineNumber: numbers, projKey: fc.constant('shop'), flagKey }), {
            maxLength: 2,
          }),
        }),
        { maxLength: 1 },
      ),
    },
    { requiredKeys: ['syncTime'] },
  )
  .map(
    (scan): Write => ({
      method: 'PUT',
      path: '/code-refs/repositories/r/branches/main',
      body: { name: 'main', head: 'a1', ...scan },
    }),
  )

const instructions = fc.tuple(serves, clauses).map(([, list]): Write => {
  const body = {
    environmentKey: 'test',
    instructions: [{ kind: 'replaceRules', rules: [{ clauses: list, variationId: 'a' }] }],
  }
  return { method: 'PATCH', path: `${configPath}/targeting`, body }
})

const writes = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: flagWrites },
    { weight: 2, arbitrary: environmentWrites },
    { weight: 3, arbitrary: variationWrites },
    { weight: 1, arbitrary: scans },
    { weight: 1, arbitrary: instructions },
  ),
  { minLength: 5, maxLength: 25 },
)

const flag = { projectKey: 'shop', featureFlagKey: 'f' }
const config = { projectKey: 'shop', configKey: 'chat' }

const reads: readonly (readonly [tool: string, request: object])[] = [
  ['get-environments', { projectKey: 'shop' }],
  ['list-feature-flags', { projectKey: 'shop', env: 'production,test', summary: false }],
  ['list-feature-flags', { projectKey: 'shop', env: 'production', archived: true }],
  ['get-feature-flag', flag],
  ['get-feature-flag', { ...flag, featureFlagKey: 'm' }],
  ['get-flag-status-across-environments', flag],
  ['get-ai-config', config],
  ['list-ai-configs', { projectKey: 'shop' }],
  ['get-ai-config-variation', { ...config, variationKey: 'a' }],
  ['get-ai-config-targeting', config],
  ['get-code-references', { withReferencesForDefaultBranch: 'true' }],
  ['get-audit-log-entries', { limit: 20 }],
]

it('the tools of the published MCP server read whatever the engine accepts', async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      const { call, send } = await openMcpSession({ rateLimit: false })
      await createAccount(send)
      for (const { method, path, body } of all) {
        const succeeded = await send(method, path, body).then(
          () => true,
          () => false,
        )
        if (succeeded) accepted += 1
      }
      for (const [tool, request] of reads) {
        const { message } = await call(tool, request)
        expect([tool, message]).toEqual([tool, ''])
      }
    }),
    { numRuns: process.env.HALYARD_LONG_TESTS ? 200 : 12 },
  )
  expect(accepted).toBeGreaterThan(40)
}, 120_000)

async function createAccount(send: (method: string, path: string, body?: unknown) => Promise<unknown>): Promise<void> {
  await send('POST', '/projects', { key: 'shop', name: 'Shop' })
  await send('POST', '/teams', { key: 'core', name: 'Core' })
  for (const key of ['f', 'g']) await send('POST', '/flags/shop', { key, name: key })
  const migrationSettings = { stageCount: 6, contextKind: 'user' }
  await send('POST', '/flags/shop', { key: 'm', name: 'm', purpose: 'migration', migrationSettings })
  await send('POST', '/code-refs/repositories', { name: 'r', type: 'github' })
  await send('POST', '/projects/shop/ai-tools', { key: 'weather', schema: {} })
  await send('POST', '/projects/shop/ai-configs/model-configs', { key: 'large', name: 'Large', id: 'large' })
  await send('POST', '/projects/shop/ai-configs', { key: 'judge', name: 'Judge', mode: 'judge' })
  await send('POST', '/projects/shop/ai-configs', { key: 'chat', name: 'Chat' })
  await send('POST', `${configPath}/variations`, { key: 'a', name: 'A', messages: [] })
}
