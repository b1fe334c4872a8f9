import type { Decision } from '../rules/policy/policy.ts'
import type { Storage } from '../storage/port.ts'
import type { Around } from './around.ts'
import type { HandlerOptions, Host, LogEntry } from './context.ts'
import type { Send } from './sender.ts'

/** What a host may say when it makes an engine; every part but `storage` has a default. */
export interface EngineInput {
  readonly storage: Storage
  /** The account that this engine serves; one storage can hold many. Default `default`. */
  readonly account?: string
  /** The present time in integer milliseconds, UTC. Default: the platform's clock. */
  readonly clock?: () => number
  /** Makes ids, each unique for ever. Default: random UUIDs. */
  readonly newId?: () => string
  /** Fresh random bytes in hex, for tokens and secrets. Default: the platform's secure source. */
  readonly randomHex?: (bytes: number) => string
  /** Takes log entries; never given a secret. Default: none are kept. */
  readonly log?: (entry: LogEntry) => void
  /** Runs around every call, e.g. that of `@halyard/opentelemetry`. Default: nothing does. */
  readonly around?: Around
  /** Told of every decision that a policy makes, as it is made: for the coverage of policies in tests. Default: nobody. */
  readonly decided?: (decision: Decision) => void
  /** What answers look like. */
  readonly wire?: {
    /** How points in time that spec.md calls strings are shown (D4). Default `string`. */
    readonly timestamps?: 'string' | 'number'
  }
  /** Names of the version header, the first one shown in messages (D5). Default `SVC-API-Version`. */
  readonly versionHeaders?: readonly [string, ...string[]]
  /** `all` beta operations need the header, only those whose text names it (`declared`), or none (`off`). Default `all`. */
  readonly betaGate?: 'all' | 'declared' | 'off'
  /** `domain-model` values of the media type that announce a semantic patch (D12). Default `svc.semanticpatch`. */
  readonly semanticPatchModels?: readonly string[]
  /** Largest request body over a transport, bytes. Default 1 MiB. */
  readonly bodyLimit?: number
  /**
   * ARN of the AWS role that writes data exports, e.g. `arn:aws:iam::123456789012:role/data-export`: the one that trust
   * policies let in (D28). Default: none, and no trust policy can be generated.
   */
  readonly dataExportRoleArn?: string
  /** Who sends webhooks, or `false` where this engine shall send none. */
  readonly webhooks?:
    | false
    | {
        /**
         * Sends messages to receivers: one that looks at what a name resolves to, or `fetchSender()` where private networks
         * cannot be reached anyway. Default: none, and `engine.deliver` rejects; `webhooks: false` says that this engine shall
         * send nothing, and do the rest of what is due.
         */
        readonly send?: Send
      }
  /** How long the change log is kept, days; older entries go when `compact()` is called. Default: for ever. */
  readonly changeLogDays?: number
  /** How much is remembered between calls where the storage tells what changes, or `false` for nothing at all. */
  readonly remember?: RememberInput | false
  /** Requests allowed over transports in one window, or `false` for no limit (D13). */
  readonly rateLimit?: RateLimitInput | false
  /** How SDKs are served (`engine.sdk`). */
  readonly sdk?: SdkInput
  /**
   * Whether evaluations by this engine (`engine.evaluate`, its evaluators) are counted like those that SDKs report, so that
   * statuses of flags see them. Default false. Written by `deliver()`, `sdk.beat()`, `sdk.flush()` and `close()`.
   */
  readonly countEvaluations?: boolean
}

/** How SDKs are served. */
export interface SdkInput {
  /** How long counts of evaluations may wait in memory before they are written, ms; 0 writes each report. Default 10 000. */
  readonly flushMs?: number
  /** Streams that may be open at once to servers, and as many to clients; one more is answered with 503. Default 10 000. */
  readonly streams?: number
}

/** How much an engine may remember between calls. */
export interface RememberInput {
  /** Bytes of answers to GET requests over transports, 0 for none. Default 32 MiB. */
  readonly answers?: number
  /** Bytes that things read from storage take, about; none of a storage that is in memory itself. 0 for none. Default 32 MiB. */
  readonly documents?: number
}

/** How many requests are answered in a window of time (D13). */
export interface RateLimitInput {
  /** Length of a window, ms. Default 10 000. */
  readonly windowMs?: number
  /** Requests of all callers of the account in a window. Default 100 000. */
  readonly account?: number
  /** Requests of one caller to one operation in a window. Default 20 000. */
  readonly route?: number
  /**
   * Whether the limits are those of all processes on the storage together, which then ask it for portions. Default true
   * where the storage can share, but for one in memory.
   */
  readonly shared?: boolean
}

