import type { ChangeLogEntry } from '../../../operation/change-log/change-log-entry.ts'
import type { UndoContext, UndoGroup, UndoOptions } from '../../../operation/undo/undo-rules.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Replacement, StoredCollection, Versioned } from '../../../storage/collection.ts'
import { isUnder } from '../../../storage/port.ts'
import type { DocumentPlan } from './plan-document.ts'
import type { RevertPlan, SetPlan } from './plan-revert.ts'
import { refuse } from './refuse.ts'
import { restoreDeleted } from './restore-documents.ts'

/**
 * Writes a revert in this order: deletions, restored documents with everything that was deleted with them, and earlier
 * states of documents.
 */
export async function writeRevert(
  context: UndoContext,
  entry: ChangeLogEntry,
  { documents, sets }: RevertPlan,
  options: UndoOptions,
): Promise<void> {
  const groups = new Map<UndoGroup, DocumentPlan[]>()
  const others: DocumentPlan[] = []
  for (const document of documents) {
    const group = document.rules?.group
    if (group) groups.set(group, [...(groups.get(group) ?? []), document])
    else others.push(document)
  }
  for (const [group, members] of groups) await group.write(context, members, options)
  const created = others.filter(({ wanted }) => wanted === undefined)
  const { removesConsequences } = await removeCreated(context, created, options)
  const changed = removesConsequences ? [] : others
  const deleted = changed.filter(({ current }) => current === undefined)
  await restoreDeleted(context, deleted, entry, options)
  for (const plan of changed) if (plan.current && plan.wanted) await update(context, plan, options)
  for (const plan of sets) await undoSet(context, plan)
}

async function undoSet(context: UndoContext, { change, collection, keys, rules }: SetPlan): Promise<void> {
  const { set = '', added = [], removed = [] } = change.members ?? {}
  const undo = rules?.sets?.[set]
  if (!undo) return refuse(context, `changes of ${set} of this ${collection.noun} cannot be undone`)
  const document = (await context.tx.get(collection, keys)) ?? context.fail('not_found')
  if (added.length > 0) await undo.removeKeys(context, keys, document, added)
  if (removed.length > 0) await undo.addKeys(context, keys, document, removed)
}

/**
 * Deletes the documents that the entry created. A document under the address of another created document is deleted
 * with that document.
 */
async function removeCreated(
  context: UndoContext,
  plans: readonly DocumentPlan[],
  options: UndoOptions,
): Promise<{ readonly removesConsequences: boolean }> {
  const addresses = plans.map(({ collection, keys }) => collection.address.address(keys))
  const outermost = plans.filter(
    (_, i) => !addresses.some((other, j) => j !== i && isUnder(addresses[i] as string, other)),
  )
  for (const { collection, keys, rules, current } of outermost) {
    if (!rules?.remove) return refuse(context, `a ${collection.noun} cannot be deleted`)
    await rules.remove(context, keys, current as Versioned, options)
  }
  return { removesConsequences: outermost.some(({ rules }) => rules?.removesConsequences) }
}

async function update(context: UndoContext, plan: DocumentPlan, options: UndoOptions): Promise<void> {
  const { collection, keys, change, rules } = plan
  const { tx } = context
  // Another part of the revert may have written the document already.
  const current = await tx.get(collection, keys)
  if (!current || !plan.current || !plan.wanted) return
  const targetState =
    current.version === plan.current.version ? plan.wanted : rebased(plan.current, plan.wanted, current)
  // A consequence of another change needs no right of its own.
  if (change.actions.length === 0) tx.follow(collection, keys, current, dated(context, collection, targetState))
  else if (rules?.update) await rules.update(context, { keys, current, wanted: targetState }, options)
  else replaceDocument(context, collection, { keys, before: current, after: targetState })
}

/** Applies the property changes between two states of a document to a newer state of it. */
function rebased(before: Versioned, after: Versioned, newer: Versioned): Versioned {
  // Cast: documents are JSON objects, of which only the properties are used here.
  const [a, b] = [before, after] as unknown as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  const changed = names.filter((name) => name !== 'version' && !jsonEqual(a[name], b[name]))
  return { ...newer, ...Object.fromEntries(changed.map((name) => [name, b[name]])) }
}

/** Replaces a document; the caller needs the action of each property, as with every other change. */
function replaceDocument(
  context: UndoContext,
  collection: StoredCollection,
  { keys, before, after: targetState }: Replacement<Versioned, Readonly<Record<string, string>>>,
): void {
  const after = dated(context, collection, targetState)
  const replaced = context.tx.replace(collection, keys, before, after)
  // A property without an action of its own changes only as a consequence of another property, so it needs no right.
  if (replaced === before) context.tx.follow(collection, keys, before, after)
}

/** Properties with the time of the last change. */
const changeDates = ['lastModified', 'updatedAt']

function dated(context: UndoContext, { changes }: StoredCollection, document: Versioned): Versioned {
  const names = changeDates.filter(
    (name) => (changes as Readonly<Record<string, unknown>> | undefined)?.[name] === null,
  )
  return { ...document, ...Object.fromEntries(names.map((name) => [name, context.readClock()])) }
}
