import { createTestEngine, type TestEngine } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'

/** Response to a request, as far as limits concern it. */
export interface Answer {
  readonly status: number
  readonly body: { readonly code?: string; readonly errors?: readonly { attribute: string; reason: string }[] }
}

/** An engine and a function that sends requests to it as the administrator. */
export interface LimitStage {
  readonly engine: TestEngine
  send(method: string, path: string, given?: Sent): Promise<Answer>
}

interface Sent {
  readonly body?: unknown
  /** Raw text of the body, instead of `body`. */
  readonly text?: string
  readonly type?: string
  readonly token?: string
}

/** Creates an engine behind a fetch handler, with project `web`, flag `checkout` and big segment `big`. */
export async function limitStage(): Promise<LimitStage> {
  const engine = await createTestEngine()
  const { given, admin, api } = engine
  await given.project('web')
  await given.flag('web', 'checkout')
  await api.createSegment(
    { projectKey: 'web', environmentKey: 'test', body: { key: 'big', name: 'Big', unbounded: true } },
    { as: admin },
  )
  const handler = createFetchHandler(engine)
  return {
    engine,
    async send(method, path, { body, text, type = 'application/json', token = admin } = {}) {
      const headers = { authorization: token, 'content-type': type, 'svc-api-version': 'beta' }
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
      const answer = await handler(new Request(`http://localhost/api/v2${path}`, { method, headers, body: sent }))
      const written = await answer.text()
      return { status: answer.status, body: written === '' ? {} : JSON.parse(written) }
    },
  }
}
