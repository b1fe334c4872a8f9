import type { Host } from './operation/context.ts'
import type { EngineRequest } from './operation/engine-request.ts'
import type { LiveResponse } from './operation/live-response.ts'
import { respondToSdk } from './pipeline/respond-to-sdk.ts'
import type { EvaluationCount, EvaluationsQuery } from './resources/flag-evaluations/read-evaluations.ts'
import type { SdkEndpoints } from './resources/sdk-endpoints/sdk-endpoints.ts'

/** What answers SDKs. Nothing runs by itself: between the requests of SDKs the host calls `beat` now and then. */
export interface SdkService {
  /**
   * Answers a request of an SDK; undefined where the path is none of theirs. Never rejects.
   *
   * @returns an answer that may go on as a stream (`live`).
   */
  handle(request: EngineRequest): Promise<LiveResponse> | undefined
  /**
   * Shows that streams are alive, gives up those that nobody has read for a minute, takes in targets whose date has come, and
   * writes counts that have waited long enough. To be called every 15 to 60 seconds; where nobody does, requests of SDKs do it
   * once in 30 seconds. Never rejects.
   */
  beat(): Promise<void>
  /**
   * Writes all counts of evaluations that wait, for hosts that are about to be stopped.
   *
   * @throws whatever storage throws; what was not written waits on.
   */
  flush(): Promise<void>
  /**
   * How often a flag was evaluated, by hour and variation, as SDKs have reported, and engines with `countEvaluations` have
   * counted, and this engine has written; of ninety days.
   *
   * @param question `{ projectKey, environmentKey, flagKey }`, and `from` and `to` (integer ms, UTC, half-open).
   */
  evaluations(question: EvaluationsQuery): Promise<EvaluationCount[]>
  /** Number of open streams. */
  streams(): number
  /** Ends all streams; SDKs open them again, here or elsewhere. */
  endStreams(): void
}

/** The door of an engine for SDKs. */
export function sdkService(host: Host, sdk: SdkEndpoints): SdkService {
  return {
    handle(request) {
      const endpoint = sdk.find(request)
      return endpoint && respondToSdk(host, request, endpoint)
    },
    beat: () => sdk.beat(),
    flush: () => sdk.flush(),
    evaluations: (question) => sdk.evaluations(question),
    streams: () => sdk.streams(),
    endStreams: () => sdk.endStreams(),
  }
}

/** Serves nobody: every path is left to others. */
export const noSdkEndpoints: SdkEndpoints = {
  find: () => undefined,
  evaluations: async () => [],
  beat: async () => {},
  writeCounts: async () => {},
  flush: async () => {},
  streams: () => 0,
  endStreams: () => {},
  clear: () => {},
  stop: async () => {},
}
