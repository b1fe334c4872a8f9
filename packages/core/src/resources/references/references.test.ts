import { describe, expect, it } from 'vitest'
import type { As, ErrorBody } from '../../index.ts'
import { type ReferenceRow, rootsOf } from '../../operation/reference-row.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { StoredRecord } from '../../storage/port.ts'
import { failureOf } from '../account/test/calls.ts'
import { references } from './references.ts'
import { addBelongingDocuments } from './test/belonging-documents.ts'
import { allResources, deletableTarget, deletingOperation } from './test/deletable-targets.ts'
import { type ReferenceAccount, referenceAccount, type StoredReference } from './test/reference-account.ts'
import { nameOf, referrers } from './test/referrers.ts'

const byRule = (rule: ReferenceRow['rule']) => references.rows.filter((row) => row.rule === rule)
const distinctNames = (rows: readonly ReferenceRow[]) => [...new Set(rows.map(nameOf))]
const rowsOf = (name: string) => references.rows.filter((row) => nameOf(row) === name)

/** Returns the stored references that the rules with a name declare, to targets whose address ends with a text. */
async function referencesOf({ storedReferences }: ReferenceAccount, name: string, text: string) {
  return (await storedReferences()).filter(({ row, target }) => nameOf(row) === name && target.endsWith(text))
}

const dangling = (all: readonly StoredReference[]) =>
  all.filter(({ exists }) => !exists).map(({ row, referrer }) => `${nameOf(row)} in ${referrer}`)

async function withReferrer(name: string) {
  const row = rowsOf(name)[0] as ReferenceRow
  const account = await referenceAccount()
  const target = await deletableTarget(account, row.to.name)
  const make = referrers.get(name)
  if (!make) throw new Error(`${name}: add an entry to \`referrers\``)
  const read = await make(account, target)
  /** Returns the response for the referrer as text; empty when no operation returns it. */
  const seen = async () => JSON.stringify((await read?.().catch(({ code }: ErrorBody) => code)) ?? '')
  return { row, account, target, seen }
}

/**
 * Asserts that no referrer names a target: neither after the target was deleted, nor after another resource was created
 * with its key.
 */
async function expectNoReferrer(name: string, { account, target, seen }: Awaited<ReturnType<typeof withReferrer>>) {
  const { text, recreate } = target
  expect(await referencesOf(account, name, text)).toEqual([])
  expect(await seen()).not.toContain(text)
  expect(dangling(await account.storedReferences())).toEqual([])
  await recreate?.()
  const ownReferences = ['release-policy-ranking', 'project']
  if (ownReferences.includes(rowsOf(name)[0]?.from.name ?? '')) return
  expect(await referencesOf(account, name, text)).toEqual([])
  expect(await seen()).not.toContain(text)
}

it('the table of references has a row for each referrer of these tests', () => {
  expect([...referrers.keys()].filter((name) => rowsOf(name).length === 0)).toEqual([])
})

/** Returns the names of the properties from which a row reads the targets of a document. */
function propertiesRead(row: ReferenceRow, document: Versioned): string[] {
  const names = new Set<string>()
  const observed = new Proxy(document, {
    get(properties, name, receiver) {
      names.add(String(name))
      return Reflect.get(properties, name, receiver)
    },
  })
  row.targets?.(observed, {})
  return [...names]
}

// The commit looks for new references only where a property of the row differs.
it.each([...referrers.keys()])('the row of %s names each property that it reads', async (name) => {
  const { row, account } = await withReferrer(name)
  const referring = (await account.records()).flatMap((record) =>
    record.kind === 'document' && record.id.collection === row.from.name ? [record.body as Versioned] : [],
  )
  expect(referring.length).toBeGreaterThan(0)
  for (const each of rowsOf(name)) {
    const read = referring.flatMap((document) => propertiesRead(each, document))
    expect(rootsOf(each)).toEqual(expect.arrayContaining(read))
  }
})

describe.each(distinctNames(byRule('refuse')))('%s', (name) => {
  it('refuses a deletion, names the referrer and changes nothing', async () => {
    const { row, account, target } = await withReferrer(name)
    expect((await referencesOf(account, name, target.text)).length).toBeGreaterThan(0)
    const before = await account.records()
    const failure = await failureOf(target.delete())
    expect(failure).toMatchObject({ code: 'optimistic_locking_error' })
    expect(failure.message).toContain('detach=true')
    expect(failure.referrers?.map(({ kind }) => kind)).toContain(row.from.noun)
    expect(await account.records()).toEqual(before)
  })

  it('is removed by a deletion with detach, and does not return with a new target of the same key', async () => {
    const fixture = await withReferrer(name)
    expect(await fixture.target.delete({ detach: true })).toBeUndefined()
    await expectNoReferrer(name, fixture)
  })

  it('is removed only with the right to change the referrer', async () => {
    const { account, target } = await withReferrer(name)
    const before = await account.records()
    const caller: As = {
      policy: [
        { effect: 'allow', actions: ['view*', 'delete*'], resources: allResources },
        { effect: 'deny', actions: ['deleteAgentOptimization', 'deleteHoldout'], resources: allResources },
      ],
    }
    expect(await failureOf(target.delete({ detach: true }, caller))).toMatchObject({ code: 'forbidden' })
    expect(await account.records()).toEqual(before)
  })
})

