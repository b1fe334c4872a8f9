import type { Operation } from '@halyard/core/operations'
import type { OperationExample } from './examples.ts'
import type { Content, JsonSchema, MediaTypeObject, RequestBodyObject } from './open-api-document.ts'
import { jsonPatch, mergePatch, semanticPatch } from './patch-schemas.ts'
import { jsonSchemaOf } from './to-json-schema.ts'

export type BodyDeclaration = NonNullable<Operation['body']>

/**
 * Returns the schema that an operation declares for its body: the schema of the whole body if it is JSON, or of one
 * instruction if it is a semantic patch. Returns undefined for any other body.
 */
export function declaredSchema(body: BodyDeclaration | undefined): JsonSchema | undefined {
  if (body?.kind === 'json') return jsonSchemaOf(body.schema)
  if (body?.kind === 'patch' && body.semantic) return jsonSchemaOf(body.semantic)
  return undefined
}

/** The schema of a body, and the media type of semantic patches. */
export interface BodySchema {
  /** undefined. */
  readonly bodySchema: JsonSchema | undefined
  /** Media type of semantic patches. */
  readonly semanticType: string
}

/** Returns the request body object of an operation. */
export function requestBodyOf(
  body: BodyDeclaration,
  { bodySchema, semanticType }: BodySchema,
  example?: OperationExample,
): RequestBodyObject {
  if (body.kind === 'upload') return uploadOf(body, example)
  if (body.kind === 'json')
    return { required: !body.optional, content: withExample({ [json]: bodySchema as JsonSchema }, example) }
  const semantic = bodySchema ? { [semanticType]: semanticPatch(bodySchema) } : {}
  if (body.paths.length === 0) return { required: true, content: withExample(semantic, example) }
  const patches = body.merge ? { anyOf: [...(jsonPatch.anyOf as JsonSchema[]), mergePatch] } : jsonPatch
  return {
    description: patchDescription(body),
    required: true,
    content: withExample({ [json]: patches, ...semantic }, example),
  }
}

const json = 'application/json'

type Upload = Extract<BodyDeclaration, { kind: 'upload' }>

function uploadOf({ mediaType, fields }: Upload, example?: OperationExample): RequestBodyObject {
  const { properties, required = [] } = jsonSchemaOf(fields)
  const form: JsonSchema = {
    type: 'object',
    properties: { file: { type: 'string', contentMediaType: mediaType }, ...properties },
    required: ['file', ...required],
  }
  return {
    required: true,
    content: withExample({ [mediaType]: { type: 'string' }, 'multipart/form-data': form }, example),
  }
}

/** Adds the example to the media type with which it was sent. */
function withExample(schemas: Readonly<Record<string, JsonSchema>>, example?: OperationExample): Content {
  const sentType = example?.mediaType ?? json
  // The media type of a JSON body may have parameters that name a model; the example then belongs to plain JSON.
  const type = sentType in schemas ? sentType : json
  const value = example?.text ?? example?.body
  const entries = Object.entries(schemas).map(([name, schema]): [string, MediaTypeObject] => [
    name,
    name === type && value !== undefined ? { schema, examples: { example: { value } } } : { schema },
  ])
  return Object.fromEntries(entries)
}

type Patch = Extract<BodyDeclaration, { kind: 'patch' }>

function patchDescription({ paths, actions }: Patch): string {
  const parts = paths.map((path) => `${pathDescription(path)}${actionNote(actions[path] ?? [])}`)
  return (
    `A JSON Patch may change ${parts.join(', ')}. A change needs the action in parentheses. ` +
    '`test` may name every property of the response.'
  )
}

/** Describes `/tags/**` as the path with everything below it. */
function pathDescription(path: string): string {
  return path.endsWith('/**') ? `\`${path.slice(0, -3)}\` and everything below it` : `\`${path}\``
}

function actionNote(actions: readonly string[]): string {
  return actions.length === 0 ? '' : ` (${actions.map((action) => `\`${action}\``).join(' or ')})`
}
