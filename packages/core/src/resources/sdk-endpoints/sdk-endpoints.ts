import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { EvaluationContext } from '../../rules/evaluation/subject.ts'
import { keysOfContext } from '../../rules/sdk-protocol/sdk-events.ts'
import { dataOf } from '../../rules/sdk-protocol/server-messages.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { EvaluatorHandle } from '../evaluation/evaluator.ts'
import type { Evaluators } from '../evaluation/evaluators.ts'
import { evaluationConsumer } from '../flag-evaluations/evaluation-consumer.ts'
import { type EvaluationCount, type EvaluationsQuery, readEvaluations } from '../flag-evaluations/read-evaluations.ts'
import type { EventConsumer, EventReport } from '../sdk-events/event-consumer.ts'
import { type EventIntake, eventIntake } from '../sdk-events/event-intake.ts'
import { countsReport, ownReport, trackedReport } from '../sdk-events/own-report.ts'
import type { TrackedEvent } from '../sdk-events/tracked-event.ts'
import { isAvailableTo } from './available-flags.ts'
import { type ClientParts, readClientQuery } from './client-query.ts'
import { clientText } from './client-text.ts'
import { readGoals } from './goals.ts'
import { ofrepFlag, ofrepFlags } from './ofrep.ts'
import { OpenStreams } from './open-streams.ts'
import { type Payloads, payloads } from './payloads.ts'
import { discardBody } from './read-body.ts'
import { readReport } from './read-report.ts'
import type { RelayStreams } from './relays/relay-streams.ts'
import { type KeyKind, type SdkKeys, sdkKeys, type VerifiedKey } from './sdk-keys.ts'
import { accepted, json, type SdkResponse, withMaxAge } from './sdk-response.ts'
import { isForAnyOrigin, isPolled, type RouteKey, type SdkRoute, sdkRoute } from './sdk-routes.ts'

/** The key of a client. */
interface ClientKey {
  readonly kind: KeyKind
  readonly key: VerifiedKey
}

const keyKinds: readonly KeyKind[] = ['server', 'mobile', 'environmentId']

/** Options of a host for SDKs. */
export interface SdkOptions {
  /** Maximum time for which events of SDKs stay in memory, in ms. */
  readonly flushMs: number
  /**
   * Maximum number of open streams of server-side SDKs. The same maximum applies separately to streams of client-side
   * SDKs and of relays.
   */
  readonly streams: number
  /** Returns the key that SDKs use in place of one that an environment stores. Default: the stored one. */
  readonly keyOf?: (stored: string) => Promise<string>
}

/** A request of an SDK. Only its path has been examined. */
export interface SdkRequest {
  /** True when pages of all origins may send it, because its data is public. */
  readonly anyOrigin: boolean
  /** The method of the path. */
  readonly method: string
  /** @throws ApiError for a rejected request; any error of the storage. */
  respond(): Promise<SdkResponse>
}

/** Handles the requests of SDKs for the environments of an account. */
export interface SdkEndpoints {
  /** Returns undefined for a path that is not one of SDKs. */
  find(request: EngineRequest): SdkRequest | undefined
  evaluations(query: EvaluationsQuery): Promise<EvaluationCount[]>
  /** Adds an event of this process. */
  track(environmentKeys: EnvironmentKeys, event: TrackedEvent): void
  /** Adds a report of events of this process, for example those that were collected before the endpoints existed. */
  add(environmentKeys: EnvironmentKeys, report: EventReport): void
  beat(): Promise<void>
  /** Collects the counts of the evaluators, and writes them when the interval has passed. Never rejects. */
  writeCounts(): Promise<void>
  flush(): Promise<void>
  /** Number of open streams. */
  streams(): number
  endStreams(): void
  clear(): void
  stop(): Promise<void>
}

/** Interval after which a request triggers the heartbeats of streams, when the host does not, in ms. */
const beatMs = 30_000

/** Maximum length of a key in characters. */
const maxKeyLength = 512

/** Maximum size of reports that are discarded, in bytes. */
const maxDiagnosticBytes = 1024 * 1024

/**
 * Makes the endpoints for SDKs. Nothing is read before the first request.
 *
 * @param eventConsumers consumers of the events that SDKs send, in addition to the consumer that counts evaluations.
 */
export function sdkEndpoints(
  storage: AccountStorage,
  host: Host,
  evaluators: Evaluators,
  options: SdkOptions,
  eventConsumers: readonly EventConsumer[] = [],
): SdkEndpoints {
  return new AccountSdkEndpoints({ storage, host, evaluators, options, eventConsumers })
}

/** The parts of an engine that the endpoints need. */
interface SdkEndpointsParts {
  readonly storage: AccountStorage
  readonly host: Host
  readonly evaluators: Evaluators
  readonly options: SdkOptions
  readonly eventConsumers: readonly EventConsumer[]
}

