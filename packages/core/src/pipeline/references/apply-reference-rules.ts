import type { WriteContext } from '../../operation/context.ts'
import { fail, type Referrer as ListedReferrer } from '../../operation/errors.ts'
import type { ReferenceRow, ReferenceTable } from '../../operation/reference-row.ts'
import { addressOf } from '../../rules/address.ts'
import type { WrittenDocument } from '../../storage/changed-document.ts'
import type { Keys } from '../../storage/collection.ts'
import type { UnitOfWork } from '../../storage/unit-of-work.ts'
import { findReferrers, type Referrer, refersTo, scopeOfReferrers } from './find-referrers.ts'

/** The unit of work of a call, with the data that is needed to apply the rules of references. */
interface ReferenceCheck {
  readonly table: ReferenceTable
  readonly unit: UnitOfWork
  readonly context: WriteContext
  /**
   * True when a deletion removes references instead of being refused because of them (rule `refuse`); undefined when
   * the operation has no such parameter.
   */
  readonly detach: boolean | undefined
}

/**
 * Applies the table of references to everything that a unit writes, before its commit
 * (docs/decisions/0051-refuse-to-delete-what-is-referred-to.md). It runs for every write of every operation, so no
 * committed document refers to a document that does not exist.
 *
 * @throws ApiError `optimistic_locking_error` with the referrers of a document that cannot be deleted;
 *   `invalid_request` for a new reference to a document that does not exist.
 */
export async function applyReferenceRules(check: ReferenceCheck): Promise<void> {
  const { table, unit } = check
  for (const { collection, keys, before, after } of unit.written()) {
    if (!before && after) await removeLeftReferences(check, table.to(collection), keys)
  }
  const checked = new Set<string>()
  for (;;) {
    const removed = unit.written().filter((written) => {
      const { collection, keys, before, after } = written
      return (
        before && !after && table.to(collection).length > 0 && !checked.has(collection.name + idText(collection, keys))
      )
    })
    if (removed.length === 0) break
    for (const { collection, keys } of removed) checked.add(collection.name + idText(collection, keys))
    await releaseReferrers(check, removed)
  }
  await holdNewTargets(check)
}

function idText(collection: WrittenDocument['collection'], keys: Keys<string>): string {
  const { scope, key } = collection.id(keys)
  return ` ${scope} ${key}`
}

function isSame({ collection, keys }: WrittenDocument, other: WrittenDocument['collection'], otherKeys: Keys<string>) {
  return collection.name === other.name && idText(collection, keys) === idText(other, otherKeys)
}

/** Refuses the deletion of documents that others refer to, or removes the references to them. */
async function releaseReferrers(check: ReferenceCheck, removed: readonly WrittenDocument[]): Promise<void> {
  const { table, unit, detach } = check
  const searches = removed.flatMap(({ collection, keys: target }) =>
    table.to(collection).map(async (row) => {
      if (row.rule === 'remove' && row.where)
        unit.discardAll(row.from, scopeOfReferrers(row, target), row.where(target))
      if (row.rule !== 'refuse' && row.rule !== 'detach') return []
      const referrers = await findReferrers(unit, row, target, 'storage')
      return referrers.map((referrer) => ({ referrer, target }))
    }),
  )
  const referrers = (await Promise.all(searches)).flat()
  const refusing = detach ? [] : referrers.filter(({ referrer: { row } }) => row.rule === 'refuse')
  if (refusing.length > 0) {
    await refuse(
      check,
      removed[0] as WrittenDocument,
      refusing.map(({ referrer }) => referrer),
    )
  }
  for (const { referrer, target } of referrers) await removeReference(check, referrer, target)
}

const maxNamed = 5
const maxListed = 100

/**
 * Refuses a deletion. Names the referrers that the caller may view, and counts the others.
 *
 * @throws ApiError `optimistic_locking_error`
 */
async function refuse(
  { table, context, detach }: ReferenceCheck,
  { collection, keys }: WrittenDocument,
  referrers: readonly Referrer[],
): Promise<never> {
  const distinct = new Map(
    referrers.map((referrer) => [referrer.row.from.name + idText(referrer.row.from, referrer.keys), referrer]),
  )
  const all = [...distinct.values()]
  const isVisible = await Promise.all(
    all.map(({ row, keys: own, document }) => table.mayView(context, row.from, own, document)),
  )
  const visible = all.filter((_, index) => isVisible[index]).map(listedReferrer)
  const names = namesOf(visible, all.length - visible.length)
  const advice =
    detach === undefined ? 'Remove these references first.' : 'To remove these references with it, set detach=true.'
  const message = `The ${collection.noun} ${collection.address.key(keys)} is referred to by ${names}. ${advice}`
  return fail('optimistic_locking_error', { message, referrers: visible.slice(0, maxListed) })
}

