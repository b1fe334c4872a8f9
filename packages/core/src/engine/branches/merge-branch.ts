import type { ChangeResult, ListedChange } from '../../operation/change-list.ts'
import { shownConflicts } from '../../operation/change-log/shown-conflicts.ts'
import type { WriteContext } from '../../operation/context.ts'
import { type ChangeConflict, fail } from '../../operation/errors.ts'
import type { Operation } from '../../operation/operation.ts'
import type { As } from '../../pipeline/authenticate.ts'
import type { DecodedCall } from '../../pipeline/call-state.ts'
import { asFailure } from '../../pipeline/encode.ts'
import type { RequestPipeline } from '../../pipeline/request-pipeline.ts'
import type { BranchParts } from '../../storage/branch/branch-state.ts'
import { branchStorage } from '../../storage/branch/branch-storage.ts'
import type { Versioned } from '../../storage/collection.ts'
import type { StoredDocument } from '../../storage/port.ts'
import { type BranchChange, readBranchChanges } from './branch-changes.ts'
import { type JournaledCall, readJournal } from './branch-journal.ts'

/** Options of `merge`. */
export interface MergeOptions {
  /** The caller, who needs the rights to all changes of the branch. */
  readonly as: As
  /** True to merge changes that need approval, for which the caller needs the right to bypass it. Default false. */
  readonly bypassRequiredApproval?: boolean
}

/** The outcome of a merge. */
export interface MergeResult {
  /** The calls of the branch that were made again, in their order, each with its entry of the change log. */
  readonly changes: readonly Pick<ChangeResult, 'operation' | 'entryId'>[]
}

/**
 * Makes the changes of a branch on the trunk, as one commit: every call of the branch is repeated with the caller's
 * rights, the current rules, and the ids that were generated in the branch.
 *
 * @throws ApiError `optimistic_locking_error` with `conflicts` when the trunk has changed a part that the branch has
 *   changed; the error of a call that fails.
 */
export async function mergeBranch(
  pipeline: RequestPipeline,
  parts: BranchParts,
  { as, bypassRequiredApproval = false }: MergeOptions,
): Promise<MergeResult> {
  const { host } = pipeline.options
  try {
    const writing = await pipeline.writing()
    const journaled = await readJournal(branchStorage(parts))
    const branchChanges = await readBranchChanges(parts, writing.collections)
    const changes = await Promise.all(journaled.map((call) => listedChange(pipeline, call, bypassRequiredApproval)))
    const call: DecodedCall = {
      operation: mergeOperation(async (context) => {
        const expected = await checkRemovals(pipeline, parts, branchChanges)
        return context.runChanges({ changes, expected, makesSecrets: true })
      }),
      caller: await pipeline.authenticator.fromHost(as),
      params: {},
      view: pipeline.view,
      url: () => '',
      origin: undefined,
      now: host.now(),
      ifMatch: undefined,
      grantedAction: undefined,
      query: {},
      body: undefined,
      dryRun: false,
    }
    // Casts: the documents of collections are versioned.
    const bases = branchChanges.flatMap(({ id, base }) => (base ? [{ id, document: base.body as Versioned }] : []))
    const { body } = await writing.write(pipeline, writing, call, { notifies: false, reportsConflicts: true, bases })
    await pipeline.settled()
    // Cast: the handler returns the results of its changes.
    const results = body as readonly ChangeResult[]
    return { changes: results.map(({ operation, entryId }) => ({ operation, entryId })) }
  } catch (error) {
    throw asFailure(error, host, 'mergeBranch', 'in-process')
  }
}

function mergeOperation(handle: (context: WriteContext) => Promise<readonly ChangeResult[]>): Operation {
  return {
    id: 'mergeBranch',
    summary: 'Merge a branch',
    method: 'POST',
    path: '',
    success: { status: 200 },
    errors: [],
    access: { open: true, why: 'each change is authorized' },
    combines: true,
    handle,
  }
}

async function listedChange(
  { table }: RequestPipeline,
  { operation: id, input, draws }: JournaledCall,
  bypassesApproval: boolean,
): Promise<ListedChange> {
  const listed = table.find(id)
  if (!listed || !input) {
    return fail('invalid_request', {
      message: `The call ${id} of the branch cannot be made again, so it cannot be merged`,
    })
  }
  const { query } = (await listed.load?.()) ?? listed
  const takesBypass = Object.hasOwn((query as { readonly entries?: object } | undefined)?.entries ?? {}, bypass)
  const { body, [bypass]: _, ...parameters } = input
  return {
    operation: id,
    parameters: { ...parameters, ...(bypassesApproval && takesBypass && { [bypass]: true }) },
    body,
    draws,
  }
}

const bypass = 'bypassRequiredApproval'

/**
 * Refuses to merge a document that was removed in the branch and changed in the trunk, or the reverse. For other
 * documents, the pipeline compares the changed parts when the calls are repeated.
 *
 * @returns conditions of the commit: the versions of the documents that are removed.
 * @throws ApiError `optimistic_locking_error` with the documents.
 */
async function checkRemovals(pipeline: RequestPipeline, { trunk }: BranchParts, changes: readonly BranchChange[]) {
  const documents = await trunk.getMany(changes.map(({ id }) => id))
  const compared = changes.map((change, index) => ({ change, document: documents[index] }))
  const conflicts = compared.flatMap(({ change, document }) => removalConflicts(change, document, pipeline))
  if (conflicts.length > 0) return fail('optimistic_locking_error', { conflicts })
  return compared.flatMap(({ change: { id, ours }, document }) =>
    document && !ours ? [{ do: 'expect' as const, id, version: document.version }] : [],
  )
}

function removalConflicts(
  { collection, keys, resource, base, ours }: BranchChange,
  trunk: StoredDocument | undefined,
  { format }: RequestPipeline,
): ChangeConflict[] {
  const isRemovedByOne = (trunk === undefined) !== (ours === undefined)
  if (!base || !isRemovedByOne || trunk?.version === base.version) return []
  const versions = { base: base.body, theirs: trunk?.body, yours: ours }
  return shownConflicts(collection, keys, { path: '', ...versions }, format).map((conflict) => ({
    resource,
    ...conflict,
  }))
}
