import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema, OpenApiDocument, OperationObject } from '../src/document/open-api-document.ts'

export interface PublishedSchemas {
  /** Returns the schema violations of a value as texts; empty when there are none. */
  schemaErrorsOf(schema: JsonSchema, value: unknown): string[]
  /** Returns the schema of an operation's response with this status; undefined when the document has no such schema. */
  responseSchema(operationId: string, status: number): JsonSchema | undefined
}

/** Compiles a document's schemas with an independent validator. */
export function publishedSchemas(document: OpenApiDocument): PublishedSchemas {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: documentId, components: document.components })
  const compiled = new Map<JsonSchema, ValidateFunction>()
  const operations = new Map<string, OperationObject>(
    Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => [operation.operationId, operation] as const),
    ),
  )
  return {
    schemaErrorsOf(schema, value) {
      const check = compiled.get(schema) ?? ajv.compile(withAbsoluteReferences(schema) as object)
      compiled.set(schema, check)
      if (check(value)) return []
      return (check.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      )
    },
    responseSchema(operationId, status) {
      const declared = operations.get(operationId)?.responses[status]
      const response =
        declared && '$ref' in declared
          ? document.components.responses[declared.$ref.split('/').at(-1) as string]
          : declared
      return response?.content?.['application/json']?.schema
    },
  }
}

/** Never requested: the validator needs a base URL for references. */
const documentId = 'https://halyard.invalid/openapi.json'

/** Makes the references of a schema absolute. */
function withAbsoluteReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withAbsoluteReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' ? `${documentId}${value}` : withAbsoluteReferences(value),
    ]),
  )
}
