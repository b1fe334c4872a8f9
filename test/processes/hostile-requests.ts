/** Requests that no client sends by mistake. Each may be refused or served, but never with a 5xx. */
export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A flag that exists: no request of the list deletes it. */
const attackedFlag = '/flags/web/attacked'

const paths = ['/projects', '/flags/web', attackedFlag, '/segments/web/test', '/tokens', '/auditlog', '/teams']

const bodies = [
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '[['.repeat(20_000),
  `{"key":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  '{"__proto__":{"polluted":true},"key":"a","name":"A"}',
  '{"key":"\\u0000","name":"\\ud800"}',
  JSON.stringify({ key: 'x'.repeat(100_000), name: 'Long' }),
  JSON.stringify(Array.from({ length: 5_000 }, () => ({ op: 'add', path: '/tags/-', value: 'x' }))),
  JSON.stringify([{ op: 'copy', from: '', path: '/tags/-' }]),
  JSON.stringify([{ op: 'replace', path: `/${'~1'.repeat(5_000)}`, value: 1 }]),
  ' '.repeat(2 * 1024 * 1024),
]

const queries = [
  '?limit=-1',
  '?limit=1e9&offset=99999999999999999999',
  `?filter=${'('.repeat(2_000)}`,
  `?filter=tags%20anyOf%20[${'a,'.repeat(800)}]`,
  '?expand=__proto__,constructor',
  `?sort=${'-'.repeat(1_000)}name`,
  '?q=%00&spec=proj/*:env/*:flag/*',
  '?%ff=%ff',
  `?${'a=b&'.repeat(1_500)}`,
]

const types = [
  'application/json',
  'text/csv',
  'multipart/form-data; boundary=',
  'application/json; domain-model=svc.semanticpatch',
]

const methodsOf = (path: string) => ['POST', 'PATCH', 'PUT', ...(path === attackedFlag ? [] : ['DELETE'])]

/** Returns more than 600 requests, the same in every run. */
export function hostileRequests(): HostileRequest[] {
  const writes = paths.flatMap((path) =>
    bodies.flatMap((body, i) =>
      methodsOf(path).map((method) => ({ method, path, body, type: types[i % types.length] })),
    ),
  )
  const reads = paths.flatMap((path) => [
    ...queries.map((query) => ({ method: 'GET', path: path + query })),
    ...[
      '/%00',
      '/..%2f..%2fetc',
      "/'%3Bdrop%20table%20documents--",
      '/%F0%9F%9A%80',
      `/${'a'.repeat(4_000)}`,
      '/%',
      '//',
    ].map((suffix) => ({
      method: 'GET',
      path: path + suffix,
    })),
    { method: 'GET', path, headers: { 'if-none-match': '"'.repeat(4_000), 'x-request-id': 'x'.repeat(4_000) } },
    { method: 'GET', path, headers: { authorization: 'Bearer '.repeat(500) } },
    { method: 'OPTIONS', path, headers: { origin: 'null', 'access-control-request-method': 'x' } },
  ])
  return [...writes, ...reads]
}
