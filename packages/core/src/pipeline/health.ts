import type { WireAnswer } from '../operation/wire.ts'
import type { Freshness } from '../storage/freshness.ts'
import type { Storage } from '../storage/port.ts'
import { safeHeaders } from './safe-headers.ts'

/** Whether requests can be answered now, and if not, why; the reason names no address and no password. */
export type Readiness =
  | {
      readonly ready: true
      /** Whether storage tells what others change: without it nothing is remembered, and answers are slower but right. */
      readonly watching: boolean
    }
  | { readonly ready: false; readonly reason: string }

/** Resolves as `work` does, or rejects with `late` after so many ms. */
export type TimeLimit = <T>(work: Promise<T>, ms: number, late: Error) => Promise<T>

/** How long storage may take to say that it is there, ms. */
export const readyWithinMs = 2_000

/** Asks storage, and waits no longer than that. Never rejects. */
export async function readiness(storage: Storage, fresh: Freshness, limit: TimeLimit): Promise<Readiness> {
  const late = new Error(`storage did not answer within ${readyWithinMs} ms`)
  try {
    await limit(storage.ping(), readyWithinMs, late)
    return { ready: true, watching: fresh.live() }
  } catch (error) {
    return { ready: false, reason: error === late ? late.message : 'storage does not answer' }
  }
}

/** Answers what probes ask without a token; undefined for every other path. */
export type HealthAnswers = (method: string, path: string) => Promise<WireAnswer | undefined>

/**
 * What `/livez`, `/healthz` and `/readyz` answer, for whatever serves them beside the API. Live is a process that answers at
 * all; ready is one whose storage answers now, else 503 with the reason.
 *
 * @param engine whose readiness it is.
 *
 * @example
 * ```ts
 * import { healthAnswers } from '@halyard/core'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const health = healthAnswers(await createTestEngine())
 * console.log((await health('GET', '/readyz'))?.status) // 200
 * console.log(await health('GET', '/api/v2/projects')) // undefined
 * ```
 */
export function healthAnswers(engine: { readiness(): Promise<Readiness> }): HealthAnswers {
  return async (method, path) => {
    const isReady = path === '/readyz'
    if (!isReady && path !== '/livez' && path !== '/healthz') return undefined
    if (method !== 'GET' && method !== 'HEAD') return answer(405, { status: 'not allowed' }, { allow: 'GET, HEAD' })
    if (!isReady) return answer(200, { status: 'live' })
    const { ready, ...rest } = await engine.readiness()
    return ready ? answer(200, { status: 'ready', ...rest }) : answer(503, { status: 'not ready', ...rest })
  }
}

function answer(status: number, body: object, more: Readonly<Record<string, string>> = {}): WireAnswer {
  const { 'x-request-id': _, ...safe } = safeHeaders('')
  return { status, headers: { ...safe, ...more, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
