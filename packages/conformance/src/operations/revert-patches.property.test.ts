import type { Operation } from '@halyard/core/operations'
import type { Sample } from '@halyard/core/storage'
import { describe, expect, it } from 'vitest'
import type { Example } from './example.ts'
import { createRandom } from './mutated-requests.ts'
import { requestOf } from './operation-fixture.ts'
import { accountResponses, responseDifferences } from './test/account-responses.ts'
import { generatedInstruction, type InstructionNames, instructionKinds } from './test/generated-instruction.ts'
import type { ValueSource } from './test/generated-value.ts'
import { openGuardedAccount } from './test/guarded-account.ts'
import { administrator, createGuardedProject } from './test/guarded-project.ts'
import { irreversibleOperations } from './test/irreversible-operations.ts'

type Pick = ValueSource['pick']
type Keys = Readonly<Record<string, string>>

/** Number of changes of each kind to revert. At most `maxAttempts` requests are generated to reach this number. */
const changesOfKind = process.env.HALYARD_LONG_TESTS ? 12 : 1
const maxAttempts = 100

const inProduction = { projectKey: 'web', environmentKey: 'production' }
const account = await openGuardedAccount()
const { operations } = account.engine
const byId = new Map(operations.map((operation) => [operation.id, operation]))
const call = administrator(account.engine)
const project = await createGuardedProject(account.engine)
const memberIds = await createPeople()
const flagKeys = [...project.flagKeys, await createSpareFlag()]
const variations = await variationIds()
const experimentKeys = await createReservedExperiments()
const { _id: triggerId } = await call<{ _id: string }>('createFlagTrigger', {
  ...{ ...inProduction, flagKey: 'base' },
  body: { integrationKey: 'generic-trigger' },
})
const saved = account.save()

/** Creates members, roles and a team with a permission grant. */
async function createPeople(): Promise<readonly string[]> {
  const emails = ['ann', 'bea', 'cem'].map((name) => ({ email: `${name}@example.com` }))
  const { items } = await call<{ items: readonly { _id: string }[] }>('createMembers', { body: emails })
  const policy = [{ effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] }]
  for (const key of ['viewers', 'readers']) await call('createRole', { body: { key, name: key, policy } })
  const ids = items.map(({ _id }) => _id)
  const permissionGrants = [{ actions: ['updateTeamName'], memberIDs: ids.slice(0, 1) }]
  await call('createTeam', { body: { key: 'crew', name: 'Crew', memberIDs: ids.slice(0, 2), permissionGrants } })
  return ids
}

/** Creates a flag that has more variations than it serves, and that nothing refers to. */
async function createSpareFlag(): Promise<string> {
  const values = ['a', 'b', 'c', 'd'].map((value) => ({ value }))
  await call('createFlag', { projectKey: 'web', body: { key: 'spare', name: 'Spare', variations: values } })
  return 'spare'
}

/** Creates two experiments that do not run, on a flag of their own, and a layer for them. */
async function createReservedExperiments(): Promise<readonly string[]> {
  const metric = { key: 'buys', name: 'Buys', kind: 'custom', eventKey: 'buy' }
  await call('postMetric', { projectKey: 'web', body: metric })
  const flag = await call<{ variations: readonly { _id: string }[] }>('createFlag', {
    projectKey: 'web',
    body: { key: 'trial', name: 'Trial' },
  })
  const treatments = flag.variations.map(({ _id }, index) => ({
    name: `text ${index}`,
    baseline: index === 0,
    allocationPercent: '50',
    parameters: [{ flagKey: 'trial', variationId: _id }],
  }))
  const iteration = {
    hypothesis: 'x',
    metrics: [{ key: 'buys' }],
    primarySingleMetricKey: 'buys',
    treatments,
    flags: { trial: { ruleId: 'fallthrough', flagConfigVersion: 1 } },
  }
  const keys = ['first', 'second']
  for (const key of keys) await call('createExperiment', { ...inProduction, body: { key, name: key, iteration } })
  await call('createLayer', { projectKey: 'web', body: { key: 'page', name: 'Page', description: '' } })
  return keys
}

