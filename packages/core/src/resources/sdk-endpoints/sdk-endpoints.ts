import type { Host } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import type { WireRequest } from '../../operation/wire.ts'
import { dataOf } from '../../rules/sdk-protocol/server-messages.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { reader } from '../../storage/reader.ts'
import type { OpenEvaluator } from '../evaluation/evaluator.ts'
import type { Evaluators } from '../evaluation/evaluators.ts'
import { type EvaluationTally, evaluationTally } from '../flag-evaluations/evaluation-tally.ts'
import {
  type CountedEvaluations,
  type EvaluationsQuestion,
  readEvaluations,
} from '../flag-evaluations/read-evaluations.ts'
import { readClientQuery } from './client-query.ts'
import { clientText } from './client-text.ts'
import { OpenStreams } from './open-streams.ts'
import { type Payloads, payloads } from './payloads.ts'
import { passOver } from './read-body.ts'
import { readReport } from './read-report.ts'
import { accepted, json, type SdkAnswer } from './sdk-answer.ts'
import { type KeyKind, type KnownKey, type SdkKeys, sdkKeys } from './sdk-keys.ts'
import { type SdkRoute, sdkRoute } from './sdk-routes.ts'

/** What a host may say about SDKs. */
export interface SdkOptions {
  /** How long counts of evaluations may wait in memory, ms. */
  readonly flushMs: number
  /** Streams that may be open at once to servers, and to clients. */
  readonly streams: number
}

/** A request of an SDK, before anything of it was looked at but its path. */
export interface SdkRequest {
  /** Whether pages of all origins may ask: what browsers are told is told to everybody. */
  readonly anyOrigin: boolean
  /** The method that the path knows. */
  readonly method: string
  /** @throws ApiError for what is refused; whatever storage throws. */
  answer(): Promise<SdkAnswer>
}

/** What answers the SDKs of the environments of an account. */
export interface SdkEndpoints {
  /** Undefined for a path that is none of an SDK. */
  find(request: WireRequest): SdkRequest | undefined
  evaluations(question: EvaluationsQuestion): Promise<CountedEvaluations[]>
  beat(): Promise<void>
  /** Takes in what evaluators have counted, and writes what has waited long enough. Never rejects. */
  writeCounts(): Promise<void>
  flush(): Promise<void>
  /** Streams that are open. */
  streams(): number
  endStreams(): void
  forget(): void
  stop(): Promise<void>
}

/** Traffic makes the streams beat where nobody else does, that often: ms. */
const beatMs = 30_000

/** Characters of a key; longer ones are none. */
const longestKey = 512

/** Bytes that an SDK may tell of things that are not counted. */
const mostDiagnosticBytes = 1024 * 1024

/** Makes what answers SDKs; nothing is read before the first of them asks. */
export function sdkEndpoints(
  storage: AccountStorage,
  host: Host,
  evaluating: Evaluators,
  options: SdkOptions,
): SdkEndpoints {
  return new AccountSdkEndpoints(storage, host, evaluating, options)
}

class AccountSdkEndpoints implements SdkEndpoints {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #evaluating: Evaluators
  readonly #payloads: Payloads
  readonly #streams: OpenStreams
  readonly #keys: SdkKeys
  readonly #tally: EvaluationTally
  #lastBeat = Number.NEGATIVE_INFINITY

