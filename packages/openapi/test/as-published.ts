import assert from 'node:assert/strict'
import type { LineAnswer, LineRequest, TransportHarness } from '@halyard/conformance'
import type { JsonSchema, OpenApiDocument, OperationObject } from '../src/document/open-api-document.ts'
import { publishedSchemas } from './published-schemas.ts'

/**
 * Wraps a transport so that every response is checked against the published document: the operation must have the
 * status, and the body must match the schema, for success and for errors.
 */
export function asPublished(harness: TransportHarness, document: OpenApiDocument): TransportHarness {
  const { faultsOf, answerSchema } = publishedSchemas(document)
  const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' }
  const find = operationFinder(document)
  function examine(request: LineRequest, { status, headers, body }: LineAnswer): void {
    const operation = find(request)
    // Requests that belong to no operation are not in the document.
    if (!operation || status === 405) return
    const what = `${operation.operationId} ${status} ${body.slice(0, 2000)}`
    assert.ok(String(status) in operation.responses, `${what}: the document does not contain this status`)
    const schema = status >= 400 ? errorSchema : answerSchema(operation.operationId, status)
    if (!schema || headers['content-type'] !== 'application/json') return
    assert.deepEqual(faultsOf(schema, JSON.parse(body)), [], what)
  }
  return {
    ...harness,
    async open(engine) {
      const line = await harness.open(engine)
      return {
        ...line,
        async send(request) {
          const answer = await line.send(request)
          examine(request, answer)
          return answer
        },
      }
    },
  }
}

/**
 * Finds the operation of a request. Of two matching paths, the one with a literal segment at the first difference is
 * used.
 */
function operationFinder({ paths }: OpenApiDocument): (request: LineRequest) => OperationObject | undefined {
  const known = Object.keys(paths)
    .sort((a, b) => (a.replaceAll('{', '\uffff') < b.replaceAll('{', '\uffff') ? -1 : 1))
    .map((path) => ({ methods: paths[path], pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  return ({ method, path }) => {
    const asked = path.split('?')[0] as string
    const found = known.find(({ pattern }) => pattern.test(asked))
    return (found?.methods as Readonly<Record<string, OperationObject>> | undefined)?.[method.toLowerCase()]
  }
}