/**
 * References that are created together with their target, so that no process can have read the referrer without them.
 */
const madeWithTarget = [
  'project defaultReleasePipelineKey -> release-pipeline',
  'release pipelineKey -> release-pipeline',
  'holdout segmentKey -> segment',
]

describe.each(
  distinctNames([...byRule('refuse'), ...byRule('detach')]).filter((name) => !madeWithTarget.includes(name)),
)('%s', (name) => {
  it('is detected by a process that had cached the referrers before the reference was made', async () => {
    const row = rowsOf(name)[0] as ReferenceRow
    const account = await referenceAccount()
    const { allow, call } = account.outdated(deletingOperation(row.to.name))
    const target = await deletableTarget({ ...account, call }, row.to.name)
    expect(await failureOf(target.delete())).toMatchObject({ code: 'forbidden', message: 'not yet' })
    await referrers.get(name)?.(account, target)
    allow()
    await target.delete().catch(({ code }: ErrorBody) => expect(code).toBe('optimistic_locking_error'))
    expect(dangling(await account.storedReferences())).toEqual([])
  })
})

/** Actions by which callers view the resources that can contain references. */
const viewActions = ['viewProject', 'viewToken', 'viewMember', 'viewTeam']

describe.each(distinctNames(byRule('refuse').filter(({ from }) => !from.address.parameters.includes('projectKey'))))(
  'the referrer of %s',
  (name) => {
    it('is counted but not named to a caller who may not view the referrer', async () => {
      const { account, target } = await withReferrer(name)
      const [listed] = (await failureOf(target.delete())).referrers ?? []
      const policy = [
        { effect: 'allow' as const, actions: ['view*', 'delete*'], resources: allResources },
        { effect: 'deny' as const, actions: viewActions, resources: allResources },
      ]
      const before = await account.records()
      const { message, referrers } = await failureOf(target.delete({}, { policy }))
      expect(referrers).toEqual([])
      expect(message).toContain('is referred to by 1 resource that you may not view.')
      expect(JSON.stringify({ message, referrers })).not.toContain(listed?.key)
      expect(await account.records()).toEqual(before)
    })
  },
)

describe('a refused deletion', () => {
  it('names the referrers that the caller may view, and counts the others', async () => {
    const { account, target } = await withReferrer('token grant.customRoles -> role')
    for (const teamKey of ['a', 'b'])
      await account.call('createTeam', { body: { key: teamKey, name: teamKey, customRoleKeys: ['doomed'] } })
    const policy = [
      { effect: 'allow' as const, actions: ['view*', 'delete*'], resources: allResources },
      { effect: 'deny' as const, actions: ['viewTeam'], resources: allResources },
    ]
    const { message, referrers } = await failureOf(target.delete({}, { policy }))
    expect(referrers?.map(({ kind }) => kind)).toEqual(['token'])
    expect(message).toMatch(/^The role doomed is referred to by token \S+ and 2 others that you may not view\. /)
  })

  const collections = [...new Set(byRule('refuse').map(({ to }) => to.name))]

  it('offers detach in exactly the operations that delete a resource with references to it', async () => {
    const { engine } = await referenceAccount()
    const detaching = (await engine.definitions()).filter(({ query }) => 'detach' in (entriesOf(query) ?? {}))
    expect(detaching.map(({ id }) => id).toSorted()).toEqual(collections.map(deletingOperation).toSorted())
  })

  it.each(collections)('does not offer detach when the creation of a %s is reverted', async (collection) => {
    const rows = byRule('refuse').filter((row) => row.to.name === collection && !changingTarget.has(nameOf(row)))
    const name = nameOf(rows.at(-1) as ReferenceRow)
    const { account, target } = await withReferrer(name)
    const id = await entryOfCreation(account, target.keys)
    const before = await account.records()
    const failure = await failureOf(account.call('revertChangeLogEntry', { id, body: {} }))
    expect(failure.code).toBe('optimistic_locking_error')
    expect(failure.message).not.toContain('detach')
    expect(await account.records()).toEqual(before)
  })

  it('does not offer detach to a patch that deletes a flag', async () => {
    const { account, target } = await withReferrer('flag-config prerequisites.key -> flag')
    const body = { environmentKey: 'production', instructions: [{ kind: 'deleteFlag' }] }
    const failure = await failureOf(account.call('patchFlag', { ...target.keys, body }))
    expect(failure.message).toMatch(/ Remove these references first\.$/)
  })
})

/**
 * Rows whose referrer changes the target after its creation, so that a revert of the creation is refused for another
 * reason.
 */
