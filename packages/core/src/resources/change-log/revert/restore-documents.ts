import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { projects } from '../../../models/projects/project.ts'
import { segments } from '../../../models/segments/segment.ts'
import { views } from '../../../models/views/view.ts'
import type { ChangeLogEntry } from '../../../operation/change-log/change-log-entry.ts'
import { locatedDocument } from '../../../operation/undo/located-document.ts'
import type { UndoContext, UndoOptions } from '../../../operation/undo/undo-rules.ts'
import type { LocatedDocument } from '../../../operation/undo/undo-table.ts'
import { addressOf } from '../../../rules/address.ts'
import type { StoredCollection, Versioned } from '../../../storage/collection.ts'
import type { DocumentPlan } from './plan-document.ts'
import { refuse } from './refuse.ts'

/** A document that was inserted again. */
interface InsertedDocument extends LocatedDocument {
  readonly inserted: Versioned
}

/**
 * Inserts the documents that the entry deleted and the documents that were deleted with them, outer addresses first.
 * Requires the right to create each document that the entry deleted.
 *
 * @param plans documents that the entry deleted.
 */
export async function restoreDeleted(
  context: UndoContext,
  plans: readonly DocumentPlan[],
  entry: ChangeLogEntry,
  options: UndoOptions,
): Promise<void> {
  const inserted = [...(await restoreDocuments(context, plans)), ...(await restoreRemoved(context, entry))]
  await complete(context, inserted, options)
}

async function restoreDocuments(
  context: UndoContext,
  plans: readonly DocumentPlan[],
): Promise<readonly InsertedDocument[]> {
  const byDepth = plans.toSorted((a, b) => a.collection.address.kinds.length - b.collection.address.kinds.length)
  const inserted: InsertedDocument[] = []
  for (const plan of byDepth) {
    const { collection, keys, rules, wanted, change } = plan
    if (!wanted) continue
    if (!rules?.create) return refuse(context, `a deleted ${collection.noun} cannot be restored`)
    await context.demand(rules.create, collection, keys, isElsewhere(plan, wanted) ? wanted : undefined)
    inserted.push(await insert(context, plan, { document: wanted, withheld: change.withheld }))
  }
  return inserted
}

/**
 * Returns true for a document whose resource in policies differs from its own address. The right to create any other
 * document is checked without its tags, as in the operation that creates it, because a document that does not exist has
 * no tags.
 */
function isElsewhere({ collection, keys }: DocumentPlan, document: Versioned): boolean {
  return addressOf(collection.resource(keys)) !== addressOf(collection.resource(keys, document))
}

/**
 * Inserts the documents that were deleted together with other documents. They need no right of their own: the right to
 * create the other documents is sufficient.
 */
async function restoreRemoved(
  context: UndoContext,
  { removed = [] }: ChangeLogEntry,
): Promise<readonly InsertedDocument[]> {
  const inserted: InsertedDocument[] = []
  for (const { kind, document, body, withheld } of removed.toSorted((a, b) => depth(a.document) - depth(b.document))) {
    const located = locatedDocument(context, { kind, document })
    if (!located) return refuse(context, `this engine does not know the collection ${kind}`)
    if (located.rules?.refused !== undefined) refuse(context, located.rules.refused)
    // Cast: the entry contains the whole document.
    inserted.push(await insert(context, located, { document: body as unknown as Versioned, withheld }))
  }
  return inserted
}

function depth(address: string): number {
  return address.split(':').length
}

/** A deleted document, and the names of its secrets that the change log does not contain. */
interface WithheldDocument {
  readonly document: Versioned
  readonly withheld: readonly string[] | undefined
}

async function insert(
  context: UndoContext,
  located: LocatedDocument,
  { document, withheld }: WithheldDocument,
): Promise<InsertedDocument> {
  const { collection, keys } = located
  await requireContainers(context, located)
  const inserted = context.tx.insert(
    collection,
    keys,
    withNewSecrets(context, collection, { document, withheld }),
    () =>
      context.fail('optimistic_locking_error', {
        message: `Another ${collection.noun} now exists at ${collection.address.address(keys)}`,
      }),
  )
  return { ...located, inserted }
}

/**
 * Checks the references of the inserted documents, and makes the changes that follow from inserting them. It is called
 * after all documents are inserted, because they can refer to each other.
 */
async function complete(
  context: UndoContext,
  documents: readonly InsertedDocument[],
  options: UndoOptions,
): Promise<void> {
  for (const { collection, keys, rules, inserted } of documents) {
    const prepared = (await rules?.prepare?.(context, keys, inserted, options)) ?? inserted
    const stored = prepared === inserted ? inserted : context.tx.follow(collection, keys, inserted, prepared)
    await rules?.inserted?.(context, keys, stored)
  }
}

/**
 * Collections whose documents contain other documents. A document is contained in a document of such a collection when
 * its keys include all keys of that document.
 */
const containers: readonly StoredCollection[] = [projects, environments, flags, segments, aiConfigs, views]

/** Requires that the documents that contain a document exist, and that none of them is deleted concurrently. */
async function requireContainers(
  context: UndoContext,
  { collection, keys }: Pick<LocatedDocument, 'collection' | 'keys'>,
): Promise<void> {
  const { tx } = context
  for (const container of containers) {
    const { parameters } = container.address
    if (container === collection || parameters.some((name) => name !== undefined && !(name in keys))) continue
    const stored = await tx.get(container, keys)
    if (stored) tx.expect(container, keys, stored)
    else {
      const message = `The ${container.noun} ${container.address.key(keys)} of the deleted ${collection.noun} does not exist`
      context.fail('optimistic_locking_error', { message })
    }
  }
}

function withNewSecrets(
  context: UndoContext,
  { withoutSecrets, noun }: LocatedDocument['collection'],
  { document, withheld }: WithheldDocument,
): Versioned {
  if (withoutSecrets === 'left out')
    return refuse(context, `a deleted ${noun} cannot be restored, because its secrets are not kept`)
  if (!withheld || !withoutSecrets) return document
  if ('missing' in withoutSecrets) return withoutSecrets.missing(document)
  return withoutSecrets.renewed(document, withheld, context.useHost())
}
