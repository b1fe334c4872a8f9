import type { Decision } from '../rules/policy/policy.ts'
import type { Storage } from '../storage/port.ts'
import { type CacheInput, type EngineCacheLimits, normalizeCache, type SharedCache } from './cache-limits.ts'
import type { HandlerOptions, Host, LogEntry } from './context.ts'
import type { Exporter } from './exporter.ts'
import type { Hooks } from './hooks.ts'
import { flagLinkIntegrations, type Integration } from './integration.ts'
import type { Interceptor } from './interceptor.ts'
import type { Send } from './sender.ts'

/** Options of an engine; all but `storage` have a default. */
export interface EngineInput {
  readonly storage: Storage
  /** The account that this engine serves; one storage can hold many. Default `default`. */
  readonly account?: string
  /** Returns the current time: integer milliseconds, UTC. Default: the platform's clock. */
  readonly clock?: () => number
  /** Returns an id that is unique forever. Default: a random UUID. */
  readonly newId?: () => string
  /** Returns random bytes in hex, for tokens and secrets. Default: from the platform's secure source. */
  readonly randomHex?: (bytes: number) => string
  /** Receives log entries, which contain no secret. Default: they are discarded. */
  readonly log?: (entry: LogEntry) => void
  /** Wraps every call, e.g. the interceptor of `@halyard/opentelemetry`. Default: calls are not wrapped. */
  readonly intercept?: Interceptor
  /**
   * Functions that the engine calls before and after each commit (docs/guide/hooks.md). Several hooks are called in the
   * order of the list. Default: no hooks.
   */
  readonly hooks?: Hooks | readonly Hooks[]
  /**
   * Receives every decision of a policy, for the coverage of policies in tests. Default: decisions are not reported.
   */
  readonly onDecision?: (decision: Decision) => void
  /**
   * Format of responses. `specification`: exactly as specified. `reference`: the types that the public clients expect;
   * the engine then also accepts their headers and media types
   * (docs/decisions/0065-reshape-responses-for-the-public-clients.md). `{ timestamps }`: as specified, except for the
   * type of times that the specification has as strings
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps). Default `specification`.
   */
  readonly wire?: 'specification' | 'reference' | { readonly timestamps?: 'string' | 'number' }
  /**
   * Names of the version header; messages show the first name
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d5-version-header). Default `SVC-API-Version`, with
   * `wire: 'reference'` also `LD-API-Version`.
   */
  readonly versionHeaders?: readonly [string, ...string[]]
  /**
   * Beta operations that need the header. `all`: all of them; `declared`: only operations whose text in the reference
   * documentation names the header; `off`: none. Default: `all`; with `wire: 'reference'`, `declared`.
   */
  readonly betaGate?: 'all' | 'declared' | 'off'
  /**
   * Values of `domain-model` in the media type that identify a semantic patch
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch). Default `svc.semanticpatch`,
   * with `wire: 'reference'` every name that ends in `.semanticpatch`.
   */
  readonly semanticPatchModels?: readonly string[]
  /** Maximum size of a request body over a transport, bytes. Default 1 MiB. */
  readonly bodyLimit?: number
  /**
   * ARN of the AWS role that writes data exports, e.g. `arn:aws:iam::123456789012:role/data-export`. Generated trust
   * policies grant access to this role (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d28-trust-policies).
   * Without this option, no trust policy can be generated.
   */
  readonly dataExportRoleArn?: string
  /**
   * Sends data to destinations, one exporter for each kind: those of `@halyard/data-export`, or your own. With this
   * option, destinations of other kinds are refused. With `[]`, the engine only stores the data to be sent, and another
   * engine on the same storage must send it. Without this option, nothing is stored for destinations.
   */
  readonly exporters?: readonly Exporter[]
  /**
   * Integrations of the host. A link of a flag can belong to an integration whose manifest has the capability
   * `flagLink`. Default: no integrations.
   */
  readonly integrations?: readonly Integration[]
  /** The sender of webhooks, or `false` when this engine must not send any. */
  readonly webhooks?:
    | false
    | {
        /**
         * Sends messages to receivers. Use a sender that checks the addresses to which a host name resolves, or
         * `fetchSender()` in an environment that cannot reach private networks. Default: none: `engine.runDueTasks`
         * runs all other tasks and reports that deliveries wait. With `webhooks: false` it does not report them.
         */
        readonly send?: Send
      }
  /** Time for which the link of an invitation works, days. Default 7. */
  readonly invitationDays?: number
  /** Retention of the change log, days; `compact()` removes older entries. Default: entries are never removed. */
  readonly changeLogDays?: number
  /**
   * Caches between calls, which need a storage that reports changes, or `false` to cache nothing. Engines that are
   * given the same result of `createCache` share its limits.
   */
  readonly cache?: CacheInput | SharedCache | false
  /**
   * Requests allowed over transports in one window, or `false` for no limit
   * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d13-rate-limit).
   */
  readonly rateLimit?: RateLimitInput | false
  /** Options of the SDK endpoints (`engine.sdk`). */
  readonly sdk?: SdkInput
  /**
   * Counts evaluations by this engine (`engine.evaluate`, its evaluators) like those that SDKs report, so that flag
   * statuses include them. Default false. `runDueTasks()`, `sdk.beat()`, `sdk.flush()` and `close()` write the counts.
   */
  readonly countEvaluations?: boolean
}