  constructor(storage: AccountStorage, host: Host, evaluating: Evaluators, options: SdkOptions) {
    this.#storage = storage
    this.#host = host
    this.#evaluating = evaluating
    this.#payloads = payloads(host)
    this.#streams = new OpenStreams(this.#payloads, options.streams)
    this.#tally = evaluationTally(storage, host, options.flushMs)
    this.#keys = sdkKeys(
      storage,
      host,
      () => !this.#streams.isEmpty,
      () => this.#streams.endUnless((key) => this.#keys.holds(key)),
    )
  }

  find(request: WireRequest): SdkRequest | undefined {
    const route = sdkRoute(request.path)
    if (!route) return undefined
    const anyOrigin = route.key === 'environmentId'
    return { anyOrigin, method: route.method, answer: () => this.#answer(request, route) }
  }

  evaluations(question: EvaluationsQuestion): Promise<CountedEvaluations[]> {
    return readEvaluations(reader(this.#storage), question)
  }

  async beat(): Promise<void> {
    this.#beatStreams()
    await this.writeCounts()
  }

  writeCounts(): Promise<void> {
    this.#collectCounts()
    return this.#tally.flushIfDue()
  }

  flush(): Promise<void> {
    this.#collectCounts()
    return this.#tally.flush()
  }

  streams(): number {
    return this.#streams.count('servers') + this.#streams.count('clients')
  }

  endStreams(): void {
    this.#streams.endAll()
  }

  forget(): void {
    this.#keys.forget()
    // What the streams were sent is compared with what is read now.
    this.#beatStreams()
  }

  async stop(): Promise<void> {
    this.#streams.stop()
    await this.flush().catch((error) => this.#host.log({ level: 'error', event: 'evaluations-lost', error }))
    await this.#keys.stop()
  }

  #beatStreams(): void {
    this.#lastBeat = this.#host.now()
    this.#keys.beat()
    this.#streams.beat(this.#lastBeat)
  }

  #collectCounts(): void {
    const at = this.#host.now()
    for (const { place, evaluations } of this.#evaluating.takeCounts()) {
      this.#tally.add(place, { id: undefined, trusted: true, at, evaluations })
    }
  }

  async #authenticate({ header }: WireRequest, { key: kind, params }: SdkRoute): Promise<KnownKey> {
    const keys = this.#keys
    if (kind === 'environmentId') return (await keys.find(kind, params.environment as string)) ?? fail('not_found')
    const given = header('authorization')?.replace(/^(?:api_key|Bearer) /i, '') ?? ''
    const known = given.length > 0 && given.length <= longestKey ? await keys.find(kind, given) : undefined
    return known ?? fail('unauthorized', { message: 'Invalid SDK key' })
  }

  async #answer(request: WireRequest, route: SdkRoute): Promise<SdkAnswer> {
    if (this.#host.now() - this.#lastBeat >= beatMs) this.#beatStreams()
    const key = await this.#authenticate(request, route)
    if (route.task === 'goals') return json('[]')
    if (route.task === 'diagnostic') {
      await passOver(request, mostDiagnosticBytes)
      return accepted
    }
    const opened = this.#evaluating.opened(key.place)
    await opened.evaluator.ready()
    return this.#answerFrom(opened, key, request, route)
  }

  async #answerFrom(opened: OpenEvaluator, key: KnownKey, request: WireRequest, route: SdkRoute): Promise<SdkAnswer> {
    const ruleset = opened.evaluator.ruleset ?? fail('not_found')
    switch (route.task) {
      case 'all-stream':
        return this.#streams.respond(opened, key, this.#keys, 'servers', (streams, sink) =>
          streams.openServer(key, sink),
        )
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
        const question = await readClientQuery(this.#host, request, route, opened)
        return this.#streams.respond(opened, key, this.#keys, 'clients', (streams, sink) =>
          streams.openClient(key, question, sink),
        )
      }
      case 'values':
        return json(clientText(opened.evaluator, await readClientQuery(this.#host, request, route, opened)))
      default:
        return this.#addReport(opened, key, request, route)
    }
  }

  async #addReport(opened: OpenEvaluator, key: KnownKey, request: WireRequest, route: SdkRoute): Promise<SdkAnswer> {
    const knows = (flagKey: string) => seenBy(route.key, opened, flagKey)
    this.#tally.add(key.place, await readReport(request, this.#host.now(), route.key === 'server', knows))
    await this.#tally.flushIfDue()
    return accepted
  }
}

/** Whether an SDK that has this kind of key can have evaluated a flag. */
function seenBy(kind: KeyKind, { evaluator }: OpenEvaluator, flagKey: string): boolean {
  const data = evaluator.ruleset?.flags.get(flagKey)?.data
  if (!data || kind === 'server') return data !== undefined
  const { usingMobileKey, usingEnvironmentId } = data.clientSideAvailability ?? {}
  return (kind === 'mobile' ? usingMobileKey : usingEnvironmentId) === true
}
