import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { type CopyOptions, cloneDocuments } from './clone-documents.ts'

const hour = 3_600_000

/** Role for data export; generating a trust policy requires it. */
export const dataExportRoleArn = 'arn:aws:iam::123456789012:role/data-export'

/** Creation time of everything in the account. */
export const largeNow = Date.UTC(2028, 2, 1)

const longAgo = largeNow - 365 * 24 * hour

const projectKey = 'big'
const environmentKey = 'production'
const environmentKeys = { projectKey, environmentKey }
const project = `proj/${projectKey}`
const environment = `${project}:env/${environmentKey}`
const flagScope = `${project}:env/*`

/** Number of each resource whose count can grow. */
export interface Sizes extends Readonly<Record<keyof typeof largeSizes, number>> {}

/** Sizes of a large organization. */
export const largeSizes = {
  flags: 10_000,
  /** Temporary flags, which the scores of insight groups depend on. */
  temporary: 500,
  segments: 1_000,
  views: 10,
  teams: 500,
  maintainers: 25,
  pipelines: 20,
  policies: 100,
  aiConfigs: 300,
  variations: 5,
  runs: 1_000,
  resultsOfRun: 3,
  webhooks: 500,
  tokens: 500,
  approvals: 500,
  groups: 200,
  flagLinks: 200,
  repositories: 50,
}

export type LargeAccount = Awaited<ReturnType<typeof createLargeAccount>>

/**
 * Fills an account with one project: an engine creates one resource of each kind, and the others are copies of it in
 * storage.
 *
 * @param storage empty and migrated.
 * @param sizes default: those of a large organization.
 */
export async function createLargeAccount(storage: Storage, sizes: Sizes = largeSizes) {
  const engine = createEngine({ storage, clock: () => largeNow, rateLimit: false })
  const token = (await engine.bootstrap({ email: 'ada@example.com' }))?.token as string
  const originals = await createOriginals(engine, token, sizes)
  const account = storage.account('default')
  for (const copies of copiesOf(originals, sizes)) await cloneDocuments(account, copies)
  return { token, place: environmentKeys, sizes, ...originals }
}

/** The operations and the token to call them with. */
interface Caller {
  readonly api: Engine['api']
  readonly as: { readonly as: string }
}

async function createOriginals({ api }: Engine, token: string, sizes: Sizes) {
  const as = { as: token }
  const caller = { api, as }
  await api.createProject({ body: { key: projectKey, name: 'Big' } }, as)
  const { _id: environmentId } = await api.getEnvironment(environmentKeys, as)
  const stageId = await makeFlags(caller)
  await makeViews(caller, sizes)
  await makeTeam(caller, sizes)
  const client = { name: 'Client', redirectUri: 'https://example.com/back' }
  const { _clientId: clientId } = await api.createOAuthClient({ body: client }, as)
  await makeReleases(caller)
  const link = { key: 'l', deepLink: 'https://example.com/1', title: 'Link' }
  const { _id: linkId } = await api.createFlagLink({ projectKey, flagKey: 'f', body: link }, as)
  await api.putContextKind({ projectKey, key: 'company', body: { name: 'Company' } }, as)
  const { _id: webhookId } = await api.createWebhook(
    { body: { name: 'Hook', url: 'https://example.com', on: false, sign: false } },
    as,
  )
  const { _id: tokenId } = await api.createToken({ body: { name: 'Token', role: 'reader' } }, as)
  const request = { description: 'Launch', instructions: [{ kind: 'turnFlagOff' }] }
  const { _id: approvalId } = await api.createApprovalRequestForFlag(
    { ...environmentKeys, flagKey: 'f', body: request as never },
    as,
  )
  await makeInsights(caller)
  const resultId = await makeAiConfigs(caller, sizes)
  return { environmentId, stageId, clientId, linkId, webhookId, tokenId, approvalId, resultId }
}

