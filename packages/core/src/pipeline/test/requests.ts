import type { Engine, EngineResponse } from '../../index.ts'

/** Sends a GET as a transport does. */
export function get(
  engine: Pick<Engine, 'handle'>,
  path: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EngineResponse> {
  const [bare = '', query = ''] = path.split('?', 2)
  const all: Readonly<Record<string, string>> = { authorization: token, 'svc-api-version': 'beta', ...headers }
  return engine.handle({
    method: 'GET',
    path: `/api/v2/${bare}`,
    query,
    header: (name) => all[name],
    body: { kind: 'parsed', value: undefined },
  })
}

/** Returns the parts of a response that do not depend on the single request. */
export function comparableResponse({ status, headers, body }: EngineResponse) {
  return { status, etag: headers.etag, type: headers['content-type'], body }
}
