import type { Telling } from '../operation/audience.ts'
import type { Caller } from '../operation/caller.ts'
import { changeLog, changeLogEntry } from '../operation/change-log.ts'
import type { WriteContext } from '../operation/context.ts'
import { ApiError, fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { isSystem } from '../operation/system-caller.ts'
import { writes } from '../operation/table.ts'
import type { Sample } from '../storage/port.ts'
import type { StorageReads } from '../storage/reads.ts'
import type { Sight } from '../storage/remembered-reads.ts'
import { type UnitOfWork, unitOfWork } from '../storage/unit-of-work.ts'
import type { AdmittedCall } from './admitted-call.ts'
import { authorizeChange } from './authorize.ts'
import { CallContext, type Period } from './call-context.ts'
import type { Decoded } from './decode.ts'
import { type RunParts, seeing } from './run-parts.ts'

/** What came of a call. */
export interface Outcome {
  readonly body: unknown
  /** The revision that the answer shows, quoted as an ETag is. */
  readonly etag: string | undefined
  /** The ETag does not tell one answer from the next. */
  readonly more: boolean
  readonly location: string | undefined
  /** When the answer is right as long as nothing changes; undefined for one that is of this call alone. */
  readonly holds: Period | undefined
}

/** Door 7: calls the handler and commits what it wrote, the whole of it or nothing. */
export async function run(parts: RunParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome> {
  if (!writes(call.operation.method)) return read(parts, call, decoded)
  let left = call.operation.attempts ?? 1
  // A body that comes as it is read can be read only once.
  if (parts.documents.remembers && call.operation.body?.kind !== 'upload') {
    const sight: Sight = { remembered: false, checked: false }
    const outcome = await tryFromMemory(parts, call, decoded, sight)
    if (outcome) return outcome
    if (!sight.remembered) left--
  }
  const fresh = parts.documents.remembers ? seeing(parts, parts.storage) : parts
  for (; left > 0; left--) {
    const outcome = await attempt(fresh, call, decoded, parts.storage)
    if (outcome) return outcome
  }
  // A thing that changed, vanished or appeared meanwhile: the caller may look again and decide anew (D11).
  return fail('optimistic_locking_error')
}

export interface SystemWork {
  /** What the change log calls it. */
  readonly id: string
  /** Who does it: the engine itself, or whoever left it to be done. */
  readonly caller: Caller
  handle(context: WriteContext): Promise<void>
}

/**
 * Commits what the engine does by itself, the way of every write. A commit that loses a race is tried again: there is
 * nobody who could decide anew.
 *
 * @throws ApiError `optimistic_locking_error` when it keeps losing.
 */
export async function runAsSystem(parts: RunParts, { id, caller, handle }: SystemWork): Promise<void> {
  const operation: Operation = {
    id,
    summary: inWords(id),
    method: 'POST',
    path: '',
    success: { status: 204 },
    errors: [],
    access: { open: true, why: 'nobody calls it' },
    attempts: 3,
    handle,
  }
  const now = parts.options.host.now()
  const call = { operation, caller, params: {}, granted: undefined, url: () => '', now, ifMatch: undefined }
  await run(parts, call, { query: {}, body: undefined })
}

/** `applyScheduledChange` as `Apply scheduled change`. */
function inWords(id: string): string {
  const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What the engine does by itself seldom changes what anybody is told of, and then it asks late. */
function tells({ operation, caller }: AdmittedCall): boolean {
  return !operation.dry && !isSystem(caller)
}

async function read(parts: RunParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome> {
  const context = new CallContext(parts, call, parts.reader)
  return outcomeOf(context, await call.operation.handle(context, inputOf(call, decoded)))
}

/**
 * A call of a writing operation that looks at what is remembered: where all of it is still so, the commit is its only
 * question to storage.
 *
 * @returns undefined when it has to be done again with fresh eyes: the commit says that something is no longer so, or
 *   nothing has looked whether it is, since the call was refused or left everything as it was.
 */
async function tryFromMemory(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  sight: Sight,
): Promise<Outcome | undefined> {
  const reads = parts.documents.seenBy(sight)
  try {
    const outcome = await attempt(seeing(parts, reads), call, decoded, reads, sight)
    return sight.remembered && !sight.checked ? undefined : outcome
  } catch (error) {
    if (sight.remembered && error instanceof ApiError) return undefined
    throw error
  }
}

const lost = Symbol('lost')

/**
 * @param reads what the handler looks at.
 * @param sight told whether storage has seen what the handler has.
 * @returns undefined when the commit lost a race; nothing was written then.
 */
async function attempt(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  reads: StorageReads,
  sight?: Sight,
): Promise<Outcome | undefined> {
  const unit = unitOfWork(parts.storage, { reads, commit: parts.documents.commit })
  const telling = tells(call) ? parts.audience(reads) : undefined
  const context = new CallContext(parts, call, unit)
  const handled = await tryToHandle()
  return handled === lost ? undefined : outcomeOf(context, handled)

  async function tryToHandle(): Promise<unknown> {
    try {
      const result = await call.operation.handle(context, inputOf(call, decoded))
      if (call.operation.dry) return result
      const settled = await settle(parts, call, decoded, unit, context, telling)
      if (sight) sight.checked = !unit.isEmpty()
      if (settled) return result
      await takeBack(parts, call, unit)
      return lost
    } catch (error) {
      await takeBack(parts, call, unit)
      throw error
    }
  }
}

function inputOf({ params }: AdmittedCall, { query, body }: Decoded) {
  return { params, query, body }
}

function outcomeOf(context: CallContext, handled: unknown): Outcome {
  // Some answers tell what the commit did, so they are made after it.
  const body = typeof handled === 'function' ? handled() : handled
  const { etag, more, location, holds } = context
  return { body, etag, more, location, holds }
}

/** What the call had staged goes as well. Where storage does not let it, whoever comes next finds it abandoned. */
async function takeBack({ options }: RunParts, { operation }: AdmittedCall, unit: UnitOfWork): Promise<void> {
  try {
    await unit.takeBack()
  } catch (error) {
    options.host.log({ level: 'warn', event: 'staged-left-behind', operation: operation.id, error })
  }
}

/**
 * Every write of every operation passes here, and no other way leads to storage.
 *
 * @returns whether it was committed.
 */
async function settle(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  unit: UnitOfWork,
  context: CallContext,
  telling: Telling | undefined,
): Promise<boolean> {
  for (const change of unit.changed) await authorizeChange(parts.authority, call.caller, change)
  const entry = await entryOf(parts, call, decoded, unit, context)
  if (entry) {
    unit.append(changeLog, {}, [entry])
    const tell = telling ?? parts.audience(parts.storage)
    await tell(unit, entry, parts.selection(unit.written()))
  }
  return (await unit.commit()) === undefined
}

/** What the call did, as the change log keeps it: written by the same commit, so that there is no change without it. */
function entryOf(
  parts: RunParts,
  call: AdmittedCall,
  decoded: Decoded,
  unit: UnitOfWork,
  { remarked, demanded }: CallContext,
): Promise<Sample | undefined> {
  const { id, summary } = call.operation
  const { comment } = (decoded.body ?? {}) as { readonly comment?: unknown }
  return changeLogEntry({
    operation: id,
    summary,
    granted: call.granted ?? id,
    demanded: demanded.filter(({ action }) => !action.startsWith('view')),
    caller: call.caller,
    comment: typeof comment === 'string' && comment !== '' ? comment : remarked,
    place: () => parts.order.next(call.now),
    written: unit.written(),
    noted: unit.noted,
    actionsOf: ({ collection, keys }) =>
      unit.changed.filter((one) => one.collection === collection && one.keys === keys).flatMap((one) => one.actions),
  })
}
