import { type Environment, sdkKeysAt } from '../../models/environments/environment.ts'
import type { Host } from '../../operation/context.ts'
import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { LiveResponse, StreamSink } from '../../operation/live-response.ts'
import type { EvaluationContext } from '../../rules/evaluation/index.ts'
import { isSameSecret, secureModeHash } from '../../rules/sdk-protocol/secure-mode.ts'
import { dataOf } from '../../rules/sdk-protocol/server-messages.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { OpenEvaluator } from '../evaluation/evaluator.ts'
import type { Evaluators } from '../evaluation/evaluators.ts'
import { evaluationTally } from '../flag-evaluations/evaluation-tally.ts'
import {
  type CountedEvaluations,
  type EvaluationsQuestion,
  readEvaluations,
} from '../flag-evaluations/read-evaluations.ts'
import { type ClientQuestion, clientText } from './client-text.ts'
import { type EnvironmentStreams, environmentStreams } from './environment-streams.ts'
import { payloads } from './payloads.ts'
import { passOver } from './read-body.ts'
import { readContext } from './read-context.ts'
import { readReport } from './read-report.ts'
import { type KeyKind, type KnownKey, sdkKeys } from './sdk-keys.ts'
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
  respond(): Promise<SdkAnswer>
}

/** An answer to an SDK. */
export interface SdkAnswer extends LiveResponse {
  /** The revision that it shows. */
  readonly etag?: string
}

/** What answers the SDKs of the environments of an account. */
export interface SdkEndpoints {
  /** Undefined for a path that is none of an SDK. */
  find(request: EngineRequest): SdkRequest | undefined
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
  const open = new Map<OpenEvaluator, EnvironmentStreams>()
  const written = payloads(host)
  const tally = evaluationTally(storage, host, options.flushMs)
  const streams = (kind: 'servers' | 'clients') => [...open.values()].reduce((sum, one) => sum + one[kind], 0)
  const keys = sdkKeys(
    storage,
    host,
    () => open.size > 0,
    () => {
      for (const one of [...open.values()]) one.endUnless(keys.holds)
    },
  )
  let stopped = false
  let beaten = Number.NEGATIVE_INFINITY

  function beatStreams(): void {
    beaten = host.now()
    keys.beat()
    for (const one of [...open.values()]) one.beat(beaten)
  }

  function collect(): void {
    const at = host.now()
    for (const { place, evaluations } of evaluating.takeCounts()) {
      tally.add(place, { id: undefined, trusted: true, at, evaluations })
    }
  }

  function flush(): Promise<void> {
    collect()
    return tally.flush()
  }

  function writeCounts(): Promise<void> {
    collect()
    return tally.flushIfDue()
  }

  async function authenticated({ header }: EngineRequest, { key: kind, params }: SdkRoute): Promise<KnownKey> {
    if (kind === 'environmentId') return (await keys.find(kind, params.environment as string)) ?? fail('not_found')
    const given = header('authorization')?.replace(/^(?:api_key|Bearer) /i, '') ?? ''
    const known = given.length > 0 && given.length <= longestKey ? await keys.find(kind, given) : undefined
    return known ?? fail('unauthorized', { message: 'Invalid SDK key' })
  }

  function streamsOf(evaluator: OpenEvaluator): EnvironmentStreams {
    const known = open.get(evaluator) ?? environmentStreams(evaluator, written, () => open.delete(evaluator))
    open.set(evaluator, known)
    return known
  }

  /** The key may have been replaced since it was looked at: then the stream ends as it begins. */
  function stream(key: KnownKey, kind: 'servers' | 'clients', begin: (sink: StreamSink) => () => void): SdkAnswer {
    if (streams(kind) >= options.streams) fail('service_unavailable', { headers: { 'retry-after': '30' } })
    const live = (sink: StreamSink) => {
      if (!stopped && keys.holds(key)) {
        const close = begin(sink)
        keys.check()
        return close
      }
      sink.end()
      return () => {}
    }
    return { status: 200, headers: streamHeaders, body: undefined, live }
  }