const changingTarget = new Set(['experiment iterations.subject.key -> ai-config', 'holdout segmentKey -> segment'])

/** Returns the properties of a query schema. */
function entriesOf(query: unknown): object | undefined {
  return (query as { readonly entries?: object } | undefined)?.entries
}

/** Returns the id of the entry that created a document. */
async function entryOfCreation({ call }: ReferenceAccount, keys: Readonly<Record<string, string>>): Promise<string> {
  const key = Object.values(keys).at(-1)
  const { items } = await call<{ items: { _id: string; titleVerb: string; delta: { resource: string }[] }[] }>(
    'listChangeLog',
    { limit: 20 },
  )
  const entry = items.find(
    ({ titleVerb, delta }) => /^created /.test(titleVerb) && delta.some(({ resource }) => resource.endsWith(`/${key}`)),
  )
  return entry?._id ?? ''
}

/** Rows whose references the deletion of a project removes; the next test covers them. */
const isCodeReference = ({ from }: ReferenceRow) => from.name.startsWith('code-reference')

describe.each(distinctNames(byRule('detach').filter((row) => !isCodeReference(row))))('%s', (name) => {
  it('is removed by the deletion of its target, and does not return with a new target', async () => {
    const fixture = await withReferrer(name)
    const { account, target } = fixture
    expect((await referencesOf(account, name, target.text)).length).toBeGreaterThan(0)
    // A flag in a pipeline cannot be deleted, because of another row of references.
    await target.delete(name.startsWith('release phases') ? { detach: true } : {})
    await expectNoReferrer(name, fixture)
  })
})

const removing = references.rows.filter((row) => (row.rule === 'remove' && row.where) || isCodeReference(row))

describe.each([...new Set(removing.map(({ to }) => to.name))])('what belongs to a %s', (collection) => {
  it('is deleted with it, and does not return with a new resource of the same key', async () => {
    const account = await referenceAccount()
    const target = await deletableTarget(account, collection)
    await addBelongingDocuments(account, target)
    const names = distinctNames(removing.filter(({ to }) => to.name === collection))
    for (const name of names) expect(await referencesOf(account, name, target.text), name).not.toEqual([])
    await target.delete(collection === 'project' || collection === 'view' ? {} : { detach: true })
    for (const name of names) expect(await referencesOf(account, name, target.text), name).toEqual([])
    expect(dangling(await account.storedReferences())).toEqual([])
    await target.recreate?.()
    for (const name of names) expect(await referencesOf(account, name, target.text), name).toEqual([])
  })
})

it('a deleted project is named only by records of the change log', async () => {
  const account = await referenceAccount()
  const target = await deletableTarget(account, 'project')
  await addBelongingDocuments(account, target)
  const naming = async () => (await account.records()).filter((record) => JSON.stringify(record).includes(target.text))
  const isLog = (record: StoredRecord) => record.kind === 'sample' && record.series.name === 'change-log'
  expect((await naming()).filter((record) => !isLog(record)).length).toBeGreaterThan(20)
  await target.delete()
  expect((await naming()).filter((record) => !isLog(record))).toEqual([])
})

describe.each(distinctNames(references.rows.filter(({ leftBehind }) => leftBehind)))(
  '%s, left behind by an earlier version',
  (name) => {
    it('is removed when another resource gets the key', async () => {
      const { row, account, target } = await withReferrer(name)
      await account.discard(row.to.id(target.keys))
      expect((await referencesOf(account, name, target.text)).length).toBeGreaterThan(0)
      await target.recreate?.()
      expect(await referencesOf(account, name, target.text)).toEqual([])
      expect(dangling(await account.storedReferences())).toEqual([])
    })
  },
)

describe('a deletion with detach', () => {
  it('needs approval where a change of the referrer needs it', async () => {
    const name = 'flag-config rules.clauses.values -> segment'
    const { account, target } = await withReferrer(name)
    const keys = { projectKey: 'web', environmentKey: 'production' }
    const required = [{ op: 'replace', path: '/approvalSettings/required', value: true }]
    await account.call('patchEnvironment', { ...keys, body: required })
    const before = await account.records()
    expect(await failureOf(target.delete({ detach: true }))).toMatchObject({ code: 'method_not_allowed' })
    expect(await account.records()).toEqual(before)
    await target.delete({ detach: true, bypassRequiredApproval: true })
    expect(await referencesOf(account, name, target.text)).toEqual([])
  })

  it('appears in the change log as one entry with the deletion and the changes', async () => {
    const { account, target } = await withReferrer('token grant.customRoles -> role')
    await target.delete({ detach: true })
    const { items } = await account.call<{ items: { titleVerb: string }[] }>('listChangeLog', {})
    expect(JSON.stringify(items[0])).toContain('role/doomed')
    expect(JSON.stringify(items[0])).toContain('token/')
    expect(JSON.stringify(items[1])).not.toContain('deleted')
  })
})
