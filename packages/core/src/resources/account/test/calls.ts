import type { TestEngine } from '@halyard/testing'
import type { Statement } from '../../../entries/policy.ts'
import type { ApiError, As, EngineRequest, ErrorBody } from '../../../index.ts'

/** Initial time of the clock in most tests. */
export const start = Date.UTC(2026, 10, 2, 9, 30)

/** Media type of a semantic patch. */
export const semanticPatchType = 'application/json; domain-model=svc.semanticpatch'

/** Makes a statement that allows actions on resources. */
export const allow = (actions: string[], resources: string[]): Statement => ({ effect: 'allow', actions, resources })

/** Returns a caller who may view all projects and perform these actions on the resource. */
export const editor = (actions: string[], resource: string): As => ({
  policy: [allow(['viewProject'], ['proj/*']), allow(actions, [resource])],
})

/** Returns the body of the error with which a call must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ErrorBody> {
  const error = await call.then(
    () => undefined,
    (reason: ApiError) => reason,
  )
  if (!error) throw new Error('the call succeeded, but was expected to fail')
  return error.body
}

/**
 * Makes a function that sends requests, as the administrator unless `headers` name another caller, and parses the
 * bodies of the responses.
 */
export function sender(engine: TestEngine) {
  return async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const allHeaders = { authorization: engine.admin, ...headers }
    const response = await engine.handle(engineRequest(method, path, body, allHeaders))
    return { ...response, body: response.body === undefined ? undefined : JSON.parse(response.body) }
  }
}

/** Makes a request in the form in which a transport passes it after a parser has read its body. */
export function engineRequest(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, unknown>>,
): EngineRequest {
  const [path, query = ''] = url.split('?') as [string, string?]
  const header = (name: string) => headers[name] as string | undefined
  return { method, path, query, header, body: { kind: 'parsed', value: body } }
}
