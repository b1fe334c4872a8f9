import type { ApprovedChange } from '../../operation/approval-pass.ts'
import type { ChangeResult, ListedChange, Precondition } from '../../operation/change-list.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import { describedEntry } from '../../operation/change-log/readable-change.ts'
import type { CommitGuard } from '../../operation/commit-guard.ts'
import { ApiError, fail } from '../../operation/errors.ts'
import type { Operation } from '../../operation/operation.ts'
import { uncachedReads } from '../../storage/cached-reads.ts'
import { layeredStorage } from '../../storage/layered-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import type { UnitOfWork } from '../../storage/unit-of-work.ts'
import { viewOver } from '../access/authority.ts'
import { callWithin } from '../call-in-process.ts'
import type { DecodedCall, Outcome } from '../call-state.ts'
import type { ExecuteParts, RunChanges } from '../execute-parts.ts'
import { type CombinedChange, CombinedUnits } from './combined-units.ts'
import { findOperation, refuseDefinition, refuseSecrets } from './listed-operations.ts'
import { recordedReads } from './recorded-reads.ts'
import { replayingHost } from './replaying-host.ts'
import { withIndex } from './with-index.ts'

export const runChanges: RunChanges = async (
  parts,
  call,
  { changes, preconditions = [], expected: conditions = [], makesSecrets = false, approved, assumesApproval = false },
) => {
  if (parts.isPartOfList) fail('invalid_request', { message: 'A list of changes must not be part of another list' })
  const operations = await Promise.all(changes.map((change, index) => loadListed(parts, index, change)))
  const expected = recordedReads(parts.accountStorage)
  for (const [index, precondition] of preconditions.entries()) {
    await requirePrecondition(partsOver(parts, call, expected.storage), call, index, precondition)
  }
  const layer = layeredStorage(parts.accountStorage)
  const inner = partsOver(parts, call, layer.storage)
  const combined: CombinedChange[] = []
  const results: ChangeResult[] = []
  for (const [index, change] of changes.entries()) {
    const operation = operations[index] as (typeof operations)[number]
    const recorder = await recordingParts(withDraws(inner, change.draws), {
      approved,
      assumed: assumesApproval ? projectOf(change) : undefined,
    })
    const outcome = await withIndex(`changes.${index}`, change, () =>
      callWithin(recorder.parts, operation, inputOf(change), {
        caller: call.caller,
        origin: call.origin,
        ifMatch: change.ifMatch,
      }),
    )
    const logged = recorder.logged()
    if (logged && !makesSecrets) refuseSecrets('changes', index, change, logged.unit)
    if (logged) combined.push(logged)
    results.push({
      operation: change.operation,
      ...entryOf(logged),
      body: outcome.body,
      approval: recorder.missingApproval(),
    })
  }
  const units = new CombinedUnits(combined, [...conditions, ...expected.conditions(), ...layer.changes])
  return { results, units, after: layer }
}

/** Returns the operation of a change, with its definition. */
async function loadListed({ table }: ExecuteParts, index: number, change: ListedChange): Promise<Operation> {
  const listed = findOperation(table, 'changes', index, change)
  const operation = (await listed.load?.()) ?? listed
  refuseDefinition(operation, index, change)
  return operation
}

/** Returns the parts of a pipeline over another storage, with no caches, hooks and queues. */
function partsOver(parts: ExecuteParts, call: DecodedCall, storage: AccountStorage): ExecuteParts {
  return {
    ...parts,
    accountStorage: storage,
    storage: uncachedReads(storage),
    view: viewOver(call.view, storage),
    queues: undefined,
    isPartOfList: true,
    settled: () => undefined,
  }
}

/** Returns the parts with a host that repeats ids and random bytes. */
function withDraws(parts: ExecuteParts, draws: readonly string[] = []): ExecuteParts {
  if (draws.length === 0) return parts
  return { ...parts, options: { ...parts.options, host: replayingHost(parts.options.host, draws) } }
}

/** The approval with which a call of a list runs. */
interface ListApproval {
  /** The change that reviewers have approved. */
  readonly approved: ApprovedChange | undefined
  /** The approval with which a refused call runs again; the message of the refusal is recorded. */
  readonly assumed: ApprovedChange | undefined
}

/** Returns the approval of every change in the project that a change names. */
function projectOf({ parameters }: ListedChange): ApprovedChange | undefined {
  const projectKey = parameters?.projectKey
  return typeof projectKey === 'string' ? { kind: 'proj', projectKey, resourceKey: projectKey } : undefined
}

/**
 * Returns the pipeline parts for one call. They record its unit of work, its entry, and the approval that it requires
 * but does not have.
 */
async function recordingParts(parts: ExecuteParts, { approved, assumed }: ListApproval) {
  // These parts serve only this call: they cache webhooks, here of an uncommitted state, which no other call may use.
  const writing = await parts.makeWriting(parts.options)
  let logged: CombinedChange | undefined
  let missingApproval: string | undefined
  return {
    parts: {
      ...parts,
      writing: () => ({
        ...writing,
        // The hooks are called once, for all changes.
        hooks: undefined,
        guard: (async (context, written) => {
          const withApproval = (change: ApprovedChange | undefined) =>
            writing.guard(change ? { ...context, pass: { ...context.pass, approved: change } } : context, written)
          try {
            return await withApproval(approved)
          } catch (error) {
            if (!assumed || !(error instanceof ApiError && error.code === 'method_not_allowed')) throw error
            missingApproval = error.message
            return withApproval(assumed)
          }
        }) satisfies CommitGuard,
        audience: ((reads) => {
          const notify = writing.audience(reads)
          return async (tx, entry, selects) => {
            // Cast: the pipeline passes the unit of work of the call.
            logged = { unit: tx as UnitOfWork, entry }
            await notify(tx, entry, selects)
          }
        }) satisfies typeof writing.audience,
      }),
    },
    logged: () => logged,
    missingApproval: () => missingApproval,
  }
}

/** Returns the properties of the result of a change that describe its change log entry. */
function entryOf(logged: CombinedChange | undefined): Pick<ChangeResult, 'entryId' | 'sentences'> {
  if (!logged) return { entryId: undefined, sentences: [] }
  return { entryId: entryId(logged.entry), sentences: describedEntry(logged.entry).sentences }
}

function inputOf({ parameters, body }: Pick<ListedChange, 'parameters' | 'body'>): Readonly<Record<string, unknown>> {
  return { ...parameters, ...(body !== undefined && { body }) }
}

/** Fails unless the response of an operation has an entity tag now. */
async function requirePrecondition(
  parts: ExecuteParts,
  { caller, origin }: DecodedCall,
  index: number,
  precondition: Precondition,
): Promise<void> {
  const operation = findOperation(parts.table, 'preconditions', index, precondition)
  const { etag }: Outcome = await withIndex(`preconditions.${index}`, precondition, () =>
    callWithin(parts, operation, inputOf(precondition), { caller, origin, ifMatch: undefined }),
  )
  if (etag === precondition.ifMatch) return
  const preconditionName = `preconditions.${index} (${precondition.operation} ${JSON.stringify(precondition.parameters ?? {})})`
  if (etag !== undefined)
    fail('optimistic_locking_error', { message: `${preconditionName}: another call has changed the resource` })
  const reason = 'must be an operation whose response has an ETag'
  fail('invalid_request', { errors: [{ attribute: `preconditions.${index}.operation`, reason }] })
}