  async function clientQuestion(
    request: EngineRequest,
    { key, params }: SdkRoute,
    { held, evaluator }: OpenEvaluator,
  ): Promise<ClientQuestion> {
    const context = await readContext(request, params.context)
    const query = new URLSearchParams(request.query)
    const environment = held.content()?.environment
    if (key === 'environmentId' && environment?.secureMode) {
      if (!(await isProved(context, query.get('h') ?? '', environment))) {
        fail('invalid_request', {
          message: 'The environment is in secure mode, and the hash of the context is not right',
        })
      }
    }
    await evaluator.lookUpBigSegments(context)
    const reasons = query.get('withReasons') === 'true'
    return { context, reasons, clientSide: key === 'mobile' ? 'mobile' : 'environmentId' }
  }

  /** Servers that have the old SDK key still make hashes by it. */
  async function isProved(context: EvaluationContext, hash: string, environment: Environment): Promise<boolean> {
    for (const key of sdkKeysAt(environment, host.now())) {
      const expected = await secureModeHash(context, key)
      if (expected !== undefined && isSameSecret(hash, expected)) return true
    }
    return false
  }

  async function answer(request: EngineRequest, route: SdkRoute): Promise<SdkAnswer> {
    if (host.now() - beaten >= beatMs) beatStreams()
    const key = await authenticated(request, route)
    if (route.task === 'goals') return json('[]')
    if (route.task === 'diagnostic') {
      await passOver(request, mostDiagnosticBytes)
      return accepted
    }
    const found = evaluating.opened(key.place)
    const { evaluator } = found
    await evaluator.ready()
    const ruleset = evaluator.ruleset ?? fail('not_found')
    switch (route.task) {
      case 'all-stream':
        return stream(key, 'servers', (sink) => streamsOf(found).openServer(key, sink))
      case 'all': {
        const payload = written.of(ruleset)
        return { ...json(payload.text), etag: await payload.etag() }
      }
      case 'flags':
      case 'segments': {
        const data = dataOf(ruleset, route.task)
        const { key: name } = route.params
        return json(JSON.stringify(name === undefined ? data : (data[name] ?? fail('not_found'))))
      }
      case 'values-stream': {
        const question = await clientQuestion(request, route, found)
        return stream(key, 'clients', (sink) => streamsOf(found).openClient(key, question, sink))
      }
      case 'values':
        return json(clientText(evaluator, await clientQuestion(request, route, found)))
      case 'events': {
        const knows = (flagKey: string) => seenBy(route.key, found, flagKey)
        tally.add(key.place, await readReport(request, host.now(), route.key === 'server', knows))
        await tally.flushIfDue()
        return accepted
      }
    }
  }

  return {
    find(request) {
      const route = sdkRoute(request.path)
      if (!route) return undefined
      const anyOrigin = route.key === 'environmentId'
      return { anyOrigin, method: route.method, respond: () => answer(request, route) }
    },
    evaluations: (question) => readEvaluations(new StorageReader(storage), question),
    async beat() {
      beatStreams()
      await writeCounts()
    },
    writeCounts,
    flush,
    streams: () => streams('servers') + streams('clients'),
    endStreams() {
      for (const one of [...open.values()]) one.endAll()
    },
    forget() {
      keys.forget()
      // What the streams were sent is compared with what is read now.
      beatStreams()
    },
    async stop() {
      stopped = true
      for (const one of [...open.values()]) one.endAll()
      await flush().catch((error) => host.log({ level: 'error', event: 'evaluations-lost', error }))
      await keys.stop()
    },
  }
}

/** Whether an SDK that has this kind of key can have evaluated a flag. */
function seenBy(kind: KeyKind, { evaluator }: OpenEvaluator, flagKey: string): boolean {
  const data = evaluator.ruleset?.flags.get(flagKey)?.data
  if (!data || kind === 'server') return data !== undefined
  const { usingMobileKey, usingEnvironmentId } = data.clientSideAvailability ?? {}
  return (kind === 'mobile' ? usingMobileKey : usingEnvironmentId) === true
}

/** Proxies shall hand it on as it comes. */
const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

const accepted: SdkAnswer = { status: 202, headers: {}, body: undefined }

function json(body: string): SdkAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}