/** Options of the SDK endpoints. */
export interface SdkInput {
  /** Maximum time for which events wait in memory, ms; 0 writes each report immediately. Default 10 000. */
  readonly flushMs?: number
  /**
   * Maximum number of open streams for each of three kinds of clients: server-side SDKs, client-side SDKs, and relays.
   * A further stream is refused with 503. Default 10 000.
   */
  readonly streams?: number
}

/**
 * Maximum number of requests in a window of time
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d13-rate-limit).
 */
export interface RateLimitInput {
  /** Length of a window, ms. Default 10 000. */
  readonly windowMs?: number
  /** Maximum number of requests of all callers of the account in a window. Default 100 000. */
  readonly account?: number
  /** Maximum number of requests of one caller to one operation in a window. Default 20 000. */
  readonly route?: number
  /**
   * True when all processes on the storage share the limits. Each process then leases parts of the limits from the
   * storage. Default true, if the storage supports it and several processes can use the storage.
   */
  readonly shared?: boolean
}

export interface RateLimit {
  readonly windowMs: number
  readonly account: number
  readonly route: number
  readonly shared: boolean
}

/** The options with every default filled in. */
export interface EngineOptions {
  readonly storage: Storage
  readonly handlers: HandlerOptions
  readonly host: Host
  readonly intercept: Interceptor | undefined
  readonly hooks: readonly Hooks[]
  readonly onDecision: ((decision: Decision) => void) | undefined
  readonly timestamps: 'string' | 'number'
  /** True when responses have the types of the public clients. */
  readonly hasReferenceProfile: boolean
  readonly versionHeaders: readonly [string, ...string[]]
  readonly betaGate: 'all' | 'declared' | 'off'
  /** `any` means all names that end in `.semanticpatch`. */
  readonly semanticPatchModels: readonly string[] | 'any'
  readonly bodyLimit: number
  readonly changeLogDays: number | undefined
  readonly cache: EngineCacheLimits | undefined
  readonly rateLimit: RateLimit | undefined
  readonly sdk: Required<SdkInput> & {
    /** Returns the key that SDKs must use in place of a stored key. Default: the stored key. */
    readonly keyOf?: (stored: string) => Promise<string>
  }
  readonly countEvaluations: boolean
  readonly exporters: readonly Exporter[] | undefined
  /** False when the engine must not send anything. */
  readonly send: Send | false | undefined
}

/**
 * Fills in the defaults of an engine's options.
 *
 * @param platform the defaults of clock, ids, random bytes and log.
 * @throws RangeError naming the option that is invalid.
 */
