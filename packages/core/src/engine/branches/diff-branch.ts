import { changeLog } from '../../operation/change-log/change-log.ts'
import { withoutSecrets } from '../../operation/change-log/logged-call.ts'
import { describedEntry, type ReadableChange } from '../../operation/change-log/readable-change.ts'
import { shownDocument } from '../../operation/change-log/shown-change.ts'
import type { RequestPipeline } from '../../pipeline/request-pipeline.ts'
import { type BranchParts, readState } from '../../storage/branch/branch-state.ts'
import { branchStorage } from '../../storage/branch/branch-storage.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { Sample } from '../../storage/port.ts'
import { type BranchChange, readBranchChanges } from './branch-changes.ts'

/** A document that a branch has changed, with the property names of responses and without secrets. */
export interface BranchDocument {
  /** Address of the document, e.g. `proj/web:flag/checkout`. */
  readonly resource: string
  /** Kind of document, e.g. `flag`. */
  readonly kind: string
  /** The document of the trunk when the branch first changed it; undefined when the branch has created it. */
  readonly base: Readonly<Record<string, unknown>> | undefined
  /** The document in the branch; undefined when the branch has deleted it. */
  readonly branch: Readonly<Record<string, unknown>> | undefined
}

/** The difference of a branch from its trunk. */
export interface BranchDiff {
  /** The documents that differ, by collection and address. */
  readonly documents: readonly BranchDocument[]
  /** The entries of the change log of the branch, the oldest one first, with sentences that describe them. */
  readonly changes: readonly Omit<ReadableChange, 'resources'>[]
}

/** Number of entries that are read in one request. */
const pageSize = 100

/** Returns the documents that a branch has changed, and the changes that were made in it. */
export async function diffBranch(pipeline: RequestPipeline, parts: BranchParts): Promise<BranchDiff> {
  await readState(parts)
  const { collections } = await pipeline.writing()
  const documents = (await readBranchChanges(parts, collections)).map((change) => shownChange(change, pipeline))
  return { documents, changes: (await readEntries(parts)).map(describedEntry) }
}

function shownChange({ collection, resource, base, ours }: BranchChange, { format }: RequestPipeline): BranchDocument {
  const serialize = (document: Versioned | undefined) =>
    document && shownDocument(collection, withoutSecrets(document, collection.secrets), format)
  // Cast: the documents of collections are versioned.
  return {
    resource,
    kind: collection.name,
    base: serialize(base?.body as Versioned | undefined),
    branch: serialize(ours),
  }
}

async function readEntries(parts: BranchParts): Promise<Sample[]> {
  const branch = branchStorage(parts)
  const entries: Sample[] = []
  let before: { readonly at: number; readonly id: string } | undefined
  for (;;) {
    const page = await branch.newest({ series: changeLog.id({}), limit: pageSize, ...(before && { before }) })
    entries.push(...page)
    const last = page.at(-1)
    if (!last || page.length < pageSize) return entries.reverse()
    before = { at: last.at, id: last.id }
  }
}