class AccountSdkEndpoints implements SdkEndpoints {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #evaluators: Evaluators
  readonly #payloads: Payloads
  readonly #streams: OpenStreams
  readonly #keys: SdkKeys
  readonly #intake: EventIntake
  readonly #options: SdkOptions
  /** Made at the first request of a relay. */
  #relays: RelayStreams | undefined
  #isStopped = false
  #lastBeat = Number.NEGATIVE_INFINITY

  constructor({ storage, host, evaluators, options, eventConsumers }: SdkEndpointsParts) {
    this.#storage = storage
    this.#host = host
    this.#evaluators = evaluators
    this.#options = options
    this.#payloads = payloads(host)
    this.#streams = new OpenStreams(this.#payloads, options.streams)
    this.#intake = eventIntake(storage, host, {
      consumers: [evaluationConsumer, ...eventConsumers],
      flushMs: options.flushMs,
    })
    evaluators.sendEvents({
      expose: (keys, exposure) => this.add(keys, ownReport(exposure.at, exposure)),
      track: (keys, event) => this.track(keys, event),
    })
    this.#keys = sdkKeys(storage, host, {
      isNeeded: () => !this.#streams.isEmpty,
      onChange: () => this.#streams.endUnless((key) => this.#keys.isValid(key)),
      keyOf: options.keyOf,
    })
  }

  find(request: EngineRequest): SdkRequest | undefined {
    const route = sdkRoute(request.path)
    if (!route) return undefined
    return { anyOrigin: isForAnyOrigin(route), method: route.method, respond: () => this.#respond(request, route) }
  }

  evaluations(query: EvaluationsQuery): Promise<EvaluationCount[]> {
    return readEvaluations(new StorageReader(this.#storage), query)
  }

  track(environmentKeys: EnvironmentKeys, event: TrackedEvent): void {
    this.add(environmentKeys, trackedReport(this.#host, event))
  }

  add(environmentKeys: EnvironmentKeys, report: EventReport): void {
    this.#intake.add(environmentKeys, report)
  }

  async beat(): Promise<void> {
    this.#beatStreams()
    await this.writeCounts()
  }

  writeCounts(): Promise<void> {
    this.#collectCounts()
    return this.#intake.flushIfDue()
  }

  flush(): Promise<void> {
    this.#collectCounts()
    return this.#intake.flush()
  }

  streams(): number {
    return this.#streams.count('servers') + this.#streams.count('clients') + (this.#relays?.count ?? 0)
  }

  endStreams(): void {
    this.#streams.endAll()
    this.#relays?.endAll()
  }

  clear(): void {
    this.#keys.clear()
    this.#relays?.clear()
    // Compares the data that streams have sent with the data that is read now.
    this.#beatStreams()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#streams.stop()
    await this.flush().catch((error) => this.#host.log({ level: 'error', event: 'events-lost', error }))
    await Promise.all([this.#keys.stop(), this.#relays?.stop()])
  }

  #beatStreams(): void {
    this.#lastBeat = this.#host.now()
    this.#keys.beat()
    this.#streams.beat(this.#lastBeat)
    this.#relays?.beat(this.#lastBeat)
  }

  #collectCounts(): void {
    for (const counts of this.#evaluators.takeCounts()) this.add(counts.keys, countsReport(this.#host, counts))
  }

  async #authenticate(request: EngineRequest, { key: kind, params }: SdkRoute): Promise<ClientKey> {
    if (kind === 'environmentId') {
      return { kind, key: (await this.#keys.find(kind, params.environment as string)) ?? fail('not_found') }
    }
    const sentKey = keyIn(request)
    if (sentKey !== undefined) {
      for (const candidate of candidatesOf(kind)) {
        const key = await this.#keys.find(candidate, sentKey)
        if (key) return { kind: candidate, key }
      }
    }
    return fail('unauthorized', { message: 'Invalid SDK key' })
  }

  async #respondToRelay(request: EngineRequest): Promise<SdkResponse> {
    const sentKey = keyIn(request)
    // Relay keys of the account are not valid in a branch, where SDKs use other keys.
    const isRelayKey = sentKey !== undefined && this.#options.keyOf === undefined
    if (!isRelayKey) return fail('unauthorized', { message: 'Invalid relay key' })
    const { RelayStreams } = await import('./relays/relay-streams.ts')
    // The engine may have been stopped during the import.
    if (this.#isStopped) return fail('service_unavailable')
    this.#relays ??= new RelayStreams(this.#storage, this.#host, this.#options.streams)
    return this.#relays.respond(sentKey)
  }

  async #respond(request: EngineRequest, route: SdkRoute): Promise<SdkResponse> {
    if (this.#host.now() - this.#lastBeat >= beatMs) this.#beatStreams()
    if (route.task === 'relay-stream') return this.#respondToRelay(request)
    const client = await this.#authenticate(request, route)
    if (route.task === 'goals') {
      const goals = await readGoals(new StorageReader(this.#storage), client.key.environmentRef.projectKey)
      return json(JSON.stringify(goals))
    }
    if (route.task === 'diagnostic') {
      await discardBody(request, maxDiagnosticBytes)
      return accepted
    }
    const handle = this.#evaluators.handleOf(client.key.environmentRef)
    await handle.evaluator.ready()
    const response = await this.#respondFrom(handle, client, request, route)
    return isPolled(route) ? withMaxAge(response, handle.cached.content()?.environment.defaultTtl ?? 0) : response
  }

  async #respondFrom(
    handle: EvaluatorHandle,
    client: ClientKey,
    request: EngineRequest,
    route: SdkRoute,
  ): Promise<SdkResponse> {
    const { key } = client
    const ruleset = handle.evaluator.ruleset ?? fail('not_found')
    switch (route.task) {
      case 'all-stream':
        return this.#streams.respond(handle, key, this.#keys, {
          kind: 'servers',
          open: (streams, sink) => streams.openServer(key, sink),
        })
      case 'all': {
        const payload = this.#payloads.of(ruleset)
        return { ...json(payload.text), etag: await payload.etag() }
      }
      case 'flags':
      case 'segments': {
        const data = dataOf(ruleset, route.task)
        const { key: name } = route.params
        return json(JSON.stringify(name === undefined ? data : (data[name] ?? fail('not_found'))))
      }
      case 'values-stream': {
        const query = await readClientQuery(request, route, this.#partsOf(handle, client))
        return this.#streams.respond(handle, key, this.#keys, {
          kind: 'clients',
          open: (streams, sink) => streams.openClient(key, query, sink),
        })
      }
      case 'values':
        return json(clientText(handle.evaluator, await readClientQuery(request, route, this.#partsOf(handle, client))))
      case 'ofrep-flags':
        return this.#evaluateAll(handle, client, request)
      case 'ofrep-flag':
        return this.#evaluateOne(handle, client, request, route.params.key as string)
      case 'ofrep-changes':
        return this.#streams.respond(handle, key, this.#keys, {
          kind: 'clients',
          open: (streams, sink) => streams.openChanges(key, sink),
        })
      default:
        return this.#addReport(handle, client, request)
    }
  }

  #partsOf(handle: EvaluatorHandle, { key, kind }: ClientKey): ClientParts {
    return { handle, kind, serverKeys: () => this.#keys.serverKeys(key.environmentRef) }
  }

  async #evaluateAll(handle: EvaluatorHandle, client: ClientKey, request: EngineRequest): Promise<SdkResponse> {
    const { response, context } = await ofrepFlags(this.#host, { request, ...this.#partsOf(handle, client) })
    this.#identify(client.key, context)
    await this.#intake.flushIfDue()
    return response
  }

  /** Records the context of a request, because the client does not report its context. */
  #identify({ environmentRef }: VerifiedKey, context: EvaluationContext | undefined): void {
    const at = this.#host.now()
    const contextKeys = context && keysOfContext(context)
    if (context && contextKeys) {
      this.#intake.add(environmentRef, ownReport(at, { kind: 'identify', at, contextKeys, context }))
    }
  }

  /** Counts the evaluation, because the client does not report it. */
  async #evaluateOne(
    handle: EvaluatorHandle,
    client: ClientKey,
    request: EngineRequest,
    flagKey: string,
  ): Promise<SdkResponse> {
    const { key } = client
    const { response, served, context } = await ofrepFlag({ request, ...this.#partsOf(handle, client) }, flagKey)
    this.#identify(key, context)
    if (served === undefined) return response
    const at = this.#host.now()
    const evaluations = [{ flagKey, variation: served, count: 1, at }]
    this.#intake.add(key.environmentRef, ownReport(at, { kind: 'summary', evaluations }))
    await this.#intake.flushIfDue()
    return response
  }

  async #addReport(handle: EvaluatorHandle, { key, kind }: ClientKey, request: EngineRequest): Promise<SdkResponse> {
    const isKnownFlag = (flagKey: string) => isAvailableTo(kind, handle, flagKey)
    const report = await readReport(request, this.#host.now(), kind === 'server', isKnownFlag)
    for (const event of report.events) if ('context' in event && event.context) handle.recent.add(event.context)
    this.#intake.add(key.environmentRef, report)
    await this.#intake.flushIfDue()
    return accepted
  }
}

/**
 * Returns the key that a request contains; undefined for a request without a key, or with a key that is longer than any
 * valid key.
 */
function keyIn({ header }: EngineRequest): string | undefined {
  const key = (header('authorization') ?? header('x-api-key'))?.replace(/^(?:api_key|Bearer) /i, '') ?? ''
  return key.length > 0 && key.length <= maxKeyLength ? key : undefined
}

/** Returns the kinds of SDK keys that a path accepts. */
function candidatesOf(kind: RouteKey): readonly KeyKind[] {
  if (kind === 'any') return keyKinds
  return kind === 'relay' ? [] : [kind]
}