/** Creates flags, and returns the id of a stage of the migration. */
async function makeFlags({ api, as }: Caller): Promise<string> {
  const flag = (key: string, overrides: object = {}) =>
    api.createFlag({ projectKey, body: { key, name: 'Flag', temporary: false, tags: ['shop'], ...overrides } }, as)
  await flag('f')
  await flag('temporary', { temporary: true })
  const orders = await api.createFlag({ projectKey, body: { key: 'migration', name: 'Orders', ...migration } }, as)
  await api.createSegment({ ...environmentKeys, body: { key: 's', name: 'Segment', tags: ['beta'] } }, as)
  const target = { kind: 'addRule', variationId: '', clauses: [segmentClause] }
  const { variations } = await api.getFlag({ projectKey, flagKey: 'f' }, as)
  target.variationId = variations[0]?._id as string
  const semanticPatch = { environmentKey, instructions: [target, { kind: 'turnFlagOn' }] }
  await api.patchFlag({ projectKey, flagKey: 'f', body: semanticPatch as never }, { ...as })
  return orders.variations[3]?._id as string
}

async function makeViews({ api, as }: Caller, sizes: Sizes): Promise<void> {
  for (let i = 0; i < sizes.views; i++) {
    await api.createView({ projectKey, body: { key: `v${i}`, name: 'View' } }, as)
    await api.linkResource({ projectKey, viewKey: `v${i}`, resourceType: 'flags', body: { keys: ['f'] } }, as)
  }
  await api.createView({ projectKey, body: { key: 'fresh', name: 'View' } }, as)
}

async function makeTeam({ api, as }: Caller, sizes: Sizes): Promise<void> {
  const people = Array.from({ length: sizes.maintainers }, (_, i) => ({ email: `m${i}@example.com` }))
  const { items: members } = await api.createMembers({ body: people }, as)
  await api.createRole({ body: { key: 'switcher', name: 'Switcher', policy: switching } }, as)
  const memberIDs = members.map(({ _id }) => _id)
  const permissionGrants = [{ actionSet: 'maintainTeam' as const, memberIDs }]
  const roles = ['switcher']
  const team = {
    key: 't',
    name: 'Team',
    roleAttributes: { region: ['north'] },
    customRoleKeys: roles,
    permissionGrants,
  }
  await api.createTeam({ body: team }, as)
}

async function makeReleases({ api, as }: Caller): Promise<void> {
  await api.createReleasePipeline({ projectKey, body: { key: 'p', name: 'Pipeline', phases } }, as)
  const policy = { key: 'p', name: 'Policy', releaseMethod: 'immediate-release' as const }
  const scope = { environmentKeys: [environmentKey] }
  await api.createReleasePolicy({ projectKey, body: { ...policy, scope } }, as)
}

async function makeInsights({ api, as }: Caller): Promise<void> {
  await api.createInsightGroup({ body: { key: 'g', name: 'Group', ...environmentKeys } }, as)
  await api.createLeadTimeSamples({ body: { ...environmentKeys, samples: samples() } }, as)
  const repository = { name: 'r', type: 'github' as const }
  await api.createRepository({ body: repository }, as)
  const reference = { startingLineNumber: 1, lines: 'f', projKey: projectKey, flagKey: 'f', aliases: [] }
  const references = [{ path: 'a.ts', hunks: [reference] }]
  const branch = { name: 'main', head: 'abc', syncTime: largeNow, references }
  await api.putBranch({ repo: 'r', branch: 'main', body: branch }, as)
}

/** Creates AI configs with results, and returns the id of the newest result. */
async function makeAiConfigs({ api, as }: Caller, sizes: Sizes): Promise<string> {
  const configKey = 'c'
  await api.createAIConfig({ projectKey, body: { key: configKey, name: 'Config' } }, as)
  for (let i = 0; i < sizes.variations; i++) {
    await api.createAIConfigVariation({ projectKey, configKey, body: { key: `v${i}`, name: 'Variation' } }, as)
  }
  const optimization = { key: 'tune', aiConfigKey: configKey, maxAttempts: 5, judgeModel: 'judge' }
  await api.createAgentOptimization({ projectKey, body: optimization }, as)
  const run = { runId, agentOptimizationVersion: 1, instructions: 'Answer.', userInput: 'Where?' }
  let resultId = ''
  for (let iteration = 0; iteration < sizes.resultsOfRun; iteration++) {
    const body = { ...run, iteration }
    resultId = (await api.createAgentOptimizationResult({ projectKey, optimizationKey: 'tune', body }, as)).id
  }
  return resultId
}