async function variationIds(): Promise<Readonly<Record<string, readonly string[]>>> {
  const flags = flagKeys.map((flagKey) =>
    call<{ variations: readonly { _id: string }[] }>('getFlag', { projectKey: 'web', flagKey }),
  )
  return Object.fromEntries(
    (await Promise.all(flags)).map((flag, index) => [flagKeys[index], flag.variations.map(({ _id }) => _id)]),
  )
}

const inEnvironments = (keys: Keys) =>
  ['production', 'test'].map((environmentKey) => ({ projectKey: 'web', environmentKey, ...keys }))

/**
 * The resources that an operation patches, by a part of its id: the operation that gets such a resource, and the
 * parameters of all of them.
 */
const subjects: Readonly<Record<string, { readonly get: string; readonly all: readonly Keys[] }>> = {
  ScheduledChange: {
    get: 'getScheduledChange',
    all: project.scheduledChangeIds.map((id) => ({ ...inProduction, flagKey: 'base', id })),
  },
  FlagTrigger: { get: 'getFlagTrigger', all: [{ ...inProduction, flagKey: 'base', id: triggerId }] },
  ApprovalRequest: {
    get: 'getApprovalRequest',
    all: project.requestIds.slice(0, 1).map((id) => ({ ...inProduction, flagKey: 'main', id })),
  },
  Segment: {
    get: 'getSegment',
    all: ['listed', 'ruled', 'nested'].map((segmentKey) => ({ ...inProduction, segmentKey })),
  },
  AIConfig: { get: 'getAIConfigTargeting', all: inEnvironments({ configKey: 'chat' }) },
  Layer: { get: 'getLayers', all: [{ projectKey: 'web', layerKey: 'page' }] },
  Team: { get: 'getTeam', all: [{ teamKey: 'crew' }] },
  Members: { get: 'getMember', all: memberIds.map((id) => ({ id })) },
  FlagsForUser: { get: 'getFlag', all: [{ ...inProduction, flagKey: 'main', userKey: 'u11' }] },
  '': { get: 'getFlag', all: flagKeys.flatMap((flagKey) => inEnvironments({ flagKey })) },
}

function subjectOf({ id }: Operation, kind: string) {
  const [, subject] = Object.entries(subjects).find(([part]) => id.includes(part)) as [string, (typeof subjects)['']]
  return isIrreversible(kind) ? { ...subject, all: [{ ...inProduction, segmentKey: 'big' }] } : subject
}

/** Instructions that change the keys of a big segment, which the change log does not contain. */
const isIrreversible = (kind: string) => kind.includes('BigSegment')

/** The instruction that replaces a secret, which the change log does not contain. */
const replacesSecret = 'cycleTriggerUrl'

/** Instructions that have an effect only after another instruction, by kind: `restoreFlag` needs an archived flag. */
const preparations: Readonly<Record<string, string | readonly string[]>> = {
  restoreFlag: 'archiveFlag',
  restoreDeprecatedFlag: 'deprecateFlag',
  removeCustomProperties: 'addCustomProperties',
  removeValuesFromClause: 'addValuesToClause',
  updateExpiringTarget: 'addExpiringTarget',
  removeExpiringTarget: 'addExpiringTarget',
  updateExpireUserTargetDate: 'addExpireUserTargetDate',
  removeExpireUserTargetDate: 'addExpireUserTargetDate',
  removeBigSegmentExcludedTargets: 'addBigSegmentExcludedTargets',
  holdAutomatedRelease: 'startAutomatedRelease',
  stopAutomatedRelease: 'startAutomatedRelease',
  resumeAutomatedRelease: ['startAutomatedRelease', 'holdAutomatedRelease'],
  removeExperiment: 'updateExperimentReservation',
  updateRoleAttribute: 'addRoleAttribute',
  removeRoleAttribute: 'addRoleAttribute',
}

function send(id: string, example: Example) {
  return account.client.send(requestOf(byId.get(id) as Operation, example))
}

