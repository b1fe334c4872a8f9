import type { KeyKind } from './sdk-keys.ts'

/** Tasks of SDK requests. */
export type SdkTask =
  /** All data, as a stream or once. */
  | 'all-stream'
  | 'all'
  /** All flags or segments, or a single one. */
  | 'flags'
  | 'segments'
  /** Values for a context, as a stream or once. */
  | 'values-stream'
  | 'values'
  /** Reports of evaluations. */
  | 'events'
  /** Reports that are discarded. */
  | 'diagnostic'
  /**
   * Evaluations by the OpenFeature Remote Evaluation Protocol, of all flags or a single one, and reports of changes.
   */
  | 'ofrep-flags'
  | 'ofrep-flag'
  | 'ofrep-changes'
  /** The clicks and page views that metrics measure, for SDKs in browsers. */
  | 'goals'
  /** The environments of a relay. */
  | 'relay-stream'

const polledTasks: ReadonlySet<SdkTask> = new Set(['all', 'flags', 'segments', 'values'])

/** Returns true for a request for flag data or values whose response is not a stream. */
export function isPolled({ task }: SdkRoute): boolean {
  return polledTasks.has(task)
}

/** The kind of key that a path requires; `any` where SDKs of all kinds use it, and `relay` for the key of relays. */
export type RouteKey = KeyKind | 'any' | 'relay'

export interface SdkRoute {
  readonly task: SdkTask
  readonly method: string
  readonly key: RouteKey
  /** Decoded parameters of the path: `environment`, `context`, `key`. */
  readonly params: Readonly<Record<string, string>>
}

/** Returns true for a path that pages of all origins may request, because its data is public. */
export function isForAnyOrigin({ key }: SdkRoute): boolean {
  return key === 'environmentId' || key === 'any'
}

type Row = readonly [path: string, method: string, key: RouteKey, task: SdkTask]

/**
 * The paths of server-side, mobile and client-side SDKs, current and older ones, and those of OpenFeature providers and
 * relays.
 * REPORT has the context as its body.
 */
const rows: readonly Row[] = [
  ['/all', 'GET', 'server', 'all-stream'],
  ['/sdk/latest-all', 'GET', 'server', 'all'],
  ['/sdk/flags', 'GET', 'server', 'flags'],
  ['/sdk/flags/{key}', 'GET', 'server', 'flags'],
  ['/sdk/segments', 'GET', 'server', 'segments'],
  ['/sdk/segments/{key}', 'GET', 'server', 'segments'],
  ['/bulk', 'POST', 'server', 'events'],
  ['/diagnostic', 'POST', 'server', 'diagnostic'],
  ['/sdk/evalx/{environment}/contexts/{context}', 'GET', 'environmentId', 'values'],
  ['/sdk/evalx/{environment}/context', 'REPORT', 'environmentId', 'values'],
  ['/sdk/evalx/{environment}/users/{context}', 'GET', 'environmentId', 'values'],
  ['/sdk/evalx/{environment}/user', 'REPORT', 'environmentId', 'values'],
  ['/sdk/goals/{environment}', 'GET', 'environmentId', 'goals'],
  ['/eval/{environment}/{context}', 'GET', 'environmentId', 'values-stream'],
  ['/eval/{environment}', 'REPORT', 'environmentId', 'values-stream'],
  ['/events/bulk/{environment}', 'POST', 'environmentId', 'events'],
  ['/events/diagnostic/{environment}', 'POST', 'environmentId', 'diagnostic'],
  ['/msdk/evalx/contexts/{context}', 'GET', 'mobile', 'values'],
  ['/msdk/evalx/context', 'REPORT', 'mobile', 'values'],
  ['/msdk/evalx/users/{context}', 'GET', 'mobile', 'values'],
  ['/msdk/evalx/user', 'REPORT', 'mobile', 'values'],
  ['/meval/{context}', 'GET', 'mobile', 'values-stream'],
  ['/meval', 'REPORT', 'mobile', 'values-stream'],
  ['/mobile', 'POST', 'mobile', 'events'],
  ['/mobile/events', 'POST', 'mobile', 'events'],
  ['/mobile/events/bulk', 'POST', 'mobile', 'events'],
  ['/mobile/events/diagnostic', 'POST', 'mobile', 'diagnostic'],
  ['/ofrep/v1/evaluate/flags', 'POST', 'any', 'ofrep-flags'],
  ['/ofrep/v1/evaluate/flags/{key}', 'POST', 'any', 'ofrep-flag'],
  ['/ofrep/v1/changes/{environment}', 'GET', 'environmentId', 'ofrep-changes'],
  ['/relay_auto_config', 'GET', 'relay', 'relay-stream'],
]

/**
 * Routes by the first segment of the path and the number of segments, so that the check of any other path costs almost
 * nothing.
 */
const routesByStart = /* @__PURE__ */ indexRoutes()

/**
 * Returns the route of a path; undefined when it is not a path of SDKs.
 *
 * @param path percent-encoded, below the mount point.
 */
export function sdkRoute(path: string): SdkRoute | undefined {
  const segments = path.split('/').slice(1)
  for (const { parts, row } of routesByStart.get(startOf(segments)) ?? []) {
    const params = paramsOf(parts, segments)
    const [, method, key, task] = row
    if (params) return { task, key, params, method }
  }
  return undefined
}

interface IndexedRoute {
  readonly parts: readonly string[]
  readonly row: Row
}

function indexRoutes(): Map<string, readonly IndexedRoute[]> {
  const index = new Map<string, readonly IndexedRoute[]>()
  for (const row of rows) {
    const parts = row[0].split('/').slice(1)
    index.set(startOf(parts), [...(index.get(startOf(parts)) ?? []), { parts, row }])
  }
  return index
}

function startOf(parts: readonly string[]): string {
  return `${parts[0]}/${parts.length}`
}

function paramsOf(parts: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {}
  for (const [index, part] of parts.entries()) {
    const value = segments[index] as string
    if (!part.startsWith('{')) {
      if (part !== value) return undefined
    } else {
      const decoded = decodedPart(value)
      if (decoded === undefined || decoded === '') return undefined
      params[part.slice(1, -1)] = decoded
    }
  }
  return params
}

function decodedPart(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
