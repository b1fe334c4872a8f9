import type { Operation } from '@halyard/core/operations'
import { type JsonSchema, operationInput } from '@halyard/openapi'

/** A tool, as a server of the Model Context Protocol lists it. */
export interface OperationTool {
  /** Id of the operation, e.g. `patchFlag`. */
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly annotations: ToolAnnotations
}

/** Schema of the arguments of a tool. */
export interface ToolSchema {
  readonly [keyword: string]: unknown
  readonly type: 'object'
  readonly properties: Record<string, object>
  readonly required?: string[]
}

/** Hints for the program that asks a person to confirm a call. */
export interface ToolAnnotations {
  readonly [hint: string]: unknown
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: false
}

const confirmation: JsonSchema = {
  type: 'boolean',
  default: false,
  description: 'False: only show what the call would change. True: make the change. Ask the user before.',
}

/**
 * Returns the tool that calls an operation: its arguments are those of `engine.api`, with `confirm` where the operation
 * changes something.
 *
 * @param operation an operation whose definition is imported.
 */
export function toolOf(operation: Operation): OperationTool {
  const { id, summary, method } = operation
  const { group, parameters, body } = operationInput(operation)
  const isWrite = writes(operation)
  const listedParameters = parameters.filter(({ name }) => name !== 'dryRun')
  const properties = Object.fromEntries(
    listedParameters.map(({ name, schema, description }) => [
      name,
      { ...schema, ...(description ? { description } : {}) },
    ]),
  )
  const required = listedParameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return {
    name: id,
    title: summary,
    description: `${summary}. (${group})${isWrite ? ' Shows what would change, and changes it only with `confirm`.' : ''}`,
    inputSchema: {
      type: 'object',
      properties: {
        ...properties,
        ...(body ? { body: body.kind === 'upload' ? uploadSchema(body.schema) : body.schema } : {}),
        ...(isWrite ? { confirm: confirmation } : {}),
      },
      required: [...required, ...(body ? ['body'] : [])],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: !isWrite,
      destructiveHint: method === 'DELETE' || method === 'PATCH' || method === 'PUT' || id.startsWith('reset'),
      idempotentHint: method === 'GET' || method === 'PUT' || method === 'DELETE',
      openWorldHint: false,
    },
  }
}

/** Returns true for an operation that changes something. */
export function writes({ method, dry = false }: Operation): boolean {
  return method !== 'GET' && !dry
}

function uploadSchema(fields: JsonSchema): JsonSchema {
  const file = { type: 'string', description: 'The content of the file.' }
  return { ...fields, properties: { file, ...fields.properties }, required: ['file', ...(fields.required ?? [])] }
}