/** Generates an instruction of a kind for a resource, and sends it. */
async function instruct(operation: Operation, kind: string, params: Keys, pick: Pick) {
  const { environmentKey = 'production' } = params
  const names: InstructionNames = {
    ...{ environmentKey, flagKeys, variations, memberIds },
    ...{ teamKeys: ['crew'], roleKeys: ['viewers', 'readers'], importIds: project.importIds, experimentKeys },
    later: account.now() + 10_000_000_000,
  }
  const { body: shown } = await send(subjectOf(operation, kind).get, {
    params,
    ...('teamKey' in params ? { query: { expand: 'roleAttributes' } } : {}),
  })
  const instruction = generatedInstruction(operation, kind, { resource: JSON.parse(shown), names }, pick)
  const takesEnvironment = ['patchFlag', 'patchSegment', 'patchAIConfigTargeting', 'updateLayer'].includes(operation.id)
  const body = { ...(takesEnvironment ? { environmentKey } : {}), comment: 'x', instructions: [instruction] }
  const mediaType =
    operation.body?.kind === 'patch' ? { mediaType: 'application/json; domain-model=svc.semanticpatch' } : {}
  const { status, body: text } = await send(operation.id, { params, body, ...mediaType })
  return { status, text, instruction }
}

async function newestEntry(): Promise<Sample | undefined> {
  return (await account.storage.newest({ series: { name: 'change-log', scope: 'acct' }, limit: 1 }))[0]
}

const responses = () => accountResponses(operations, account.client, account.storage)

/** Makes a change by an instruction of a kind in a generated state. */
async function change(operation: Operation, kind: string, pick: Pick) {
  account.restore(saved)
  const params = pick(subjectOf(operation, kind).all)
  const kinds = instructionKinds(operation).filter((other) => isIrreversible(other) === isIrreversible(kind))
  for (let count = pick([0, 1, 2, 3, 4, 5]); count > 0; count--) await instruct(operation, pick(kinds), params, pick)
  for (const preparation of [preparations[kind] ?? []].flat()) await instruct(operation, preparation, params, pick)
  const before = account.save()
  const earlier = await newestEntry()
  const { status, text, instruction } = await instruct(operation, kind, params, pick)
  const entry = await newestEntry()
  const hasEffect = status < 300 && entry?.id !== earlier?.id
  return { before, entry: hasEffect ? entry : undefined, instruction, outcome: `${status} ${text.slice(0, 200)}` }
}

const cases = operations
  .filter(({ id, method, dry }) => method === 'PATCH' && !dry && !(id in irreversibleOperations))
  .flatMap((operation) => instructionKinds(operation).map((kind) => ({ operation, kind, id: operation.id })))
  .filter(({ kind }) => kind !== replacesSecret)

it('the instructions of all semantic patches are tested', () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBeGreaterThan(8)
})

describe.each(cases)('$id with $kind', ({ operation, kind, id }) => {
  it('is undone by a revert of its entry', async () => {
    const random = createRandom(`${id} ${kind}`)
    const pick = <T>(values: readonly T[]) => values[random(values.length)] as T
    const failures = new Set<string>()
    let count = 0
    for (let attempt = 0; count < changesOfKind && attempt < maxAttempts; attempt++) {
      const { before, entry, instruction, outcome } = await change(operation, kind, pick)
      if (!entry) {
        failures.add(`${JSON.stringify(instruction)} ${outcome}`)
        continue
      }
      count++
      const after = account.save()
      account.restore(before)
      const expected = await responses()
      account.restore(after)
      const params = { id: `${entry.at.toString(36)}-${entry.id}` }
      const reverted = await send('revertChangeLogEntry', { params, body: {} })
      expect(reverted.status, reverted.body).toBe(isIrreversible(kind) ? 400 : 201)
      if (isIrreversible(kind)) continue
      expect(responseDifferences(expected, await responses()), JSON.stringify(instruction)).toEqual([])
    }
    expect(count, [...failures].slice(0, 5).join('\n')).toBe(changesOfKind)
  })
})
