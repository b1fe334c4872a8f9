import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import type { Host } from '../../operation/context.ts'
import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import type { Evaluators } from '../evaluation/evaluators.ts'
import type { EvaluationCount, EvaluationsQuery } from '../flag-evaluations/read-evaluations.ts'
import type { EventConsumer, EventReport } from '../sdk-events/event-consumer.ts'
import { countsReport, ownReport, trackedReport } from '../sdk-events/own-report.ts'
import type { TrackedEvent } from '../sdk-events/tracked-event.ts'
import type { SdkEndpoints, SdkRequest, sdkEndpoints } from './sdk-endpoints.ts'
import { isForAnyOrigin, sdkRoute } from './sdk-routes.ts'

/** The parts that are imported when they are needed first. */
export interface SdkParts {
  readonly sdkEndpoints: typeof sdkEndpoints
  readonly eventConsumers: readonly EventConsumer[]
}

/**
 * Makes endpoints for SDKs whose code is imported by the first request of an SDK, or by the first event of this
 * process. Most processes that import core never need them.
 *
 * @param importParts imports the endpoints and the consumers of events.
 */
export function sdkEndpointsOnDemand(importParts: () => Promise<SdkParts>): typeof sdkEndpoints {
  return (...input) => {
    const [storage, host, evaluators, options, eventConsumers = []] = input
    return new SdkEndpointsOnDemand(host, evaluators, async () => {
      const parts = await importParts()
      return parts.sdkEndpoints(storage, host, evaluators, options, [...parts.eventConsumers, ...eventConsumers])
    })
  }
}

/** Maximum number of reports that wait for an import, which may fail again and again. */
const maxWaiting = 10_000

/** An event of this process that waits for the import. */
interface WaitingReport {
  readonly environmentKeys: EnvironmentKeys
  readonly report: EventReport
}

class SdkEndpointsOnDemand implements SdkEndpoints {
  readonly #host: Host
  readonly #evaluators: Evaluators
  readonly #importEndpoints: () => Promise<SdkEndpoints>
  #endpoints: SdkEndpoints | undefined
  #importing: Promise<SdkEndpoints> | undefined
  readonly #waiting: WaitingReport[] = []
  #isStopped = false

  constructor(host: Host, evaluators: Evaluators, importEndpoints: () => Promise<SdkEndpoints>) {
    this.#host = host
    this.#evaluators = evaluators
    this.#importEndpoints = importEndpoints
    evaluators.sendEvents({
      expose: (keys, exposure) => this.add(keys, ownReport(exposure.at, exposure)),
      track: (keys, event) => this.track(keys, event),
    })
  }

  find(request: EngineRequest): SdkRequest | undefined {
    if (this.#endpoints) return this.#endpoints.find(request)
    const route = sdkRoute(request.path)
    return (
      route && {
        anyOrigin: isForAnyOrigin(route),
        method: route.method,
        respond: async () => ((await this.#import()).find(request) ?? fail('not_found')).respond(),
      }
    )
  }

  async evaluations(query: EvaluationsQuery): Promise<EvaluationCount[]> {
    return (await this.#import()).evaluations(query)
  }

  track(environmentKeys: EnvironmentKeys, event: TrackedEvent): void {
    this.add(environmentKeys, trackedReport(this.#host, event))
  }

  add(environmentKeys: EnvironmentKeys, report: EventReport): void {
    if (this.#endpoints) {
      this.#endpoints.add(environmentKeys, report)
      return
    }
    if (this.#isStopped) return
    if (this.#waiting.push({ environmentKeys, report }) > maxWaiting) {
      this.#waiting.shift()
      this.#host.log({ level: 'error', event: 'events-lost', message: '1 report' })
    }
    // A failed import is reported by the call that writes the events.
    this.#import().catch(() => {})
  }

  async beat(): Promise<void> {
    if (this.#endpoints) await this.#endpoints.beat()
    else await this.writeCounts()
  }

  async writeCounts(): Promise<void> {
    try {
      await (await this.#used())?.writeCounts()
    } catch (error) {
      this.#host.log({ level: 'warn', event: 'events-not-written', error })
    }
  }

  async flush(): Promise<void> {
    await (await this.#used())?.flush()
  }

  streams(): number {
    return this.#endpoints?.streams() ?? 0
  }

  endStreams(): void {
    this.#endpoints?.endStreams()
  }

  clear(): void {
    this.#endpoints?.clear()
  }

  async stop(): Promise<void> {
    const used = this.#used()
    this.#isStopped = true
    try {
      await (await used)?.stop()
    } catch (error) {
      this.#host.log({ level: 'error', event: 'events-lost', error })
    }
  }

  /** Returns the endpoints, when a request or an event needs them. Evaluations that were counted are events, too. */
  async #used(): Promise<SdkEndpoints | undefined> {
    if (this.#endpoints) return this.#endpoints
    for (const counts of this.#evaluators.takeCounts()) this.add(counts.keys, countsReport(this.#host, counts))
    return this.#waiting.length > 0 ? this.#import() : this.#importing
  }

  /** @throws ApiError `service_unavailable` after the engine was stopped; the error of a failed import. */
  async #import(): Promise<SdkEndpoints> {
    if (this.#isStopped) return fail('service_unavailable')
    this.#importing ??= this.#importOnce()
    return this.#importing
  }

  async #importOnce(): Promise<SdkEndpoints> {
    try {
      const endpoints = await this.#importEndpoints()
      this.#endpoints = endpoints
      for (const { environmentKeys, report } of this.#waiting.splice(0)) endpoints.add(environmentKeys, report)
      return endpoints
    } catch (error) {
      // The next call tries again.
      this.#importing = undefined
      throw error
    }
  }
}
