import type { EvaluationContext } from '../rules/evaluation/index.ts'
import type { AccessDetails } from '../rules/policy/access-details.ts'
import type { CompiledPolicy } from '../rules/policy/policy.ts'
import type { Documents, Keys, StoredCollection, Versioned } from '../storage/collection.ts'
import type { JoinedList, JoinedRows } from '../storage/lists/joined-lists.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { Reader } from '../storage/reader.ts'
import type { Writer } from '../storage/writer.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { ApprovedChange } from './approval-pass.ts'
import type { Caller } from './caller.ts'
import type { ChangeListInput, ChangeResult, EnvironmentPath, SimulatedChangeList } from './change-list.ts'
import type { LoggedChange } from './change-log/change-log-entry.ts'
import type { ErrorCode, Fail } from './errors.ts'
import type { RequestOrigin } from './request-origin.ts'
import type { Timestamp } from './schema.ts'

/**
 * The services that a handler may use: storage, caller, clock, and functions that fail the call.
 *
 * Its methods must be called on it (`context.allowed(…)`), which the compiler checks by their `this`. Properties and
 * `fail` may be destructured.
 */
export interface Context<Tx, Code extends ErrorCode> {
  readonly tx: Tx
  readonly fail: Fail<Code>
  readonly caller: Caller
  /** Where the request comes from; undefined for a call in process. */
  readonly origin: RequestOrigin | undefined
  /**
   * Returns the time of the call's arrival: integer ms, UTC. The response is then valid for this call only and is not
   * cached; a handler that only compares a date with the current time calls `hasCome` instead.
   */
  readClock(this: object): number
  /**
   * Returns true when a time (integer ms, UTC) has been reached. A cached response expires when that result would
   * change.
   */
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
  /**
   * Returns true when the caller may do `action` on a resource. When `document` is passed, its attributes are used, and
   * not read from the storage.
   */
  allowed<T extends Versioned, A extends string>(
    this: object,
    action: Action,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document?: T,
  ): Promise<boolean>
  /**
   * Fails with `forbidden` unless the caller may do `action` on a resource. The error contains the reason in process,
   * and the log contains it too.
   */
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
  /** Returns true when a policy selects a change of a change log entry, with the attributes that are stored now. */
  selects(this: object, policy: CompiledPolicy, change: LoggedChange): Promise<boolean>
  /** Records in the change log entry that the call reverts another entry. */
  setReverted(this: object, entryId: string): void
  /** Returns all collections of the account. */
  storedCollections(this: object): readonly StoredCollection[]
  /**
   * Returns the `LocatedDocument` of a change that the change log contains: see `locatedDocument`. The return type is
   * not named, because the type `LocatedDocument` refers to this type.
   */
  undoRules(this: object, change: { readonly kind: string; readonly document: string }): object | undefined
  /** Sets the member and the token that the change log names as the author, for operations without a caller. */
  setAuthor(this: object, author: { readonly memberId: string; readonly tokenId: string }): void
  /** Sets the comment of the change log entry when the request body has no comment. */
  setComment(this: object, text: string): void
  /**
   * Records that reviewers have approved what the call changes in one resource for one environment. Other changes of
   * the call need approval as usual.
   */
  setApproved(this: object, change: ApprovedChange): void
  /**
   * Sets the revision of the response, which becomes its ETag
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   *
   * @param includesOthers true when the response also contains other resources, which change independently, so that an
   *   equal ETag does not imply an equal response. Default false.
   */
  setRevision(this: object, value: string | number, includesOthers?: boolean): void
  /** Sets the header `Location`: the path of the created resource. */
  setLocation(this: object, path: string): void
  /**
   * Fails with `optimistic_locking_error` when the caller's If-Match does not name this revision
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
   */
  requireRevision(this: object, value: string | number): void
  /**
   * Runs other operations one after the other with the rights of the caller, for operations that combine others. Each
   * operation reads the writes of the previous ones. All writes are committed together with the writes of this call.
   *
   * @throws ApiError the error of an operation that fails, with the index and the id of the operation in its message.
   */
  runChanges(this: object, list: ChangeListInput): Promise<readonly ChangeResult[]>
  /**
   * Runs other operations like `runChanges`, as if they were approved, and commits nothing. For operations that combine
   * others.
   */
  simulateChanges(this: object, list: ChangeListInput): Promise<SimulatedChangeList>
  /**
   * Returns the contexts that were evaluated last in an environment, newest first; at most 1,000. The response is then
   * valid for this call only, and is not cached.
   */
  recentContexts(this: object, environment: EnvironmentPath): readonly EvaluationContext[]
  /**
   * Returns the rows of a list that is made of several collections; undefined in calls that write, because the rows do
   * not contain their changes. A response with a page of the rows is valid for this call only, and is not cached.
   */
  joinedRows<ListKeys extends object>(this: object, list: JoinedList<ListKeys>, keys: ListKeys): JoinedRows | undefined
}

/** The context for serializers and for parts of handlers that only read and do not fail. */
export type ReadContext = Context<Reader, never>

/** The context for parts of handlers that write and do not fail. */
export type WriteContext = Context<Writer, never>

/** Format of values in responses. */
export interface ResponseFormat {
  /**
   * Returns a time (integer ms) in the format that the engine is configured for
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
  /** Kinds of the destinations to which the engine can send; undefined where it has no exporters. */
  readonly exporterKinds: readonly string[] | undefined
  /** Keys of the integrations to which links of flags can belong. */
  readonly flagLinkIntegrations: ReadonlySet<string>
  /** Time for which the link of an invitation works, ms. */
  readonly invitationMs: number
  /**
   * Requests work that makes later reads of a storage in memory faster. Undefined for storages that processes share:
   * all of them would do the same work, so their hosts call `compact`. The work begins once there are enough new
   * records.
   */
  readonly runInBackground?: ((work: StorageWork, records: number) => void) | undefined
}

/** Work on the storage of an account that changes no response. */
export type StorageWork = (storage: AccountStorage, host: Host) => Promise<unknown>

/** Services of the platform: clock, ids, random bytes, hashing and a log. */
export interface Host {
  /** Integer milliseconds, UTC. */
  now(): number
  /** Returns a new UUID. */
  newId(): string
  /** Returns new random bytes in hex. */
  randomHex(bytes: number): string
  /** Returns the SHA-256 of a text's UTF-8 bytes, in hex. */
  sha256(text: string): Promise<string>
  /** Resolves in a later turn of the event loop, after other work of the process. */
  nextTurn(): Promise<void>
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
  /** Explanation for operators, as a sentence. */
  readonly message?: string
  /** The error that was thrown. */
  readonly error?: unknown
}
