import type { AccessDetails } from '../rules/policy/access-details.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'
import type { Writer } from '../storage/writer.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { Caller } from './caller.ts'
import type { LoggedChange } from './change-log-entry.ts'
import type { ErrorCode, Fail } from './errors.ts'
import type { Timestamp } from './schema.ts'

/**
 * What a handler is given: storage, the caller, the time, and the ways to fail. It has no other world.
 *
 * Its methods are called on it (`context.allowed(…)`), which their `this` makes the compiler see to; the rest, `fail`
 * too, may be taken out of it.
 */
export interface Context<Tx, Code extends ErrorCode> {
  readonly tx: Tx
  readonly fail: Fail<Code>
  readonly caller: Caller
  /**
   * When the call arrived: integer milliseconds, UTC. An answer that is made with it is not remembered; whoever
   * only asks whether a date has come asks `hasCome`.
   */
  readonly now: number
  /** Whether a point in time (integer ms, UTC) has come by then. */
  hasCome(this: object, at: number): boolean
  /** Path and query of the call, for links to itself and to its other pages. */
  readonly url: string
  readonly wire: Wire
  readonly host: Host
  readonly options: HandlerOptions
  /** Whether the caller may do `action` on this thing; `document` spares a look at storage. */
  allowed<T extends Versioned, A extends string>(
    this: object,
    action: Action,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<boolean>
  /** Fails with `forbidden`, and says why in process and in the log, unless the caller may do `action` on this thing. */
  demand<T extends Versioned, A extends string>(
    this: object,
    action: Action,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<void>
  /** Why the caller may not do `action` on this thing, in words that stay off the wire. */
  whyNot<T extends Versioned, A extends string>(
    this: object,
    action: Action,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<string>
  /** `_access` of this thing for the caller (D18). */
  access<T extends Versioned, A extends string>(
    this: object,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
  ): AccessDetails | Promise<AccessDetails>
  /** Whether a policy speaks of a change that the change log tells of, on things as they are stored now. */
  selects(this: object, policy: CompiledPolicy, change: LoggedChange): Promise<boolean>
  /** What the change log says about the call, where its body has no comment. */
  remark(this: object, text: string): void
  /**
   * Says which revision the answer shows: its ETag (D11).
   *
   * @param more whether it shows other things besides, which change by themselves: then whoever knows the revision does
   *   not know the answer. Default false.
   */
  revision(this: object, value: string | number, more?: boolean): void
  /** Says where to find what was made: the header `Location`. */
  located(this: object, path: string): void
  /** Fails with `optimistic_locking_error` when the caller's If-Match names another revision than this (D11). */
  requireRevision(this: object, value: string | number): void
}

/** The context as presenters and shared parts of handlers take it: one that can read, whatever its card may fail with. */
export type ReadContext = Context<Reader, never>

/** The same for parts of handlers that write. */
export type WriteContext = Context<Writer, never>

/** How values look in an answer. */
export interface Wire {
  /** Integer milliseconds as the engine is told to show them (D4). */
  time(ms: number): Timestamp
}

/** What the host said when it made the engine and answers depend on. */
export interface HandlerOptions {
  /** The account that the engine serves. */
  readonly account: string
  /** The role that writes data exports; undefined where the host named none. */
  readonly dataExportRoleArn: string | undefined
}

/** What the engine takes from where it runs: the time, chance, hashing and a place for log entries. */
export interface Host {
  /** Integer milliseconds, UTC. */
  now(): number
  /** A fresh UUID. */
  newId(): string
  /** Fresh random bytes in hex. */
  randomHex(bytes: number): string
  /** SHA-256 of a text's UTF-8 bytes, in hex. */
  sha256(text: string): Promise<string>
  log(entry: LogEntry): void
}

/** One event that an engine tells its host of; never with a secret in it. */
export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  /** By which an answer names its request (`X-Request-Id`). */
  readonly requestId?: string
  /** The id of the operation that was called. */
  readonly operation?: string
  /** What happened, in words. */
  readonly message?: string
  /** What was thrown. */
  readonly error?: unknown
}