/** Returns the names of referrers as a part of a sentence. Referrers that the caller may not view are only counted. */
function namesOf(visible: readonly ListedReferrer[], hidden: number): string {
  const listedNames = visible.slice(0, maxNamed).map(({ kind, key }) => `${kind} ${key}`)
  const more = visible.length > maxNamed ? [`${visible.length - maxNamed} more`] : []
  const names = [...listedNames, ...more].join(', ')
  if (hidden === 0) return names
  if (visible.length === 0) return `${hidden} ${hidden === 1 ? 'resource' : 'resources'} that you may not view`
  return `${names} and ${hidden} ${hidden === 1 ? 'other' : 'others'} that you may not view`
}

function listedReferrer({ row: { from }, keys, document }: Referrer): ListedReferrer {
  return { kind: from.noun, key: from.address.key(keys), resource: addressOf(from.resource(keys, document)) }
}

/** Removes a reference. The caller needs the right to the change, except when the rule of the row is `detach`. */
async function removeReference(check: ReferenceCheck, { row, keys }: Referrer, target: Keys<string>): Promise<void> {
  const { unit, context } = check
  const { from, rule, deleteAction } = row
  // Another reference of the same document may have been removed in this unit, so the document is read again.
  const before = await unit.get(from, keys)
  if (!before || !refersTo(row, { keys, document: before }, target)) return
  const after = row.withoutReference?.(before, target)
  if (row.save) return row.save(context, { keys, before, after, target })
  if (after && rule === 'refuse') unit.replace(from, keys, before, after)
  else if (after) unit.follow(from, keys, before, after)
  else {
    if (deleteAction && rule === 'refuse') await context.demand(deleteAction, from, keys, before)
    unit.remove(from, keys, before)
  }
}

/**
 * Removes references that earlier versions of this package left behind when they deleted a document whose key a new
 * document now has: references to the old document must not refer to the new one. References that the same unit adds
 * are kept: a revert restores a document with the references to it.
 */
async function removeLeftReferences(
  { unit, context }: ReferenceCheck,
  rows: readonly ReferenceRow[],
  target: Keys<string>,
): Promise<void> {
  for (const row of rows.filter(({ leftBehind }) => leftBehind)) {
    for (const { keys, document } of await findReferrers(unit, row, target, 'cache')) {
      const written = unit.written().find((other) => isSame(other, row.from, keys))
      const isNew = written && !(written.before && refersTo(row, { keys, document: written.before }, target))
      if (isNew) continue
      const after = row.withoutReference?.(document, target)
      if (after) unit.follow(row.from, keys, document, after)
      else if (row.save) await row.save(context, { keys, before: document, after, target })
      else unit.remove(row.from, keys, document)
    }
  }
}

/**
 * Requires the targets of new references to exist, and to exist still at the commit. A concurrent deletion may look for
 * references before the new reference exists. So this commit writes the target too, and one of the two commits
 * conflicts.
 */
async function holdNewTargets({ table, unit }: ReferenceCheck): Promise<void> {
  for (const written of unit.written()) {
    for (const row of table.addedBy(written)) {
      if (row.rule === 'record' || row.unchecked) continue
      for (const target of newTargets(row, written)) {
        const document = await unit.get(row.to, target)
        if (!document) failMissing(row, target)
        unit.touch(row.to, target, document)
      }
    }
  }
}

function newTargets(row: ReferenceRow, { keys, before, after }: WrittenDocument): readonly Keys<string>[] {
  if (!after || !row.targets) return []
  const known = new Set(before ? row.targets(before, keys).map((target) => idText(row.to, target)) : [])
  return row.targets(after, keys).filter((target) => {
    const text = idText(row.to, target)
    return !known.has(text) && known.add(text)
  })
}

function failMissing({ property, to }: ReferenceRow, target: Keys<string>): never {
  const reason = `must name an existing ${to.noun}: ${to.address.key(target)} does not exist`
  return fail('invalid_request', { errors: [{ attribute: property, reason }] })
}
