import type { TestEngine } from '@halyard/testing'
import type { ApiError, ErrorBody } from '../../../index.ts'

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
    const given: Readonly<Record<string, string>> = { authorization: engine.admin, ...headers }
    const [pathname, query = ''] = path.split('?') as [string, string?]
    const answer = await engine.handle({
      method,
      path: pathname,
      query,
      header: (name) => given[name],
      body: { kind: 'parsed', value: body },
    })
    return { ...answer, body: answer.body === undefined ? undefined : JSON.parse(answer.body) }
  }
}
