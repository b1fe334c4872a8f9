import type { Engine, EngineResponse } from '../../index.ts'

/** A GET as a transport would hand it over. */
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

/** What an answer says, without what is of the one request. */
export function said({ status, headers, body }: EngineResponse) {
  return { status, etag: headers.etag, type: headers['content-type'], body }
}
