import type { AccessDetails } from '../rules/policy/access-details.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { Reader } from '../storage/reader.ts'
import type { Writer } from '../storage/writer.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { Caller } from './caller.ts'
import type { LoggedChange } from './change-log/change-log-entry.ts'
import type { ErrorCode, Fail } from './errors.ts'
import type { Timestamp } from './schema.ts'

/**
 * Everything that a handler may use: storage, caller, clock, and ways to fail.
 *
 * Its methods are called on it (`context.allowed(…)`): the compiler checks that by their `this`. The properties, and
 * `fail`, may be destructured.
 */
export interface Context<Tx, Code extends ErrorCode> {
  readonly tx: Tx
  readonly fail: Fail<Code>
  readonly caller: Caller
  /**
   * Returns when the call arrived: integer ms, UTC. The response is then valid for this call only, and is not cached; a
   * handler that only compares a date with the present calls `hasCome` instead.
   */
  readClock(this: object): number
  /** Whether a point in time has come: integer ms, UTC. A cached response expires when the answer would change. */
  hasCome(this: object, time: number): boolean
  /** Path and query of the call, for links to itself and to its other pages. */
  readonly url: string
  readonly format: ResponseFormat
  /**
   * Returns the host: ids, random bytes, hashing, the log. The response is then valid for this call only, and is not
   * cached.
   */
  useHost(this: object): Host
  readonly options: HandlerOptions
  /** Whether the caller may do `action` on a resource; with `document`, its attributes need not be read. */
  allowed<T extends Versioned, A extends string>(
    this: object,
    action: Action,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<boolean>
  /** Fails with `forbidden` unless the caller may do `action` on a resource; the reason is shown in process and logged. */
  demand<T extends Versioned, A extends string>(
    this: object,
    action: Action,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<void>
  /** Explains why the caller may not do `action` on a resource; the text must not be part of a response. */
  whyNot<T extends Versioned, A extends string>(
    this: object,
    action: Action,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<string>
  /**
   * Returns `_access` of a resource for the caller (docs/decisions/0002-decide-access-by-policy.md#d18-access-details).
   */
  access<T extends Versioned, A extends string>(
    this: object,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
  ): AccessDetails | Promise<AccessDetails>
  /** Whether a policy selects a change of a change log entry, with the attributes that are stored now. */
  selects(this: object, policy: CompiledPolicy, change: LoggedChange): Promise<boolean>
  /** Sets the comment of the change log entry, where the body has none. */
  remark(this: object, text: string): void
  /**
   * Sets the revision that the response shows: its ETag
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   *
   * @param more whether the response also shows other resources, which change independently, so that an equal ETag does
   *   not mean an equal response. Default false.
   */
  revision(this: object, value: string | number, more?: boolean): void
  /** Sets the header `Location`: where to find what was created. */
  located(this: object, path: string): void
  /**
   * Fails with `optimistic_locking_error` when the caller's If-Match names another revision than this
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   */
  requireRevision(this: object, value: string | number): void
}

/** The context as serializers and shared parts of handlers take it: it can read, and does not fail. */
export type ReadContext = Context<Reader, never>

/** The same for parts of handlers that write. */
export type WriteContext = Context<Writer, never>

/** How values are written in responses. */
export interface ResponseFormat {
  /**
   * Returns a time, integer ms, in the format that the engine is configured for
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
   */
  time(ms: number): Timestamp
}

/** Options of the engine that handlers depend on. */
export interface HandlerOptions {
  /** The account that the engine serves. */
  readonly account: string
  /** The role that writes data exports; undefined where none is configured. */
  readonly dataExportRoleArn: string | undefined
}

/** What the engine takes from its platform: clock, ids, random bytes, hashing and a log. */
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

/** One event in the log of an engine. It contains no secret. */
export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  /** The `X-Request-Id` of the response. */
  readonly requestId?: string
  /** The id of the operation that was called. */
  readonly operation?: string
  /** A sentence for people. */
  readonly message?: string
  /** The error that was thrown. */
  readonly error?: unknown
}
