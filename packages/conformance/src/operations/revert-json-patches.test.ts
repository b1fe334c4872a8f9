import type { ErrorBody } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import { describe, expect, it } from 'vitest'
import { requestOf } from './operation-fixture.ts'
import { openRestorableAccount } from './restorable-account.ts'
import { accountResponses, responseDifferences } from './test/account-responses.ts'
import { isAllowed, newPatchedResource, type PatchedResource, patchRequest, valuesIn } from './test/patched-resource.ts'

const account = await openRestorableAccount()
const { operations } = account.engine
const restoreEmpty = account.saveState()
const revertEntry = operations.find(({ id }) => id === 'revertChangeLogEntry') as Operation

const cases = operations.flatMap((operation) => {
  const { body } = operation
  const paths = body?.kind === 'patch' ? body.paths : []
  return paths.map((path) => ({ operation, path, id: operation.id }))
})

interface Patch {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

const colors = ['00ff00', '0000ff']
const words = ['browser', 'mobile', 'reader', 'writer', 'x', 'y', 'https://example.com/1', 'https://example.com/2']
/** Values of all types. */
const anyValues = [...words, ...colors, true, false, 5, 6, ['x'], ['y'], { x: 'y' }, { x: 'z' }]

/** Returns values that may replace a value; those that the operation refuses are not used. */
function candidates(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value + 2]
  if (typeof value === 'string') return [`${value}x`, `${value}y`, ...words, ...colors]
  if (Array.isArray(value)) return [[...value, 'x'], [...value, 'y'], value.slice(1), []]
  return anyValues
}

const clauses = [{ attribute: 'plan', op: 'in', values: ['gold'] }]
const target = (contextKind: string, value: string) => ({ values: [value], variation: 0, contextKind })

/** Patches of parts whose values must have a certain form, by path. */
const ownPatches: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  '/variations/**': [
    ['/variations/0/name', 'One'],
    ['/variations/0/name', 'Two'],
  ],
  '/customProperties/**': [
    ['/customProperties/jira', { name: 'Jira', value: ['1'] }],
    ['/customProperties/jira', { name: 'Jira', value: ['2'] }],
  ],
  '/environments/*/targets/**': ['u1', 'u2'].map((value) => [
    '/environments/production/targets',
    [target('user', value)],
  ]),
  '/environments/*/contextTargets/**': ['o1', 'o2'].map((value) => [
    '/environments/production/contextTargets',
    [target('org', value)],
  ]),
  '/environments/*/rules/**': [0, 1].map((variation) => ['/environments/production/rules', [{ clauses, variation }]]),
  '/rules/**': ['one', 'two'].map((description) => ['/rules', [{ clauses, description }]]),
  '/includedContexts/**': ['o1', 'o2'].map((value) => ['/includedContexts', [{ contextKind: 'org', values: [value] }]]),
  '/excludedContexts/**': ['o1', 'o2'].map((value) => ['/excludedContexts', [{ contextKind: 'org', values: [value] }]]),
  '/roleAttributes/**': ['north', 'south'].map((region) => ['/roleAttributes', { region: [region] }]),
  '/metadata/**': ['a', 'b'].map((value) => ['/metadata', { note: value }]),
  '/resourceApprovalSettings/**': [1, 2].map((minNumApprovals) => [
    '/resourceApprovalSettings',
    { segment: { minNumApprovals } },
  ]),
  '/successCriteria/**': ['LowerThanBaseline', 'HigherThanBaseline'].map((value) => ['/successCriteria', value]),
  '/unitAggregationType/**': ['sum', 'average'].map((value) => ['/unitAggregationType', value]),
  '/winsorization/**': [10, 20].map((upper) => ['/winsorization', { upper }]),
  '/denominator/**': ['visit', 'session'].map((eventKey) => ['/denominator', { eventKey }]),
  '/format/**': ['slack', 'discord'].map((format) => ['/format', format]),
  '/defaultApiVersion': [
    ['/defaultApiVersion', 20240415],
    ['/defaultApiVersion', 20220603],
  ],
}

const conflicting = new Set<string>()

/** Returns patches of parts that a path of the operation selects. */
function patchesOf({ response }: PatchedResource, path: string): readonly Patch[] {
  const sameTypeValues = valuesIn(response).filter(
    ({ pointer, value }) => isAllowed([path], pointer) && (typeof value !== 'object' || Array.isArray(value)),
  )
  const added = path.replace('/**', '')
  return [
    ...(ownPatches[path] ?? []).map(([pointer, value]) => ({ op: 'add' as const, path: pointer, value })),
    ...sameTypeValues.flatMap(({ pointer, value }) =>
      candidates(value).map((candidate) => ({ op: 'replace' as const, path: pointer, value: candidate })),
    ),
    ...sameTypeValues.map(({ pointer }) => ({ op: 'remove' as const, path: pointer })),
    ...anyValues.map((value) => ({ op: 'add' as const, path: added, value })),
    { op: 'add' as const, path: `${added}/x`, value: 'y' },
  ]
}

