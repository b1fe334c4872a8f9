import { ApiError, type As, type EngineRequest, type EngineResponse } from '@halyard/core'
import { changeStream } from './change-stream.ts'
import type { ConsoleEngine } from './console-engine.ts'
import { errorResponse, invalid, json, readObject } from './console-responses.ts'

/** Evaluations are counted in periods of this length, ms. */
const countedPeriodMs = 6 * 3_600_000

/** Number of periods whose evaluations are counted, including the current period. Together they are one week. */
const countedPeriods = 28

/** Maximum number of flags whose evaluations one request asks for. */
const maxCountedFlags = 100

/** Maximum number of rights that one request asks for. */
const maxQueries = 200

/** Explains for each query whether the caller may do the action. */
export async function explainRights(engine: ConsoleEngine, as: As, request: EngineRequest): Promise<EngineResponse> {
  const queries = (await readObject(request))?.queries
  if (!Array.isArray(queries) || queries.length > maxQueries)
    return invalid('queries', `must be a list of at most ${maxQueries} queries`)
  return json(200, { items: await Promise.all(queries.map((query: unknown) => explainRight(engine, as, query))) })
}

/**
 * Explains one query. The response to an invalid query is "not allowed", so that the page can still show the rights of
 * the other queries.
 */
async function explainRight(engine: ConsoleEngine, as: As, query: unknown) {
  const { action, resource } = (query ?? {}) as Readonly<Record<string, unknown>>
  try {
    const { allowed, text, nearMisses } = await engine.explain({
      as,
      action: String(action),
      resource: String(resource),
    })
    return { allowed, text, nearMisses }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error
    return { allowed: false, text: error.message, nearMisses: [] }
  }
}

/** Simulates a change with the rights of the caller. Nothing is stored. */
export async function simulateChange(engine: ConsoleEngine, as: As, request: EngineRequest): Promise<EngineResponse> {
  const change = await readObject(request)
  if (!change) return invalid('body', 'must be a change as the function `simulate` accepts it')
  return json(200, await engine.simulate(change, { as }))
}

/** Explains which variation of a flag a context gets, step by step, to callers who may view the project. */
export async function explainEvaluation(
  engine: ConsoleEngine,
  as: As,
  request: EngineRequest,
): Promise<EngineResponse> {
  const { projectKey, environmentKey, flagKey, context } = (await readObject(request)) ?? {}
  if (typeof context !== 'object' || context === null) return invalid('context', 'must be an object')
  const environment = { projectKey: String(projectKey), environmentKey: String(environmentKey) }
  await requireView(engine, as, environment.projectKey)
  const evaluator = engine.evaluator(environment)
  await evaluator.ready()
  await evaluator.lookUpBigSegments(context)
  if (flagKey === undefined) return json(200, { flags: evaluator.evaluateAll(context) })
  return json(200, { explanation: evaluator.explain(String(flagKey), context) })
}

/** Streams the changes of an environment to callers who may view its project. */
export async function streamChanges(engine: ConsoleEngine, as: As, { query }: EngineRequest): Promise<EngineResponse> {
  const parameters = new URLSearchParams(query)
  const projectKey = parameters.get('project') ?? ''
  const environmentKey = parameters.get('environment') ?? ''
  await requireView(engine, as, projectKey)
  await engine.evaluator({ projectKey, environmentKey }).ready()
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    body: undefined,
    pieces: changeStream(engine, { projectKey, environmentKey }),
  }
}

/**
 * Counts the evaluations of flags in each period of the last week, oldest first. Flags whose status the caller may not
 * view are omitted.
 */
export async function countEvaluations(engine: ConsoleEngine, as: As, request: EngineRequest): Promise<EngineResponse> {
  const { projectKey, environmentKey, flagKeys } = (await readObject(request)) ?? {}
  if (!Array.isArray(flagKeys) || flagKeys.length > maxCountedFlags)
    return invalid('flagKeys', `must be a list of at most ${maxCountedFlags} keys`)
  const environment = { projectKey: String(projectKey), environmentKey: String(environmentKey) }
  const from = (Math.floor(Date.now() / countedPeriodMs) - countedPeriods + 1) * countedPeriodMs
  const counted = flagKeys.map(async (flagKey: unknown) => {
    const key = String(flagKey)
    const resource = `proj/${environment.projectKey}:env/${environment.environmentKey}:flag/${key}`
    const { allowed } = await engine.explain({ as, action: 'viewFlagStatus', resource })
    if (!allowed) return []
    const counts = Array<number>(countedPeriods).fill(0)
    for (const hour of await engine.sdk.evaluations({ ...environment, flagKey: key, from })) {
      const period = Math.floor((hour.from - from) / countedPeriodMs)
      if (counts[period] !== undefined) counts[period] += hour.count
    }
    return [{ key, counts }]
  })
  return json(200, { items: (await Promise.all(counted)).flat() })
}

/**
 * Returns where the request comes from, as the IP allowlist of the account sees it: the kind of credential, and the
 * address of the client if the transport knows it.
 */
export async function describeOrigin(engine: ConsoleEngine, as: As, request: EngineRequest): Promise<EngineResponse> {
  await engine.as(as).getCallerIdentity({})
  const isSession = typeof as === 'object' && 'identity' in as && as.identity.session !== false
  return json(200, { credential: isSession ? 'session' : 'apiToken', address: request.clientAddress?.() })
}

async function requireView(engine: ConsoleEngine, as: As, projectKey: string): Promise<void> {
  await engine.as(as).getProject({ projectKey })
}

/** The parts of the session that concern signing in. */
interface SessionState {
  readonly inSession: boolean
  /** Host name, with port, of the URL of the issuer at which people can sign in. */
  readonly issuer?: string
}

/** Returns whether the caller is signed in, and the name by which the host knows the caller. */
export async function describeSession(engine: ConsoleEngine, as: As | undefined, state: SessionState) {
  if (as === undefined) return json(200, { signedIn: false, ...state })
  try {
    await engine.as(as).listProjects({ limit: 1 })
  } catch (error) {
    const response = errorResponse(error)
    return response.status === 401 ? json(200, { signedIn: false, ...state }) : response
  }
  return json(200, { signedIn: true, ...state, ...(await nameOf(engine, as)) })
}

/**
 * Returns the name that the page shows for a caller whom the host names: the e-mail address of the member if the caller
 * may read it, or else the name that the host gives.
 */
async function nameOf(engine: ConsoleEngine, as: As): Promise<{ readonly name?: string }> {
  if (typeof as === 'string' || !('identity' in as)) return {}
  if ('service' in as.identity) return { name: as.identity.service }
  const { member } = as.identity
  if (member.includes('@')) return { name: member }
  const response = await engine
    .as(as)
    .getMember({ id: member })
    .catch(() => undefined)
  return { name: response?.email ?? member }
}
