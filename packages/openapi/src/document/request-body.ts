import type { Operation } from '@halyard/core/operations'
import type { OperationExample } from './examples.ts'
import type { Content, JsonSchema, MediaTypeObject, RequestBodyObject } from './open-api-document.ts'
import { jsonPatch, mergePatch, semanticPatch } from './patch-schemas.ts'
import { jsonSchemaOf } from './to-json-schema.ts'

export type BodyDeclaration = NonNullable<Operation['body']>

/** The schema that a body's own declaration has: of a JSON body, or of one instruction of a semantic patch. */
export function declaredSchema(body: BodyDeclaration | undefined): JsonSchema | undefined {
  if (body?.kind === 'json') return jsonSchemaOf(body.schema)
  if (body?.kind === 'patch' && body.semantic) return jsonSchemaOf(body.semantic)
  return undefined
}

/**
 * What an operation takes as its body.
 *
 * @param declared what {@link declaredSchema} found, with its parts named.
 */
export function requestBodyOf(
  body: BodyDeclaration,
  declared: JsonSchema | undefined,
  semanticType: string,
  example?: OperationExample,
): RequestBodyObject {
  if (body.kind === 'upload') return uploadOf(body, example)
  if (body.kind === 'json') return { required: true, content: withExample({ [json]: declared as JsonSchema }, example) }
  const patches = body.merge ? { anyOf: [...(jsonPatch.anyOf as JsonSchema[]), mergePatch] } : jsonPatch
  return {
    description: `A JSON Patch may change ${body.paths.map(inWords).join(', ')}.`,
    required: true,
    content: withExample(
      { [json]: patches, ...(declared ? { [semanticType]: semanticPatch(declared) } : {}) },
      example,
    ),
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

/** The example stands at the media type in which it was sent. */
function withExample(schemas: Readonly<Record<string, JsonSchema>>, example?: OperationExample): Content {
  const sent = example?.mediaType ?? json
  // Some media types say more than there is to say: a body of JSON is one whatever model it announces.
  const type = sent in schemas ? sent : json
  const value = example?.text ?? example?.body
  const entries = Object.entries(schemas).map(([name, schema]): [string, MediaTypeObject] => [
    name,
    name === type && value !== undefined ? { schema, examples: { example: { value } } } : { schema },
  ])
  return Object.fromEntries(entries)
}

/** `/tags/**` as the tags and all below. */
function inWords(path: string): string {
  return path.endsWith('/**') ? `\`${path.slice(0, -3)}\` and all below` : `\`${path}\``
}
