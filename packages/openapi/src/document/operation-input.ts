import type { Operation } from '@halyard/core/operations'
import type { JsonSchema, ParameterObject, Reference } from './open-api-document.ts'
import { parametersOf } from './parameters.ts'
import { jsonPatch, mergePatch, patchSchemas, semanticPatch } from './patch-schemas.ts'
import { type BodyDeclaration, declaredSchema } from './request-body.ts'
import { tagOf } from './tags.ts'
import { jsonSchemaOf, timestampSchema } from './to-json-schema.ts'

/** A path or query parameter of an operation. */
export interface OperationParameter {
  /** Name in the input of a call, e.g. `projectKey`. */
  readonly name: string
  readonly in: 'path' | 'query'
  readonly description: string | undefined
  readonly required: boolean
  /** Schema of the value, without references. */
  readonly schema: JsonSchema
}

/** The body of an operation. */
export interface OperationBody {
  /** `patch`: a JSON Patch, a merge patch or a semantic patch; `upload`: a file with `schema` for its fields. */
  readonly kind: 'json' | 'patch' | 'upload'
  /** Schema of the value, without references. */
  readonly schema: JsonSchema
}

/** The input of an operation as JSON Schema, for programs that call operations by name. */
export interface OperationInput {
  /** Title of the resource, e.g. `Flags`. */
  readonly group: string
  /** Path parameters in the order of the path, then query parameters. */
  readonly parameters: readonly OperationParameter[]
  readonly body: OperationBody | undefined
}

/**
 * Returns the input of an operation as JSON Schema without references. `dryRun` is one of the parameters of each
 * operation that changes something.
 *
 * @param operation one whose definition is imported, e.g. of `await engine.definitions()`.
 * @throws Error when its definition is not imported.
 *
 * @example
 * ```ts
 * import { getTeam } from '@halyard/core/operations'
 * import { operationInput } from '@halyard/openapi'
 *
 * const { group, parameters } = operationInput(getTeam)
 * console.log(group, parameters[0]?.name) // Teams teamKey
 * ```
 */
export function operationInput(operation: Operation): OperationInput {
  return {
    group: tagOf(operation),
    parameters: parametersOf(withoutUploadFields(operation)).flatMap(toOperationParameter),
    body: operation.body && bodyOf(operation.body),
  }
}

/**
 * Makes the operation of an upload a GET without a body. The fields of an upload are parameters of a request, but
 * properties of the body of a call.
 */
function withoutUploadFields(operation: Operation): Operation {
  if (operation.body?.kind !== 'upload') return operation
  return { ...operation, method: 'GET', body: undefined }
}

function toOperationParameter(parameter: ParameterObject | Reference): OperationParameter[] {
  if ('$ref' in parameter) return parameter.$ref === dryRunReference ? [dryRunParameter] : []
  const { name, in: location, description, required = false, schema } = parameter
  if (location === 'header') return []
  return [{ name, in: location, description, required, schema: withoutReferences(schema) }]
}

const dryRunReference = '#/components/parameters/DryRun'

const dryRunParameter: OperationParameter = {
  name: 'dryRun',
  in: 'query',
  description: 'Returns the response that the call would have: nothing is written, notified or counted.',
  required: false,
  schema: { type: 'boolean', default: false },
}

function bodyOf(body: BodyDeclaration): OperationBody {
  if (body.kind === 'upload') return { kind: 'upload', schema: withoutReferences(jsonSchemaOf(body.fields)) }
  const declared = declaredSchema(body)
  if (body.kind === 'json') return { kind: 'json', schema: withoutReferences(declared as JsonSchema) }
  const patches = [
    ...(body.paths.length > 0 ? (jsonPatch.anyOf as JsonSchema[]) : []),
    ...(body.merge ? [mergePatch] : []),
    ...(declared ? [semanticPatch(declared)] : []),
  ]
  return {
    kind: 'patch',
    schema: withoutReferences(patches.length === 1 ? (patches[0] as JsonSchema) : { anyOf: patches }),
  }
}

const referenced: Readonly<Record<string, JsonSchema>> = { ...patchSchemas, Timestamp: timestampSchema }

/** Replaces references to shared schemas by the schemas. None of these refers to itself. */
function withoutReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    const reference = (value as JsonSchema | null)?.$ref
    const target =
      typeof reference === 'string' ? referenced[reference.replace('#/components/schemas/', '')] : undefined
    return target ? withoutReferences(target) : value
  }) as JsonSchema
}
