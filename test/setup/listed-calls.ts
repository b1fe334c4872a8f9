import type { Engine } from '@halyard/core'
import { type LargeAccount, largeNow, phases } from './large-account.ts'

/** A call of an operation that can be repeated. */
export interface ListedCall {
  readonly operation: string
  /** Label of the variant, where an operation is called in several ways. */
  readonly variant?: string
  /** Number of expansions that it requests. */
  readonly expansions?: number
  /** Creates what one call consumes or changes; returns the argument of `run`. */
  prepare?(): Promise<string>
  run(setupResult: string): Promise<unknown>
}

/** Returns calls of the twenty operations of docs/specification.md as an administrator, each in its usual variants. */
export function listedCalls({ api }: Pick<Engine, 'api'>, account: LargeAccount): readonly ListedCall[] {
  let nameCount = 0
  const uniqueName = () => `n${++nameCount}`
  const caller = { api, account, as: { as: account.token }, projectKey: account.place.projectKey, uniqueName }
  return [
    ...linkCalls(caller),
    ...editCalls(caller),
    ...experimentCalls(caller),
    ...insightCalls(caller),
    ...teamCalls(caller),
    ...environmentCalls(caller),
    ...aiCalls(caller),
    ...accountCalls(caller),
  ]
}

/** The operations, the token to call them with, and the account that they read. */
interface Caller {
  readonly api: Engine['api']
  readonly account: LargeAccount
  readonly as: { readonly as: string }
  readonly projectKey: string
  /** Makes a key that no resource has yet. */
  readonly uniqueName: () => string
}

const flag = (projectKey: string) => ({ projectKey, flagKey: 'f' })

function linkCalls({ api, account: { environmentId }, as, projectKey, uniqueName }: Caller): ListedCall[] {
  const newView = async () => {
    const viewKey = uniqueName()
    await api.createView({ projectKey, body: { key: viewKey, name: 'New' } }, as)
    return viewKey
  }
  const link = (variant: string, resourceType: 'flags' | 'segments', body: object): ListedCall => ({
    operation: 'linkResource',
    variant: `${resourceType} by ${variant}`,
    prepare: newView,
    run: (viewKey) => api.linkResource({ projectKey, viewKey, resourceType, body: body as never }, as),
  })
  const segmentIdentifiers = ['s1', 's2', 's3'].map((segmentKey) => ({ environmentId, segmentKey }))
  return [
    link('keys', 'flags', { keys: ['f1', 'f2', 'f3'] }),
    link('filter', 'flags', { filter: 'query:f99' }),
    link('keys and filter', 'flags', { keys: ['f1'], filter: 'query:f99' }),
    link('identifiers', 'segments', { segmentIdentifiers }),
    link('filter', 'segments', { filter: 'query equals "s99"', environmentId }),
    link('identifiers and filter', 'segments', { segmentIdentifiers, filter: 'query equals "s99"', environmentId }),
  ]
}

function editCalls({ api, account, as, projectKey, uniqueName }: Caller): ListedCall[] {
  return [
    { operation: 'getOAuthClient', run: () => api.getOAuthClient({ clientId: account.clientId }, as) },
    {
      operation: 'patchOAuthClient',
      run: () => api.patchOAuthClient({ clientId: account.clientId, body: renamePatch(uniqueName()) }, as),
    },
    {
      operation: 'putReleasePipeline',
      run: () =>
        api.putReleasePipeline(
          { projectKey, pipelineKey: 'p1', body: { name: uniqueName(), phases: [...phases] } },
          as,
        ),
    },
    {
      operation: 'deleteReleasePolicy',
      async prepare() {
        const key = uniqueName()
        const body = { key, name: 'New', releaseMethod: 'immediate-release' as const }
        await api.createReleasePolicy({ projectKey, body: { ...body, scope: { environmentKeys: ['test'] } } }, as)
        return key
      },
      run: (policyKey) => api.deleteReleasePolicy({ projectKey, policyKey }, as),
    },
    {
      operation: 'createFlagLink',
      run: () =>
        api.createFlagLink({ ...flag(projectKey), body: { key: uniqueName(), deepLink: 'https://example.com/2' } }, as),
    },
    {
      operation: 'updateFlagLink',
      run: () => {
        const body = [{ op: 'replace', path: '/title', value: uniqueName() }]
        return api.updateFlagLink({ ...flag(projectKey), id: account.linkId, body }, as)
      },
    },
  ]
}

