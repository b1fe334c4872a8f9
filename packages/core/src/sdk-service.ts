import type { Host } from './operation/context.ts'
import type { EngineRequest } from './operation/engine-request.ts'
import type { LiveResponse } from './operation/live-response.ts'
import { respondToSdk } from './pipeline/respond-to-sdk.ts'
import type { EvaluationCount, EvaluationsQuery } from './resources/flag-evaluations/read-evaluations.ts'
import type { SdkEndpoints } from './resources/sdk-endpoints/sdk-endpoints.ts'

/**
 * The endpoints for SDKs. The service starts no timers: the host calls `beat` at intervals, and requests of SDKs do the
 * same work if it does not.
 */
export interface SdkService {
  /**
   * Handles a request of an SDK; returns undefined when no SDK endpoint has the path. Never rejects.
   *
   * @returns a response that may continue as a stream (`live`).
   */
  handle(request: EngineRequest): Promise<LiveResponse> | undefined
  /**
   * Sends heartbeats on streams, ends streams whose client has read nothing for a minute, applies targets whose
   * expiry date has come, and writes events that have waited long enough. The host calls it every 15 to 60 seconds. If
   * it does not, requests of SDKs do the same work at most once in 30 seconds. Never rejects.
   */
  beat(): Promise<void>
  /**
   * Writes the results of all waiting events: counts of evaluations, and metrics of AI configs. A host calls it before
   * it is stopped, and before it reads these counts.
   *
   * @throws the error of the storage; events that were not written stay in memory.
   */
  flush(): Promise<void>
  /**
   * Returns the counts of evaluations of a flag by hour and variation, over the last ninety days. They include the
   * reports of SDKs and the counts of engines with `countEvaluations`, except counts that these engines have not
   * written yet.
   *
   * @param query `{ projectKey, environmentKey, flagKey }`, and `from` and `to` (integer ms, UTC, half-open).
   */
  evaluations(query: EvaluationsQuery): Promise<EvaluationCount[]>
  /** Number of open streams. */
  streams(): number
  /** Ends all streams. SDKs then open them again, at this process or another one. */
  endStreams(): void
}

/** Makes the SDK service of an engine. */
export function sdkService(host: Host, sdk: SdkEndpoints): SdkService {
  return {
    handle(request) {
      const endpoint = sdk.find(request)
      return endpoint && respondToSdk(host, request, endpoint)
    },
    beat: () => sdk.beat(),
    flush: () => sdk.flush(),
    evaluations: (query) => sdk.evaluations(query),
    streams: () => sdk.streams(),
    endStreams: () => sdk.endStreams(),
  }
}

/** Replaces the SDK endpoints in an engine that was made without them: no path matches. */
export const noSdkEndpoints: SdkEndpoints = {
  find: () => undefined,
  evaluations: async () => [],
  track: () => {
    throw new Error('track: this engine was made without sdkEndpoints')
  },
  add: () => {},
  beat: async () => {},
  writeCounts: async () => {},
  flush: async () => {},
  streams: () => 0,
  endStreams: () => {},
  clear: () => {},
  stop: async () => {},
}