const runId = '4d6f9a52-0b1e-4c3a-9a57-000000000000'

const migration = { purpose: 'migration', migrationSettings: { stageCount: 6, contextKind: 'user' } } as const

const segmentClause = { attribute: '', op: 'segmentMatch', values: ['s'], negate: false }

const switching = [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['updateOn'] }] as const

export const phases = [
  { name: 'Test', audiences: [{ environmentKey: 'test', name: 'Testers' }] },
  { name: 'Production', audiences: [{ environmentKey, name: 'All', segmentKeys: ['s'] }] },
]

/** Returns lead time samples of the last thirty days, one an hour. */
function samples() {
  return Array.from({ length: 720 }, (_, i) => {
    const deployedAt = largeNow - (i + 1) * hour
    return {
      externalId: `c${i}`,
      applicationKey: 'shop',
      startedAt: deployedAt - 9 * hour,
      mergedAt: deployedAt - hour,
      deployedAt,
    }
  })
}

interface Originals {
  readonly webhookId: string
  readonly tokenId: string
  readonly approvalId: string
  readonly linkId: string
  readonly resultId: string
}

function* copiesOf(originals: Originals, sizes: Sizes): Generator<CopyOptions> {
  yield* copiesOfFlags(sizes)
  yield* copiesOfViews(sizes)
  yield* copiesOfOthers(originals, sizes)
  yield* copiesOfGroups(sizes)
  yield* copiesOfRepositories(sizes)
  yield* copiesOfAiConfigs(originals, sizes)
}

const numberedCopies = (letter: string) => ({
  keyOf: (i: number) => letter + i,
  edit: (i: number) => ({ key: letter + i }),
})
const namedCopies = (letter: string) => ({
  keyOf: (i: number) => letter + i,
  edit: (i: number) => ({ key: letter + i, name: `${letter} ${i}` }),
})
// Like most flags, these copies were neither created nor launched recently.
const oldNamedCopies = (letter: string) => ({
  ...namedCopies(letter),
  edit: (i: number) => ({ ...namedCopies(letter).edit(i), createdAt: longAgo }),
})
const byId = (prefix: string) => ({ keyOf: (i: number) => prefix + i, edit: (i: number) => ({ id: prefix + i }) })
const unchanged = { edit: () => ({}) }

function* copiesOfFlags(sizes: Sizes): Generator<CopyOptions> {
  const { flags, temporary } = sizes
  yield { collection: 'flag', scope: flagScope, key: 'f', count: flags - temporary, ...oldNamedCopies('f') }
  yield { collection: 'flag', scope: flagScope, key: 'temporary', count: temporary, ...oldNamedCopies('t') }
  const configs = { collection: 'flag-config', scope: environment, key: 'f' }
  const launched = { edit: () => ({ on: true, servesOne: true, lastModified: longAgo }) }
  yield { ...configs, count: flags - temporary, ...numberedCopies('f'), ...launched }
  yield { ...configs, count: temporary, ...numberedCopies('t'), ...launched }
  yield { collection: 'segment', scope: environment, key: 's', count: sizes.segments, ...namedCopies('s') }
}

function* copiesOfViews({ flags, temporary, views }: Sizes): Generator<CopyOptions> {
  for (let i = 0; i < views; i++) {
    const scope = `${project}:view/v${i}`
    const edit = (index: number) => ({ resourceKey: `f${index}` })
    yield { collection: 'view-flag', scope, key: 'f', count: flags - temporary, keyOf: (index) => `f${index}`, edit }
    yield {
      collection: 'flag-view',
      scope: `${flagScope}:flag/f`,
      key: `v${i}`,
      count: flags - temporary,
      scopeOf: (index) => `${flagScope}:flag/f${index}`,
      keyOf: () => `v${i}`,
      edit,
    }
  }
}