async function newestEntry() {
  const [entry] = await account.account.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1 })
  return entry && `${entry.at.toString(36)}-${entry.id}`
}

/** Sends patches until one changes the resource; returns it with the id of its entry. */
async function firstEffective(operation: Operation, { params }: PatchedResource, patches: readonly Patch[]) {
  for (const patch of patches) {
    const restore = account.saveState()
    const earlier = await newestEntry()
    const { status } = await account.send(patchRequest(operation, params, [patch]))
    const entry = await newestEntry()
    if (status < 300 && entry !== undefined && entry !== earlier) return { patch, entry }
    restore()
  }
  return undefined
}

const responses = () => accountResponses(operations, account, account.account)
const revert = (id: string) => account.send(requestOf(revertEntry, { params: { id }, body: {} }))

/** Paths that no patch of this test changes, with the reasons. */
const unchanged: Readonly<Record<string, string>> = {
  'patchProject /defaultReleasePipelineKey': 'the example has no release pipeline',
  'patchFlag /maintainerTeamKey': 'an instruction replaces one maintainer by another',
  'patchFlag /environments/*/prerequisites/**': 'the example has no other flag',
  'patchFlag /environments/*/migrationSettings/**': 'the flag of the example is not a migration',
  'patchSegment /_external': 'the segment of the example is not big',
  'patchSegment /_externalLink': 'the segment of the example is not big',
  'patchMember /customRoles/**': 'the example has no role',
  'patchToken /customRoleIds/**': 'the example has no role',
  'patchToken /inlineRole/**': 'the token of the example has a base role',
  'updateFlagLink /metadata/**': 'metadata belongs to the integration of the link',
  'patchMetric /maintainerTeamKey/**': 'the example has no team',
  'patchMetric /selector/**': 'the metric of the example has no page',
  'patchMetric /urls/**': 'the metric of the example has no page',
  'patchMetric /unit/**': 'the metric of the example is not numeric',
  'patchMetric /analysisType/**': 'the metric of the example is not numeric',
  'patchMetric /percentileValue/**': 'the metric of the example is not numeric',
  'patchMetric /randomizationUnits/**': 'the example has one kind of context',
  'patchMetricGroup /maintainerId/**': 'the example has one member',
  'patchMetricGroup /maintainerTeamKey/**': 'the example has no team',
  'patchWebhook /secret/**': 'the change log contains no secrets',
}

const revertable = cases.filter(({ id, path }) => !(`${id} ${path}` in unchanged))

it('all paths of all patches are tested', () => {
  expect(Object.keys(unchanged).filter((name) => !cases.some(({ id, path }) => name === `${id} ${path}`))).toEqual([])
  expect(revertable.length).toBeGreaterThan(80)
})

describe.each(revertable)('$id of $path', ({ operation, path }) => {
  it('is undone by a revert of its entry', async () => {
    restoreEmpty()
    const resource = await newPatchedResource(account, operation)
    const before = await responses()
    const changed = await firstEffective(operation, resource, patchesOf(resource, path))
    expect(changed).toBeDefined()
    const { status, body } = await revert(changed?.entry ?? '')
    expect(status, body).toBe(201)
    expect(responseDifferences(before, await responses()), JSON.stringify(changed?.patch)).toEqual([])
  })

  it('is not undone when the same part was changed again, and the conflicts contain values of responses', async () => {
    restoreEmpty()
    const resource = await newPatchedResource(account, operation)
    const patches = patchesOf(resource, path)
    const first = await firstEffective(operation, resource, patches)
    const again = patches.filter(({ path: other, op }) => other === first?.patch.path && op !== 'remove')
    const second = await firstEffective(
      operation,
      resource,
      again.map((patch) => ({ ...patch, op: 'add' as const })),
    )
    // A part that was removed cannot be changed a second time with the values of the examples.
    if (!second) return
    const before = await responses()
    const { status, body } = await revert(first?.entry ?? '')
    expect(status, body).toBe(409)
    const { conflicts, message } = JSON.parse(body) as ErrorBody
    expect(message).toContain(second.entry)
    // A team shows its role attributes on request.
    const query = operation.id === 'patchTeam' ? '?expand=roleAttributes' : ''
    const firstResponse = await account.send({ ...resource.request, path: `${resource.request.path}${query}` })
    const values = new Map(valuesIn(JSON.parse(firstResponse.body)).map(({ pointer, value }) => [pointer, value]))
    expect(conflicts?.length).toBeGreaterThan(0)
    for (const conflict of conflicts ?? []) {
      expect([...values.keys()]).toContain(conflict.path)
      // The audiences of a phase are shown with their environments.
      if (conflict.path !== '/phases') expect(values.get(conflict.path)).toEqual(conflict.theirs)
    }
    expect(responseDifferences(before, await responses())).toEqual([])
    conflicting.add(`${operation.id} ${path}`)
  })
})

it('more than 80 % of the cases have tested a conflict with a second change', () => {
  expect(conflicting.size).toBeGreaterThan(revertable.length * 0.8)
})
