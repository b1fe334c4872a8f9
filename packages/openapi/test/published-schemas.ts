import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema, OpenApiDocument, OperationObject } from '../src/document/open-api-document.ts'

export interface PublishedSchemas {
  /** What is wrong with a value to a schema of the document, as texts; empty where nothing is. */
  faultsOf(schema: JsonSchema, value: unknown): string[]
  /** The schema of an operation's answer with this status; undefined where the document has none. */
  answerSchema(operationId: string, status: number): JsonSchema | undefined
}

/** Reads a document's schemas as an independent validator understands them. */
export function publishedSchemas(document: OpenApiDocument): PublishedSchemas {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: documentId, components: document.components })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  const operations = new Map<string, OperationObject>(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => [one.operationId, one] as const),
    ),
  )
  return {
    faultsOf(schema, value) {
      const check = compiled.get(schema) ?? ajv.compile(absolute(schema) as object)
      compiled.set(schema, check)
      if (check(value)) return []
      return (check.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      )
    },
    answerSchema(operationId, status) {
      const given = operations.get(operationId)?.responses[status]
      const response =
        given && '$ref' in given ? document.components.responses[given.$ref.split('/').at(-1) as string] : given
      return response?.content?.['application/json']?.schema
    },
  }
}

/** Nothing is asked there: the validator wants to know where the references lead. */
const documentId = 'https://halyard.invalid/openapi.json'

/** References as they are from outside of the document. */
function absolute(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(absolute)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' ? `${documentId}${value}` : absolute(value),
    ]),
  )
}
