import { type ApiError, createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import type { LimitResponse, LimitTestContext } from './limit-test-context.ts'
import {
  bodyOf,
  createMigrationFlag,
  createSegment,
  filePart,
  formField,
  modeField,
  multipartForm,
  nestedLists,
  patchFlag,
  patchSegment,
  repeat,
  segmentsPath,
  semantic,
  uniqueKey,
  uploadCsv,
  uploadForm,
} from './requests-of-size.ts'

/** The check of one row of the limits guide. */
export interface LimitRow {
  /** Constants of core that must equal the number in the guide. */
  readonly sources?: readonly string[]
  /**
   * Sends a request of size `n`. It is called with the limit, and then with one more. Omitted where another test checks
   * the row.
   */
  readonly attempt?: (context: LimitTestContext, n: number) => Promise<LimitResponse>
}

const statement = { effect: 'allow', resources: ['proj/*'], actions: ['*'] } as const

/** Creates a release policy with stages. */
function createStages({ send }: LimitTestContext, stages: readonly object[]): Promise<LimitResponse> {
  const body = {
    key: uniqueKey('stages'),
    name: 'Stages',
    releaseMethod: 'progressive-release',
    scope: { environmentKeys: ['test'] },
    progressiveReleaseConfig: { stages },
  }
  return send('POST', '/projects/web/release-policies', { body })
}

/** Creates a workflow with stages. */
function createWorkflow({ send }: LimitTestContext, stages: readonly object[]): Promise<LimitResponse> {
  return send('POST', '/projects/web/flags/checkout/environments/test/workflows', { body: { name: 'On', stages } })
}

const workflowStage = (more: object = {}, instructions = 1) => ({
  action: { instructions: repeat(instructions, () => ({ kind: 'turnFlagOn' })) },
  ...more,
})

/** The check of each row of the guide. */
export const limitRows: Readonly<Record<string, LimitRow>> = {
  'bytes of a request body, unless the operation permits more (`bodyLimit`)': {
    attempt: ({ send }, n) =>
      send('POST', '/projects', { text: bodyOf(n).replace('long', uniqueKey('long')).slice(0, n) }),
  },
  'nested lists and objects in a body': {
    attempt: (context, n) =>
      patchFlag(context, [{ op: 'test', path: '/key', value: 'checkout', unknown: nestedLists(n - 2) }]),
  },
  'validation errors reported for one body': { sources: ['rules/json-guard.ts#maxErrors'] },
  'characters of an access token': {
    sources: ['pipeline/authenticate.ts#maxTokenCharacters'],
    // A longer token cannot be created, so no caller has such a token.
    attempt: async (_, n) => {
      await using engine = createEngine({ storage: createMemoryStorage() })
      const token = 'x'.repeat(n)
      await engine.bootstrap({ token: token.slice(0, 512) })
      const headers = { authorization: token }
      const response = await createFetchHandler(engine)(new Request('http://localhost/api/v2/projects', { headers }))
      return { status: response.status, body: (await response.json()) as LimitResponse['body'] }
    },
  },
  'characters of a key in a path': {
    attempt: async (context, n) => {
      if (n === 256) await context.send('POST', '/projects', { body: { key: 'k'.repeat(n), name: 'Long' } })
      return context.send('GET', `/projects/${'k'.repeat(n)}`)
    },
  },
  'items on a page (`limit`)': { attempt: ({ send }, n) => send('GET', `/projects?limit=${n}`) },
  'characters of a filter': {
    sources: ['rules/filter/cursor.ts#maxFilterLength'],
    attempt: ({ send }, n) => send('GET', `${segmentsPath}?filter=${encodeURIComponent('query equals "a"'.padEnd(n))}`),
  },
  'changes of a list (`applyChanges`), and its preconditions': {
    sources: ['resources/change-lists/listed-changes.ts#maxListed'],
    attempt: ({ send }, n) => {
      const body = [{ op: 'replace', path: '/name', value: 'Shop' }]
      const change = { operation: 'patchProject', parameters: { projectKey: 'web' }, body }
      return send('POST', '/changes', { body: { changes: repeat(n, () => change) } })
    },
  },
  'levels of parentheses in a filter': {
    sources: ['rules/filter/cursor.ts#maxFilterDepth'],
    attempt: ({ send }, n) => send('GET', `${segmentsPath}?filter=${'('.repeat(n)}query%20equals%20a${')'.repeat(n)}`),
  },
  'operations of a JSON Patch': {
    sources: ['rules/json-patch/parse-patch.ts#maxOperations'],
    attempt: (context, n) =>
      patchFlag(
        context,
        repeat(n, () => ({ op: 'test', path: '/key', value: 'checkout' })),
      ),
  },
  'tokens of a JSON Pointer': {
    sources: ['rules/json-patch/pointer.ts#maxTokens'],
    attempt: (context, n) =>
      patchFlag(context, [{ op: 'test', path: `/customProperties${'/a'.repeat(n - 1)}`, value: 1 }]),
  },
  'values and characters that `copy` and `move` of one patch process': {
    sources: ['rules/json-patch/apply-patch.ts#defaultCopyBudget'],
  },
  'instructions of a semantic patch': {
    sources: ['pipeline/decode.ts#maxInstructions'],
    attempt: (context, n) =>
      patchFlag(context, { instructions: repeat(n, () => ({ kind: 'addTags', values: ['web'] })) }, semantic),
  },
  'statements of a policy': {
    sources: ['rules/policy/statement.ts#MAX_ENTRIES'],
    attempt: ({ send }, n) =>
      send('POST', '/tokens', { body: { name: 'Many', inlineRole: repeat(n, () => statement) } }),
  },
  'characters of a resource specifier or action': {
    sources: ['rules/policy/statement.ts#MAX_TEXT_LENGTH'],
    attempt: ({ send }, n) =>
      send('POST', '/tokens', {
        body: { name: 'Long', inlineRole: [{ ...statement, resources: [`proj/${'a'.repeat(n - 5)}`] }] },
      }),
  },
  'form fields in addition to the file': {
    sources: ['rules/form-data/form-reader.ts#maxFields'],
    attempt: (context, n) =>
      uploadForm(context, multipartForm([modeField, ...repeat(n - 1, (i) => formField(`f${i}`, '1')), filePart])),
  },
  'bytes of a form field': {
    sources: ['rules/form-data/form-reader.ts#maxFieldBytes'],
    attempt: (context, n) =>
      uploadForm(context, multipartForm([modeField, formField('note', 'x'.repeat(n)), filePart])),
  },
  'bytes of the headers of a form part': {
    sources: ['rules/form-data/multipart.ts#maxHeaderBytes'],
    attempt: (context, n) => {
      const head = 'Content-Disposition: form-data; name="note"\r\nX-Long: '
      return uploadForm(context, multipartForm([modeField, `${head}${'x'.repeat(n - head.length)}\r\n\r\n1`, filePart]))
    },
  },
  'keys in a file for a big segment': { sources: ['resources/segments/imports/stage-keys.ts#maxKeys'] },
  'characters of a key in such a file': {
    sources: ['rules/key-file/key-file.ts#maxKeyLength'],
    attempt: (context, n) => uploadCsv(context, `key\n${'k'.repeat(n)}\n`),
  },
  'characters of a line in such a file': { sources: ['rules/key-file/key-file.ts#maxLineLength'] },
  'environments of a project': {
    sources: ['resources/environments/environments-response.ts#maxEnvironments'],
    attempt: ({ send }, n) => {
      const environments = repeat(n, (i) => ({ key: `e${i}`, name: `E${i}`, color: '417505' }))
      return send('POST', '/projects', { body: { key: uniqueKey('wide'), name: 'Wide', environments } })
    },
  },
  'SDK keys of an environment, in addition to the default ones': {
    sources: ['resources/sdk-keys/post-sdk-key.ts#maxSdkKeys'],
    async attempt({ send }, n) {
      const key = uniqueKey('keyed')
      await send('POST', '/projects', { body: { key, name: 'Keyed' } })
      const add = (name: string) =>
        send('POST', `/projects/${key}/environments/test/sdk-keys`, { body: { key: name, name } })
      for (let i = 1; i < n; i++) await add(`k${i}`)
      return add('last')
    },
  },
  'Relay Proxy configurations': {
    sources: ['resources/relay-configs/post-relay-auto-config.ts#maxRelayConfigs'],
    async attempt({ send }, n) {
      const body = {
        name: 'Europe',
        policy: [{ effect: 'allow', resources: ['proj/*:env/*'], actions: ['viewSdkKey'] }],
      }
      const path = '/account/relay-auto-configs'
      const { body: list } = await send('GET', path)
      const known = (list as { readonly items: readonly unknown[] }).items.length
      for (let i = known + 1; i < n; i++) await send('POST', path, { body })
      return send('POST', path, { body })
    },
  },
  'entries of an IP allowlist': {
    sources: ['resources/ip-allowlist/create-ip-allowlist-entry.ts#maxAllowlistEntries'],
    async attempt({ send }, n) {
      const add = (ipAddress: string) => send('POST', '/account/ip-allowlist', { body: { ipAddress } })
      for (let i = 1; i < n; i++) await add(`2001:db8::${i}`)
      // The account has one list, which already contains the entries of the previous attempt.
      return add(`2001:db8:1::${n}`)
    },
  },
  'followers of a flag in an environment': {
    sources: ['resources/flag-followers/followed-flag.ts#maxFollowers'],
    async attempt({ send }, n) {
      const key = uniqueKey('followed')
      await send('POST', '/projects', { body: { key, name: 'Followed' } })
      await send('POST', `/flags/${key}`, { body: { key: 'checkout', name: 'Checkout' } })
      const members = repeat(n, (i) => ({ email: `${key}-${i}@example.com` }))
      const ids: string[] = []
      for (let start = 0; start < n; start += 50) {
        const { body } = await send('POST', '/members', { body: members.slice(start, start + 50) })
        ids.push(...(body as { readonly items: readonly { readonly _id: string }[] }).items.map(({ _id }) => _id))
      }
      const follow = (id: string) =>
        send('PUT', `/projects/${key}/flags/checkout/environments/test/followers/${id}`, {})
      for (const id of ids.slice(0, -1)) await follow(id)
      return follow(ids.at(-1) as string)
    },
  },
  'flags of which one call changes the expiry dates of a user': {
    sources: ['resources/flags/expiring-targets/patch-expiring-flags-for-user.ts#maxChangedFlags'],
    async attempt({ send }, n) {
      const key = uniqueKey('dated')
      await send('POST', '/projects', { body: { key, name: 'Dated' } })
      for (let i = 0; i < n; i++) await send('POST', `/flags/${key}`, { body: { key: `f${i}`, name: `F${i}` } })
      const instructions = repeat(n, (i) => ({
        kind: 'removeExpireUserTargetDate',
        flagKey: `f${i}`,
        variationId: 'none',
      }))
      return send('PATCH', `/users/${key}/ann/expiring-user-targets/test`, { body: { instructions } })
    },
  },
  'variations of a flag': {
    sources: ['resources/flags/changes/validate-flag.ts#maxVariations'],
    attempt: ({ send }, n) =>
      send('POST', '/flags/web', {
        body: { key: uniqueKey('many'), name: 'Many', variations: repeat(n, (value) => ({ value })) },
      }),
  },
  'entries of a standard segment that has rules': {
    sources: ['resources/segments/changes/validate-segment.ts#maxStandardEntries'],
  },
  'entries of a segment that was not created as a big one': {
    sources: ['resources/segments/changes/validate-segment.ts#maxGrownEntries'],
  },
  'rules of a segment': {
    sources: ['resources/segments/changes/validate-segment.ts#maxRules'],
    attempt: async (context, n) => {
      const key = uniqueKey('rules')
      await createSegment(context, key, {})
      const rules = repeat(n, () => ({ clauses: [{ attribute: 'a', op: 'in', values: [1] }] }))
      return patchSegment(context, key, [{ op: 'replace', path: '/rules', value: rules }])
    },
  },
  'values in all clauses of a segment': {
    sources: ['resources/segments/changes/validate-segment.ts#maxClauseValues'],
    attempt: async (context, n) => {
      const key = uniqueKey('values')
      await createSegment(context, key, {})
      const rules = [{ clauses: [{ attribute: 'a', op: 'in', values: repeat(n, (i) => i) }] }]
      return patchSegment(context, key, [{ op: 'replace', path: '/rules', value: rules }])
    },
  },
  'keys that one change of a big segment names': {
    sources: ['resources/segments/target-lists.ts#maxKeysPerRequest'],
    attempt: ({ send }, n) =>
      send('POST', `${segmentsPath}/big/users`, { body: { included: { add: repeat(n, (i) => `u${i}`) } } }),
  },
  'segments that a segment refers to, directly or indirectly': {
    sources: ['resources/segments/changes/require-valid-references.ts#maxReachable'],
  },
  'custom roles of a team': { sources: ['resources/teams/validate-team.ts#maxRoles'] },
  'members that one call changes': { sources: ['resources/members/bulk/selected-members.ts#maxChangedMembers'] },
  'members of one permission grant of a team': { sources: ['resources/teams/validate-team.ts#maxGrantees'] },
  'resources that one call links to a view': { sources: ['resources/views/link-schema.ts#maxNamed'] },
  'flags that a filter links to a view': { sources: ['resources/views/matched-resources.ts#maxMatched'] },
  'views that a filter names': {
    sources: ['resources/view-filters/in-views.ts#maxViews'],
    attempt: ({ send }, n) =>
      send(
        'GET',
        `${segmentsPath}?filter=${encodeURIComponent(`view anyOf [${repeat(n, (i) => `v${i}`).join(',')}]`)}`,
      ),
  },
  'release policies of a project': { sources: ['models/release-policies/release-policy.ts#maxPolicies'] },
  'stages of a release': {
    sources: ['resources/flags/automation/release-stages.ts#maxStages'],
    attempt: (context, n) =>
      createStages(
        context,
        repeat(n, () => ({ allocation: 1000, durationMillis: 1 })),
      ),
  },
  'milliseconds of a stage of a release': {
    sources: ['resources/flags/automation/release-stages.ts#maxDuration'],
    attempt: (context, n) => createStages(context, [{ allocation: 1000, durationMillis: n }]),
  },
  'metrics of a metric group': { sources: ['models/metric-groups/metric-group.ts#maxGroupedMetrics'] },
  'iterations of an experiment': { sources: ['resources/experiments/iteration-changes.ts#maxIterations'] },
  'bytes of a context that an OpenFeature provider sends': {
    sources: ['resources/sdk-endpoints/ofrep.ts#maxContextBytes'],
  },
  'release pipelines of a project': {
    sources: ['models/release-pipelines/release-pipeline.ts#maxPipelines'],
    attempt: async (context, n) => {
      const projectKey = uniqueKey('piped')
      await context.engine.given.project(projectKey)
      let response: LimitResponse = { status: 0, body: {} }
      for (let i = 0; i < n; i++) {
        const phases = [{ name: 'One', audiences: [{ environmentKey: 'test', name: 'All' }] }]
        const body = { key: `p${i}`, name: `P${i}`, phases }
        response = await context.send('POST', `/projects/${projectKey}/release-pipelines`, { body })
      }
      return response
    },
  },
  'resources that the audiences of a pipeline name': {
    sources: ['resources/release-pipelines/audience-schema.ts#maxReferences'],
  },
  'instructions of a scheduled change': {
    sources: ['resources/flags/instructions/flag-instruction.ts#maxInstructions'],
    attempt: ({ engine, send }, n) => {
      const instructions = repeat(n, () => ({ kind: 'turnFlagOn' }))
      const body = { executionDate: engine.now() + 60_000, instructions }
      return send('POST', '/projects/web/flags/checkout/environments/test/scheduled-changes', { body })
    },
  },
  'stages of a workflow or template': {
    sources: ['resources/workflows/stage-body.ts#maxStages'],
    attempt: (context, n) =>
      createWorkflow(
        context,
        repeat(n, () => workflowStage()),
      ),
  },
  'conditions of a stage of a workflow': {
    sources: ['resources/workflows/stage-body.ts#maxConditions'],
    attempt: (context, n) => {
      const conditions = repeat(n, () => ({ kind: 'schedule', executeNow: true }))
      return createWorkflow(context, [workflowStage({ conditions })])
    },
  },
  'instructions of a stage of a workflow': {
    sources: ['resources/flags/instructions/flag-instruction.ts#maxInstructions'],
    attempt: (context, n) => createWorkflow(context, [workflowStage({}, n)]),
  },
  'units of time that a stage of a workflow waits': {
    sources: ['resources/workflows/stage-body.ts#maxWait'],
    attempt: (context, n) => {
      const wait = { kind: 'schedule', waitDuration: n, waitDurationUnit: 'calendarMinute' }
      return createWorkflow(context, [workflowStage({ conditions: [wait] })])
    },
  },
  'instructions of an approval request': {
    sources: ['resources/approval-requests/approval-request-body.ts#maxInstructions'],
    attempt: ({ send }, n) => {
      const instructions = repeat(n, () => ({ kind: 'turnFlagOn' }))
      const body = { description: 'On', instructions, notifyMemberIds: [] }
      return send('POST', '/projects/web/flags/checkout/environments/test/approval-requests', { body })
    },
  },
  'reviewers of an approval request': {
    sources: ['resources/approval-requests/approval-request-body.ts#maxReviewers'],
  },
  'reviews of an approval request': { sources: ['resources/approval-requests/steps/review-request.ts#maxReviews'] },
  'instructions in a migration safety check': {
    sources: ['resources/flags/migrations/post-migration-safety-issues.ts#maxInstructions'],
    attempt: async (context, n) => {
      const key = await createMigrationFlag(context)
      const body = { instructions: repeat(n, () => ({ kind: 'turnFlagOn' })), comment: '' }
      const path = `/projects/web/flags/${key}/environments/test/migration-safety-issues`
      return context.send('POST', path, { body, type: semantic })
    },
  },
  'rules of a flag in a migration safety check': {
    sources: [
      'resources/flags/migrations/post-migration-safety-issues.ts#maxRules',
      'resources/simulation/simulated-change.ts#maxRules',
    ],
  },
  'contexts that one call reports': {
    sources: ['resources/contexts/create-context-instances.ts#maxReported'],
    attempt: ({ send }, n) =>
      send('POST', '/projects/web/environments/test/context-instances', {
        body: { contexts: repeat(n, (i) => ({ kind: 'user', key: `user-${i}` })) },
      }),
  },
  'contexts on a page': {
    sources: ['resources/contexts/context-search.ts#maxFound'],
    attempt: ({ send }, n) => send('POST', `/projects/web/environments/test/contexts/search?limit=${n}`, { body: {} }),
  },
  'names of attributes of a kind of context in a response': {
    sources: ['resources/contexts/get-context-attribute-names.ts#maxNames'],
    attempt: ({ send }, n) => send('GET', `/projects/web/environments/test/context-attributes?limit=${n}`),
  },
  'values of an attribute in a response': {
    sources: ['resources/contexts/get-context-attribute-values.ts#maxValues'],
    attempt: ({ send }, n) => send('GET', `/projects/web/environments/test/context-attributes/country?limit=${n}`),
  },
  'contexts of a simulation': {
    sources: ['resources/simulation/read-simulation.ts#maxContexts'],
    attempt: ({ engine }, n) => {
      const contexts = repeat(n, (i) => ({ kind: 'user', key: `user-${i}` }))
      const change = { projectKey: 'web', environmentKey: 'test', flagKey: 'checkout', instructions: [], contexts }
      return engine.simulate(change, { as: engine.admin }).then(
        () => ({ status: 200, body: {} }),
        ({ status, body }: ApiError) => ({ status, body }),
      )
    },
  },
  'evaluations of a simulation: contexts times flags, segments and AI configs': {
    sources: ['resources/simulation/simulated-change.ts#maxEvaluations'],
  },
  'variations of an AI config': { sources: ['models/ai-configs/ai-config.ts#maxVariations'] },
  'results of one agent optimization': { sources: ['resources/agent-optimizations/optimization-run.ts#maxResults'] },
  'context kinds of a project': {
    sources: ['models/context-kinds/context-kind.ts#maxContextKinds'],
    attempt: async (context, n) => {
      const projectKey = uniqueKey('kinds')
      await context.engine.given.project(projectKey)
      let response: LimitResponse = { status: 0, body: {} }
      for (let i = 0; i < n; i++) {
        response = await context.send('PUT', `/projects/${projectKey}/context-kinds/k${i}`, { body: { name: `K${i}` } })
      }
      return response
    },
  },
  'buckets of a chart': {
    sources: ['resources/insight-charts/chart-query-response.ts#maxBuckets'],
    attempt: ({ send }, n) =>
      send(
        'GET',
        `/engineering-insights/charts/lead-time?projectKey=web&environmentKey=test&from=0&to=${n}&bucketMs=1`,
      ),
  },
  'resource specifiers in a change log query': {
    sources: ['resources/change-log/entry-filter.ts#maxSpecifiers'],
    attempt: ({ send }, n) => send('GET', `/auditlog?spec=${repeat(n, (i) => `proj/p${i}`).join(',')}`),
  },
  'changes that one call sends to a webhook again': { sources: ['resources/webhooks/replay-webhook.ts#maxReplayed'] },
  'changes that one call sends to a destination again': {
    sources: ['resources/destinations/replay-destination.ts#maxReplayed'],
  },
  'characters of an SDK key': { sources: ['resources/sdk-endpoints/sdk-endpoints.ts#maxKeyLength'] },
  'bytes of an evaluation report, also after decompression': {
    sources: ['resources/sdk-endpoints/read-report.ts#maxReportBytes'],
  },
  'events of a report': { sources: ['resources/sdk-endpoints/read-report.ts#maxEvents'] },
  'bytes of a report that is not counted': {
    sources: ['resources/sdk-endpoints/sdk-endpoints.ts#maxDiagnosticBytes'],
  },
  'bytes of a context in a body': { sources: ['resources/sdk-endpoints/read-context.ts#maxContextBytes'] },
  // Checked by test/sdk-streams.test.ts, like the other rows about SDKs.
  'open streams to servers, as many to clients, and as many to relays (`sdk.streams`)': {},
  'pull requests, commits, events or samples in one call': { sources: ['operation/ingest-response.ts#maxIngested'] },
  'changes that a deployment names': { sources: ['resources/deployments/deployment-event-schema.ts#maxChanges'] },
  // `test/branches.test.ts` and the test of the storage of branches exceed these.
  'branches of an engine': { sources: ['storage/branch/branch-names.ts#maxBranches'] },
  'rows that a branch of an engine adds': { sources: ['engine/branches/branch-accounts.ts#maxBranchRows'] },
  'repositories of an account': { sources: ['models/code-references/repository.ts#maxRepositories'] },
  'projects that a branch of code references names': {
    sources: ['resources/code-references/branch-schema.ts#maxProjects'],
  },
  'branches of a repository in a list of repositories': {
    sources: ['resources/code-references/list-repositories.ts#maxBranches'],
  },
  'branches on a page': {
    sources: ['resources/code-references/list-branches.ts#maxBranches'],
    attempt: async ({ send }, n) => {
      await send('POST', '/code-refs/repositories', { body: { name: 'shop' } })
      return send('GET', `/code-refs/repositories/shop/branches?limit=${n}`)
    },
  },
  'extinctions on a page': {
    sources: ['resources/code-references/list-extinctions.ts#maxExtinctions'],
    attempt: ({ send }, n) => send('GET', `/code-refs/extinctions?limit=${n}`),
  },
}
