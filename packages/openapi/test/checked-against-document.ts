import assert from 'node:assert/strict'
import type { TransportHarness, TransportRequest, TransportResponse } from '@halyard/conformance'
import type { JsonSchema, OpenApiDocument, OperationObject } from '../src/document/open-api-document.ts'
import { publishedSchemas } from './published-schemas.ts'

/**
 * Wraps a transport so that every response is checked against the published document: the operation must have the
 * status, and the body must match the schema, for success and for errors.
 */
export function checkAgainstDocument(harness: TransportHarness, document: OpenApiDocument): TransportHarness {
  const { schemaErrorsOf, responseSchema } = publishedSchemas(document)
  const errorSchema: JsonSchema = { $ref: '#/components/schemas/Error' }
  const findOperation = operationFinder(document)
  /** Bodies of errors that match the schema of errors, which is the same for all operations. */
  const checkedErrors = new Set<string>()
  function assertDocumented(request: TransportRequest, { status, headers, body }: TransportResponse): void {
    const operation = findOperation(request)
    // Requests that belong to no operation are not in the document.
    if (!operation || status === 405) return
    const label = `${operation.operationId} ${status} ${body.slice(0, 2000)}`
    assert.ok(String(status) in operation.responses, `${label}: the document does not contain this status`)
    const schema = status >= 400 ? errorSchema : responseSchema(operation.operationId, status)
    if (!schema || headers['content-type'] !== 'application/json' || checkedErrors.has(body)) return
    const errors = schemaErrorsOf(schema, JSON.parse(body))
    assert.ok(errors.length === 0, `${label}: ${JSON.stringify(errors)}`)
    if (schema === errorSchema) checkedErrors.add(body)
  }
  return {
    ...harness,
    async open(engine) {
      const client = await harness.open(engine)
      return {
        ...client,
        async send(request) {
          const response = await client.send(request)
          assertDocumented(request, response)
          return response
        },
      }
    },
  }
}

/**
 * Finds the operation of a request. Of two matching paths, the path with a literal segment at the first difference is
 * used.
 */
function operationFinder({ paths }: OpenApiDocument): (request: TransportRequest) => OperationObject | undefined {
  const pathPatterns = Object.keys(paths)
    .sort((a, b) => (a.replaceAll('{', '\uffff') < b.replaceAll('{', '\uffff') ? -1 : 1))
    .map((path) => ({ methods: paths[path], pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  /** Results by path. Each operation is called many times. */
  const matches = new Map<string, (typeof pathPatterns)[number] | undefined>()
  return ({ method, path }) => {
    const [requestPath = path] = path.split('?')
    if (!matches.has(requestPath))
      matches.set(
        requestPath,
        pathPatterns.find(({ pattern }) => pattern.test(requestPath)),
      )
    const methods = matches.get(requestPath)?.methods
    return (methods as Readonly<Record<string, OperationObject>> | undefined)?.[method.toLowerCase()]
  }
}