function* copiesOfOthers({ webhookId, tokenId, approvalId, linkId }: Originals, sizes: Sizes): Generator<CopyOptions> {
  yield { collection: 'team', scope: '', key: 't', count: sizes.teams, ...namedCopies('t') }
  yield { collection: 'release-pipeline', scope: project, key: 'p', count: sizes.pipelines, ...namedCopies('p') }
  yield { collection: 'release-policy', scope: project, key: 'p', count: sizes.policies, ...namedCopies('p') }
  yield { collection: 'flag-link', scope: `${flagScope}:flag/f`, key: linkId, count: sizes.flagLinks, ...byId('l') }
  yield { collection: 'webhook', scope: '', key: webhookId, count: sizes.webhooks, ...byId('w') }
  yield { collection: 'token', scope: '', key: tokenId, count: sizes.tokens, ...byId('t') }
  const requests = `${environment}:flag/f`
  yield { collection: 'approval-request', scope: requests, key: approvalId, count: sizes.approvals, ...byId('a') }
  const indexEntries = { collection: 'approval-request-place', scope: '', key: approvalId }
  yield { ...indexEntries, count: sizes.approvals, ...byId('a'), ...unchanged }
}

function* copiesOfGroups(sizes: Sizes): Generator<CopyOptions> {
  const groups = { key: 'g', count: sizes.groups, keyOf: namedCopies('g').keyOf }
  const environmentOf = (i: number) => (i % 2 ? environmentKey : 'test')
  yield {
    ...groups,
    collection: 'insight-group',
    scope: environment,
    scopeOf: (i) => `${project}:env/${environmentOf(i)}`,
    // Some groups cover all applications. Each other group covers one of seven applications, and only one of the seven
    // has data.
    edit: (i) => ({
      ...namedCopies('g').edit(i),
      environmentKey: environmentOf(i),
      ...(i % 8 ? { applicationKeys: [`shop${i % 8 === 1 ? '' : i % 8}`] } : {}),
    }),
  }
  yield {
    ...groups,
    collection: 'insight-group-place',
    scope: '',
    edit: (i) => ({ environmentKey: environmentOf(i) }),
  }
}

function* copiesOfRepositories(sizes: Sizes): Generator<CopyOptions> {
  const repositories = { count: sizes.repositories, keyOf: (i: number) => `r${i}` }
  yield {
    ...repositories,
    collection: 'code-reference-repository',
    scope: '',
    key: 'r',
    edit: (i) => ({ name: `r${i}` }),
  }
  yield {
    ...repositories,
    collection: 'code-reference-statistics',
    scope: project,
    key: 'r',
    edit: (i) => ({ repo: `r${i}` }),
  }
}

function* copiesOfAiConfigs({ resultId }: Originals, sizes: Sizes): Generator<CopyOptions> {
  yield { collection: 'ai-config', scope: project, key: 'c', count: sizes.aiConfigs, ...namedCopies('c') }
  for (let i = 0; i < sizes.variations; i++) {
    yield {
      collection: 'ai-config-variation',
      scope: `${project}:aiconfig/c`,
      key: `v${i}`,
      count: sizes.aiConfigs,
      scopeOf: (index) => `${project}:aiconfig/c${index}`,
      keyOf: () => `v${i}`,
      edit: (index) => ({ configKey: `c${index}` }),
    }
  }
  const runs = `${project}:agent-optimization/tune`
  yield {
    collection: 'agent-optimization-run',
    scope: runs,
    key: runId,
    count: sizes.runs,
    keyOf: (i) => `run-${i}`,
    edit: (i) => ({ newestId: `result-${i}-0` }),
  }
  for (let iteration = 0; iteration < sizes.resultsOfRun; iteration++) {
    const keyOf = (i: number) => `result-${i}-${iteration}`
    const edit = (i: number) => ({ id: keyOf(i), runId: `run-${i}` })
    yield { collection: 'agent-optimization-result', scope: runs, key: resultId, count: sizes.runs, keyOf, edit }
  }
}
