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

/** Inserts documents again that the entry deleted, outer addresses first, with the right to create each. */
export async function restoreDocuments(
  context: UndoContext,
  plans: readonly DocumentPlan[],
  options: UndoOptions,
): Promise<void> {
  const byDepth = plans.toSorted((a, b) => a.collection.address.kinds.length - b.collection.address.kinds.length)
  for (const plan of byDepth) {
    const { collection, keys, rules, wanted, change } = plan
    if (!wanted) continue
    if (!rules?.create) return refuse(context, `a deleted ${collection.noun} cannot be restored`)
    await context.demand(rules.create, collection, keys, isElsewhere(plan, wanted) ? wanted : undefined)
    await insert(context, plan, wanted, change.withheld, options)
  }
}

/**
 * Returns true for a document whose resource in policies is not its own address. Others are created without their
 * attributes, as by the operation that creates them: a document that does not exist has no tags.
 */
function isElsewhere({ collection, keys }: DocumentPlan, document: Versioned): boolean {
  return addressOf(collection.resource(keys)) !== addressOf(collection.resource(keys, document))
}

/** Inserts the documents that were deleted with others. The right to create the others includes them. */
export async function restoreRemoved(
  context: UndoContext,
  { removed = [] }: ChangeLogEntry,
  options: UndoOptions,
): Promise<void> {
  for (const { kind, document, body, withheld } of removed.toSorted((a, b) => depth(a.document) - depth(b.document))) {
    const located = locatedDocument(context, { kind, document })
    if (!located) return refuse(context, `this engine does not know the collection ${kind}`)
    if (located.rules?.refused !== undefined) refuse(context, located.rules.refused)
    // Cast: the entry contains the whole document.
    await insert(context, located, body as unknown as Versioned, withheld, options)
  }
}

function depth(address: string): number {
  return address.split(':').length
}

async function insert(
  context: UndoContext,
  { collection, keys, rules }: LocatedDocument,
  document: Versioned,
  withheld: readonly string[] | undefined,
  options: UndoOptions,
): Promise<void> {
  const { tx } = context
  await requireContainers(context, { collection, keys })
  const complete = withNewSecrets(context, collection, document, withheld)
  const prepared = (await rules?.prepare?.(context, keys, complete, options)) ?? complete
  const inserted = tx.insert(collection, keys, prepared, () =>
    context.fail('optimistic_locking_error', {
      message: `There is another ${collection.noun} at ${collection.address.address(keys)} by now`,
    }),
  )
  await rules?.inserted?.(context, keys, inserted)
}

/** Collections whose documents contain others. A document is in those whose parameters are among its own. */
const containers: readonly StoredCollection[] = [projects, environments, flags, segments, aiConfigs, views]

/** Requires the documents that contain a document, and that none of them is deleted concurrently. */
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
  document: Versioned,
  withheld: readonly string[] | undefined,
): Versioned {
  if (withoutSecrets === 'left out') return refuse(context, `a deleted ${noun} has no use without its secrets`)
  if (!withheld || !withoutSecrets) return document
  if ('missing' in withoutSecrets) return withoutSecrets.missing(document)
  return withoutSecrets.renewed(document, withheld, context.useHost())
}