export interface RateLimit {
  readonly windowMs: number
  readonly account: number
  readonly route: number
  readonly shared: boolean
}

/** The same without gaps: nothing behind this door asks whether an option was given. */
export interface EngineOptions {
  readonly storage: Storage
  readonly handlers: HandlerOptions
  readonly host: Host
  readonly around: Around | undefined
  readonly decided: ((decision: Decision) => void) | undefined
  readonly timestamps: 'string' | 'number'
  readonly versionHeaders: readonly [string, ...string[]]
  readonly betaGate: 'all' | 'declared' | 'off'
  readonly semanticPatchModels: readonly string[]
  readonly bodyLimit: number
  readonly changeLogDays: number | undefined
  readonly remember: Required<RememberInput> | undefined
  readonly rateLimit: RateLimit | undefined
  readonly sdk: Required<SdkInput>
  readonly countEvaluations: boolean
  /** False where it shall send nothing. */
  readonly send: Send | false | undefined
}

/**
 * Fills the gaps of an engine's options.
 *
 * @param platform what to take where the host brings nothing of its own.
 * @throws RangeError naming the option that makes no sense.
 */
export function normaliseOptions(input: EngineInput, platform: Host): EngineOptions {
  if (!input.storage) throw new TypeError('storage: an engine needs a storage')
  const account = input.account ?? 'default'
  if (account.length < 1 || account.length > 256) throw new RangeError('account: must have 1 to 256 characters')
  return {
    storage: input.storage,
    handlers: { account, dataExportRoleArn: roleArn('dataExportRoleArn', input.dataExportRoleArn) },
    host: {
      ...platform,
      now: input.clock ?? platform.now,
      newId: input.newId ?? platform.newId,
      randomHex: input.randomHex ?? platform.randomHex,
      log: input.log ?? platform.log,
    },
    around: input.around,
    decided: input.decided,
    timestamps: input.wire?.timestamps ?? 'string',
    versionHeaders: input.versionHeaders ?? ['SVC-API-Version'],
    betaGate: input.betaGate ?? 'all',
    semanticPatchModels: input.semanticPatchModels ?? ['svc.semanticpatch'],
    bodyLimit: positive('bodyLimit', input.bodyLimit ?? mebibyte),
    changeLogDays: input.changeLogDays === undefined ? undefined : positive('changeLogDays', input.changeLogDays),
    remember: input.remember === false ? undefined : normaliseRemember(input.remember ?? {}),
    rateLimit:
      input.rateLimit === false ? undefined : normaliseRateLimit(input.rateLimit ?? {}, input.storage, account),
    sdk: {
      flushMs: whole('sdk.flushMs', input.sdk?.flushMs ?? 10_000),
      streams: whole('sdk.streams', input.sdk?.streams ?? 10_000),
    },
    countEvaluations: input.countEvaluations ?? false,
    send: input.webhooks === false ? false : input.webhooks?.send,
  }
}

const mebibyte = 1024 * 1024

function normaliseRemember(input: RememberInput): Required<RememberInput> {
  return {
    answers: whole('remember.answers', input.answers ?? 32 * mebibyte),
    documents: whole('remember.documents', input.documents ?? 32 * mebibyte),
  }
}

/** Storages that no other process has: sharing would cost and gain nothing. */
const ofOneProcess: ReadonlySet<string> = new Set(['memory', 'pglite'])

function normaliseRateLimit(input: RateLimitInput, storage: Storage, account: string): RateLimit {
  const canShare = storage.account(account).reserve !== undefined
  if (input.shared === true && !canShare) throw new RangeError('rateLimit.shared: the storage cannot share')
  return {
    windowMs: positive('rateLimit.windowMs', input.windowMs ?? 10_000),
    account: positive('rateLimit.account', input.account ?? 100_000),
    route: positive('rateLimit.route', input.route ?? 20_000),
    shared: input.shared ?? (canShare && !ofOneProcess.has(storage.name)),
  }
}

function roleArn(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/.test(value)) return value
  throw new RangeError(`${name}: must be the ARN of an IAM role, e.g. arn:aws:iam::123456789012:role/data-export`)
}

function positive(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name}: must be a positive integer`)
  return value
}

function whole(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name}: must be 0 or a positive integer`)
  return value
}
