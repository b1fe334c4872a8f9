import type { TestEngine } from '@halyard/testing'
import type { Statement } from '../../../entries/policy.ts'
import type { ApiError, As, EngineRequest, ErrorBody } from '../../../index.ts'

/** What the clock of most tests says first. */
export const start = Date.UTC(2026, 10, 2, 9, 30)

/** The media type of a semantic patch. */
export const semantic = 'application/json; domain-model=svc.semanticpatch'

/** A statement that allows actions on resources. */
export const allow = (actions: string[], resources: string[]): Statement => ({ effect: 'allow', actions, resources })

/** Whoever may read all projects and do these things there. */
export const editor = (actions: string[], resource: string): As => ({
  policy: [allow(['viewProject'], ['proj/*']), allow(actions, [resource])],
})

/** The body of the failure that a call must end in. */
export async function failureOf(call: Promise<unknown>): Promise<ErrorBody> {
  const error = await call.then(
    () => undefined,
    (reason: ApiError) => reason,
  )
  if (!error) throw new Error('the call succeeded')
  return error.body
}

/** Sends requests as the administrator, unless `headers` name somebody else; answers have their body read. */
export function sender(engine: TestEngine) {
  return async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const given = { authorization: engine.admin, ...headers }
    const answer = await engine.handle(wireRequest(method, path, body, given))
    return { ...answer, body: answer.body === undefined ? undefined : JSON.parse(answer.body) }
  }
}

/** A request as a transport hands it over when a parser has read its body. */
export function wireRequest(
  method: string,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, unknown>>,
): EngineRequest {
  const [path, query = ''] = url.split('?') as [string, string?]
  const header = (name: string) => headers[name] as string | undefined
  return { method, path, query, header, body: { kind: 'parsed', value: body } }
}
