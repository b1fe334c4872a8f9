import { createTestEngine, type TestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

/** The parts of a response that limits affect. */
export interface LimitResponse {
  readonly status: number
  readonly body: { readonly code?: string; readonly errors?: readonly { attribute: string; reason: string }[] }
}

/** An engine and a function that sends requests to it as the administrator. */
export interface LimitTestContext {
  readonly engine: TestEngine
  send(method: string, path: string, options?: RequestOptions): Promise<LimitResponse>
}

interface RequestOptions {
  readonly body?: unknown
  /** Raw text of the body, instead of `body`. */
  readonly text?: string
  readonly type?: string
  readonly token?: string
}

/** Creates an engine behind a fetch handler, with project `web`, flag `checkout` and big segment `big`. */
export async function createLimitTestContext(): Promise<LimitTestContext> {
  const engine = await createTestEngine()
  const { given: options, admin, api } = engine
  await options.project('web')
  await options.flag('web', 'checkout')
  await api.createSegment(
    { projectKey: 'web', environmentKey: 'test', body: { key: 'big', name: 'Big', unbounded: true } },
    { as: admin },
  )
  const handler = createFetchHandler(engine)
  return {
    engine,
    async send(method, path, { body, text, type = 'application/json', token = admin } = {}) {
      const headers = { authorization: token, 'content-type': type, 'svc-api-version': 'beta' }
      const requestBody = text ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await handler(
        new Request(`http://localhost/api/v2${path}`, { method, headers, body: requestBody }),
      )
      const responseText = await response.text()
      return { status: response.status, body: responseText === '' ? {} : JSON.parse(responseText) }
    },
  }
}
