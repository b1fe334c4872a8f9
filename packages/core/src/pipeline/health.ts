import type { EngineResponse } from '../operation/engine-request.ts'
import type { Invalidator } from '../storage/dependency-cache.ts'
import type { Storage } from '../storage/port.ts'
import { safeHeaders } from './encode.ts'

/**
 * State of the engine: ready to handle requests, or the reason why not; the reason contains no address and no password.
 */
export type Readiness =
  | {
      readonly ready: true
      /**
       * True while the storage reports the changes of other processes; otherwise nothing is cached, and responses are
       * slower.
       */
      readonly watching: boolean
    }
  | { readonly ready: false; readonly reason: string }

/** Resolves as `work` does, or rejects with `late` after `ms`. */
export type TimeLimit = <T>(work: Promise<T>, ms: number, late: Error) => Promise<T>

/** Maximum time for the storage to respond, ms. */
export const readyWithinMs = 2_000

/** Pings the storage. Never rejects. */
export async function readiness(storage: Storage, invalidator: Invalidator, limit: TimeLimit): Promise<Readiness> {
  const late = new Error(`storage did not respond within ${readyWithinMs} ms`)
  try {
    await limit(storage.ping(), readyWithinMs, late)
    return { ready: true, watching: invalidator.isLive() }
  } catch (error) {
    return { ready: false, reason: error === late ? late.message : 'storage does not respond' }
  }
}

/** Responds to probes, which need no token; undefined for every other path. */
export type HealthEndpoints = (method: string, path: string) => Promise<EngineResponse | undefined>

/**
 * Creates the endpoints `/livez`, `/healthz` and `/readyz`, which a transport serves beside the API. A process is live
 * when it responds, and ready when its storage responds now; otherwise `/readyz` responds with 503 and the reason.
 *
 * @param engine whose readiness `/readyz` reports.
 *
 * @example
 * ```ts
 * import { healthEndpoints } from '@halyard/core'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const health = healthEndpoints(await createTestEngine())
 * console.log((await health('GET', '/readyz'))?.status) // 200
 * console.log(await health('GET', '/api/v2/projects')) // undefined
 * ```
 */
export function healthEndpoints(engine: { readiness(): Promise<Readiness> }): HealthEndpoints {
  return async (method, path) => {
    const isReady = path === '/readyz'
    if (!isReady && path !== '/livez' && path !== '/healthz') return undefined
    if (method !== 'GET' && method !== 'HEAD') return response(405, { status: 'not allowed' }, { allow: 'GET, HEAD' })
    if (!isReady) return response(200, { status: 'live' })
    const { ready, ...rest } = await engine.readiness()
    return ready ? response(200, { status: 'ready', ...rest }) : response(503, { status: 'not ready', ...rest })
  }
}

function response(status: number, body: object, extraHeaders: Readonly<Record<string, string>> = {}): EngineResponse {
  const { 'x-request-id': _, ...safe } = safeHeaders('')
  return {
    status,
    headers: { ...safe, ...extraHeaders, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}
