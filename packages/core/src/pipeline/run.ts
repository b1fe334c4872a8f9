import type { Caller } from '../operation/caller.ts'
import type { Context, Wire } from '../operation/context.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import { type ErrorCode, fail } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { Versioned } from '../storage/collection.ts'
import type { AccountStorage } from '../storage/port.ts'
import { type Reader, reader, type UnitOfWork, unitOfWork, type Writer } from '../storage/unit-of-work.ts'
import { type Authority, described } from './authority.ts'
import { authorizeChange } from './authorize.ts'
import type { Decoded } from './decode.ts'

/** A call that has passed every door before the last. */
export interface AdmittedCall {
  readonly operation: Operation
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  /** Path and query, made only when a handler asks. */
  readonly url: () => string
  readonly now: number
  readonly ifMatch: string | undefined
}

export interface Outcome {
  readonly body: unknown
  /** The revision that the answer shows, quoted as an ETag is. */
  readonly etag: string | undefined
}

export interface RunParts {
  readonly options: EngineOptions
  readonly storage: AccountStorage
  readonly authority: Authority
  readonly wire: Wire
}

/** Door 7: calls the handler and commits what it wrote, the whole of it or nothing. */
export async function run(parts: RunParts, call: AdmittedCall, decoded: Decoded): Promise<Outcome> {
  const reads = call.operation.method === 'GET'
  const unit = reads ? undefined : unitOfWork(parts.storage)
  const answer: { etag: string | undefined } = { etag: undefined }
  const context = contextOf(parts, call, unit ?? reader(parts.storage), answer)
  const input = { params: call.params, query: decoded.query, body: decoded.body }
  const handled = await call.operation.handle(context, input)
  if (unit) await settle(parts.authority, call.caller, unit)
  // Some answers tell what the commit did, so they are made after it.
  const body = typeof handled === 'function' ? handled() : handled
  return { body, etag: answer.etag }
}

/** Every write of every operation passes here, and no other way leads to storage. */
async function settle(authority: Authority, caller: Caller, unit: UnitOfWork): Promise<void> {
  for (const change of unit.changed) await authorizeChange(authority, caller, change)
  // A thing that changed, vanished or appeared meanwhile: the caller may look again and decide anew (D11).
  if ((await unit.commit()) !== undefined) fail('optimistic_locking_error')
}

function contextOf(
  parts: RunParts,
  call: AdmittedCall,
  tx: Reader | Writer,
  answer: { etag: string | undefined },
): Context<Reader | Writer, ErrorCode> {
  const { authority, options } = parts
  const { caller } = call
  return {
    tx,
    fail,
    caller,
    now: call.now,
    get url() {
      return call.url()
    },
    wire: parts.wire,
    host: options.host,
    async allowed(action, collection, keys, document) {
      const attributes = document && collection.attributes?.(document)
      const resource = described(collection.resource(keys, document), attributes)
      return (await authority.decide(caller, action, resource)).allowed
    },
    access(collection, keys, document: Versioned) {
      const attributes = collection.attributes?.(document as never)
      return authority.accessOf(caller, described(collection.resource(keys, document as never), attributes))
    },
    revision(value) {
      answer.etag = quoted(value)
    },
    requireRevision(value) {
      if (call.ifMatch === undefined || call.ifMatch === '*') return
      const wanted = call.ifMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
      if (!wanted.includes(quoted(value))) fail('optimistic_locking_error')
    },
  }
}

function quoted(value: string | number): string {
  return `"${value}"`
}