export function normalizeOptions(input: EngineInput, platform: Host): EngineOptions {
  if (!input.storage) throw new TypeError('storage: must be present')
  const account = input.account ?? 'default'
  if (account.length < 1 || account.length > 256) throw new RangeError('account: must have 1 to 256 characters')
  // Accounts with such names contain branches (docs/decisions/0095-keep-a-branch-in-an-account-of-its-own.md).
  if (/^halyard-branch(es)?:/.test(account)) throw new RangeError('account: must not start with `halyard-branch`')
  return {
    storage: input.storage,
    handlers: {
      account,
      dataExportRoleArn: roleArn('dataExportRoleArn', input.dataExportRoleArn),
      exporterKinds: exporterKinds(input.exporters),
      flagLinkIntegrations: flagLinkIntegrations(input.integrations ?? []),
      invitationMs: positive('invitationDays', input.invitationDays ?? 7) * dayMs,
    },
    host: {
      ...platform,
      now: input.clock ?? platform.now,
      newId: input.newId ?? platform.newId,
      randomHex: input.randomHex ?? platform.randomHex,
      log: input.log ?? platform.log,
    },
    intercept: input.intercept,
    hooks: normalizeHooks(input.hooks ?? []),
    onDecision: input.onDecision,
    ...normalizeFormat(input),
    bodyLimit: positive('bodyLimit', input.bodyLimit ?? mebibyte),
    changeLogDays: input.changeLogDays === undefined ? undefined : positive('changeLogDays', input.changeLogDays),
    cache: input.cache === false ? undefined : normalizeCache(input.cache),
    rateLimit:
      input.rateLimit === false ? undefined : normalizeRateLimit(input.rateLimit ?? {}, input.storage, account),
    sdk: {
      flushMs: nonNegative('sdk.flushMs', input.sdk?.flushMs ?? 10_000),
      streams: nonNegative('sdk.streams', input.sdk?.streams ?? 10_000),
    },
    countEvaluations: input.countEvaluations ?? false,
    exporters: input.exporters,
    send: input.webhooks === false ? false : input.webhooks?.send,
  }
}

function normalizeHooks(input: Hooks | readonly Hooks[]): readonly Hooks[] {
  const list = Array.isArray(input) ? input : [input]
  for (const hooks of list) {
    if (hooks.timeoutMs !== undefined) positive('hooks.timeoutMs', hooks.timeoutMs)
    for (const name of ['beforeCommit', 'afterCommit'] as const) {
      if (hooks[name] !== undefined && typeof hooks[name] !== 'function')
        throw new RangeError(`hooks.${name}: must be a function`)
    }
  }
  return list
}

type FormatOptions = Pick<
  EngineOptions,
  'timestamps' | 'hasReferenceProfile' | 'versionHeaders' | 'betaGate' | 'semanticPatchModels'
>

function normalizeFormat({ wire = 'specification', ...input }: EngineInput): FormatOptions {
  if (typeof wire === 'string' && wire !== 'specification' && wire !== 'reference')
    throw new RangeError('wire: must be specification or reference')
  const hasReferenceProfile = wire === 'reference'
  const timestamps =
    typeof wire === 'object' ? (wire.timestamps ?? 'string') : hasReferenceProfile ? 'number' : 'string'
  return {
    timestamps,
    hasReferenceProfile,
    versionHeaders:
      input.versionHeaders ?? (hasReferenceProfile ? ['SVC-API-Version', 'LD-API-Version'] : ['SVC-API-Version']),
    betaGate: input.betaGate ?? (hasReferenceProfile ? 'declared' : 'all'),
    semanticPatchModels: input.semanticPatchModels ?? (hasReferenceProfile ? 'any' : ['svc.semanticpatch']),
  }
}

const mebibyte = 1024 * 1024

const dayMs = 24 * 60 * 60 * 1000

/** Storages that only one process uses. Sharing limits through such a storage would take time without a benefit. */
const singleProcessStorages: ReadonlySet<string> = new Set(['memory', 'pglite'])

function normalizeRateLimit(input: RateLimitInput, storage: Storage, account: string): RateLimit {
  const canShare = storage.account(account).reserve !== undefined
  if (input.shared === true && !canShare)
    throw new RangeError('rateLimit.shared: must not be true, because the storage does not support quota leases')
  return {
    windowMs: positive('rateLimit.windowMs', input.windowMs ?? 10_000),
    account: positive('rateLimit.account', input.account ?? 100_000),
    route: positive('rateLimit.route', input.route ?? 20_000),
    shared: input.shared ?? (canShare && !singleProcessStorages.has(storage.name)),
  }
}

function roleArn(name: string, value: string | undefined): string | undefined {
  if (value === undefined || /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,576}$/.test(value)) return value
  throw new RangeError(`${name}: must be the ARN of an IAM role, e.g. arn:aws:iam::123456789012:role/data-export`)
}

function exporterKinds(exporters: readonly Exporter[] | undefined): readonly string[] | undefined {
  const kinds = exporters?.map(({ kind }) => kind)
  const repeated = kinds?.find((kind, index) => kinds.indexOf(kind) < index)
  if (repeated !== undefined) throw new RangeError(`exporters: must have at most 1 exporter of the kind ${repeated}`)
  return kinds
}

function positive(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name}: must be a positive integer`)
  return value
}

function nonNegative(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${name}: must be 0 or a positive integer`)
  return value
}