function experimentCalls({ api, account, as, projectKey }: Caller): ListedCall[] {
  let count = 0
  const stage = { kind: 'addRule', clauses: [clause], rolloutContextKind: 'user' }
  return [
    {
      operation: 'putExperimentationSettings',
      run: () => {
        const company = count++ % 2 === 0 ? [{ randomizationUnit: 'company' }] : []
        const randomizationUnits = [{ randomizationUnit: 'user', default: true }, ...company]
        return api.putExperimentationSettings({ projectKey, body: { randomizationUnits } }, as)
      },
    },
    {
      operation: 'postMigrationSafetyIssues',
      run: () => {
        const instructions = [{ ...stage, rolloutWeights: { [account.stageId]: 100_000 } }]
        return api.postMigrationSafetyIssues(
          { ...account.place, flagKey: 'migration', body: { instructions } as never },
          as,
        )
      },
    },
  ]
}

function insightCalls({ api, account, as, projectKey }: Caller): ListedCall[] {
  const groups = (expand?: string): ListedCall => ({
    operation: 'listInsightGroups',
    ...(expand ? { variant: `expand ${expand}`, expansions: expand.split(',').length } : {}),
    run: () => api.listInsightGroups(expand ? { expand } : {}, as),
  })
  const chart = { ...account.place, from: String(largeNow - 30 * 86_400_000), to: String(largeNow) }
  return [
    { operation: 'getStatistics', run: () => api.getStatistics({ projectKey }, as) },
    groups(),
    groups('scores'),
    groups('environment'),
    groups('metadata'),
    groups('scores,environment,metadata'),
    { operation: 'getLeadTimeChart', run: () => api.getLeadTimeChart(chart, as) },
    {
      operation: 'getLeadTimeChart',
      variant: 'expand percentiles',
      expansions: 1,
      run: () => api.getLeadTimeChart({ ...chart, bucketType: 'day', expand: 'percentiles' }, as),
    },
  ]
}

function teamCalls({ api, as }: Caller): ListedCall[] {
  const team = (expand?: string): ListedCall => ({
    operation: 'getTeam',
    ...(expand ? { variant: `expand ${expand}`, expansions: expand.split(',').length } : {}),
    run: () => api.getTeam({ teamKey: 't1', ...(expand ? { expand } : {}) }, as),
  })
  return [
    team(),
    ...['members', 'roles', 'roleAttributes', 'projects', 'maintainers'].map(team),
    team('members,roles,roleAttributes,projects,maintainers'),
  ]
}

function environmentCalls({ api, account, as, projectKey, uniqueName }: Caller): ListedCall[] {
  const { environmentKey } = account.place
  return [
    { operation: 'getSegment', run: () => api.getSegment({ projectKey, environmentKey, segmentKey: 's' }, as) },
    {
      operation: 'generateTrustPolicy',
      variant: 'the first',
      async prepare() {
        const newKey = uniqueName()
        await api.createEnvironment({ projectKey, body: { key: newKey, name: 'New', color: '000000' } }, as)
        return newKey
      },
      run: (newKey) => api.generateTrustPolicy({ projectKey, environmentKey: newKey }, as),
    },
    {
      operation: 'generateTrustPolicy',
      run: () => api.generateTrustPolicy({ projectKey, environmentKey }, as),
    },
  ]
}

function aiCalls({ api, as, projectKey }: Caller): ListedCall[] {
  return [
    { operation: 'listAIConfigs', run: () => api.listAIConfigs({ projectKey }, as) },
    {
      operation: 'listAIConfigs',
      variant: 'filtered and sorted',
      run: () => api.listAIConfigs({ projectKey, filter: 'query:c1', sort: '-updatedAt', limit: '100' }, as),
    },
    {
      operation: 'listAgentOptimizationResults',
      run: () => api.listAgentOptimizationResults({ projectKey, optimizationKey: 'tune' }, as),
    },
  ]
}

function accountCalls({ api, account, as, projectKey }: Caller): ListedCall[] {
  const { environmentKey } = account.place
  return [
    { operation: 'getToken', run: () => api.getToken({ id: account.tokenId }, as) },
    {
      operation: 'deleteApprovalRequest',
      async prepare() {
        const body = { description: 'New', instructions: [{ kind: 'turnFlagOff' }] }
        return (
          await api.createApprovalRequestForFlag({ ...flag(projectKey), environmentKey, body: body as never }, as)
        )._id
      },
      run: (id) => api.deleteApprovalRequest({ id }, as),
    },
    { operation: 'listWebhooks', run: () => api.listWebhooks({}, as) },
  ]
}

const clause = { contextKind: 'user', attribute: 'key', op: 'in', values: ['acme'], negate: false }

const renamePatch = (name: string) => [{ op: 'replace', path: '/name', value: name }]
