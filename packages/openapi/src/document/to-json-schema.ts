import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { toConvertibleSchema } from './convertible-schema.ts'
import type { JsonSchema } from './open-api-document.ts'

/**
 * Converts a schema of an operation to JSON Schema 2020-12. A rule that JSON Schema cannot express becomes part of
 * `description`, with the text of its validation error.
 * @param schema schema of a request body or query as it is received, or of a response as it is sent.
 */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  // Cast: the converter requires its own union of schemas, of which a generic schema is one.
  const { $schema, ...converted } = toJsonSchema(toConvertibleSchema(schema) as never, config)
  return tidy(converted as JsonSchema)
}

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  overrideAction({ valibotAction, jsonSchema, errors }) {
    // Cast: valibot declares no type with the properties that all of its actions share.
    const { type, message, requirement } = valibotAction as unknown as Action
    // Every number in JSON is finite, and `readonly` concerns only the engine.
    if (type === 'readonly' || type === 'finite') return jsonSchema
    if (type === 'check' || type === 'raw_check' || type === 'partial_check') {
      if (typeof message !== 'string') return jsonSchema
      return {
        ...withSentence(jsonSchema, message),
        ...(isUniqueList(jsonSchema, message) ? { uniqueItems: true } : {}),
      }
    }
    // Patterns in JSON Schema are Unicode patterns and cannot be case-insensitive.
    if (type === 'regex' && requirement?.flags === 'u') return { ...jsonSchema, pattern: requirement.source }
    if (type === 'regex' && requirement?.flags && typeof message === 'string') {
      const { pattern, ...rest } = jsonSchema
      return withSentence(rest, message)
    }
    if (errors) throw new Error(errors.join('; '))
    return undefined
  },
}

interface Action {
  readonly type: string
  readonly message?: unknown
  readonly requirement?: RegExp
}

function withSentence<S extends { description?: string }>(schema: S, message: string): S {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return { ...schema, description: schema.description ? `${schema.description} ${sentence}` : sentence }
}

function isUniqueList(schema: { type?: unknown; items?: unknown }, message: string): boolean {
  return (
    schema.type === 'array' && (schema.items as JsonSchema).type === 'string' && message.startsWith('must not repeat')
  )
}

/** Removes keywords without effect, so that the document stays short. */
function tidy(schema: JsonSchema): JsonSchema {
  if (isTimestamp(schema)) return timestamp
  const { required, propertyNames, anyOf, oneOf, default: defaultValue, ...rest } = schema
  return {
    ...rest,
    ...(isEmpty(defaultValue) ? {} : { default: defaultValue }),
    ...(schema.properties ? { properties: tidyProperties(schema.properties) } : {}),
    ...(required && required.length > 0 ? { required } : {}),
    ...(schema.items ? { items: tidy(schema.items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(tidy) } : {}),
    ...(oneOf ? { oneOf: oneOf.map(tidy) } : {}),
    ...(propertyNames && Object.keys(propertyNames).join() !== 'type' ? { propertyNames: tidy(propertyNames) } : {}),
    ...(typeof schema.additionalProperties === 'object'
      ? { additionalProperties: tidy(schema.additionalProperties) }
      : {}),
  }
}

/**
 * A time in a response (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps). It has a name of its
 * own because it occurs in many places.
 */
export const timestampSchema: JsonSchema = {
  description: 'Unix milliseconds, as text unless the host is configured to send numbers.',
  anyOf: [{ type: 'string', pattern: '^\\d+$' }, { type: 'integer' }],
}

const timestamp: JsonSchema = { $ref: '#/components/schemas/Timestamp' }

function isTimestamp({ anyOf }: JsonSchema): boolean {
  return anyOf !== undefined && JSON.stringify(anyOf) === JSON.stringify(timestampSchema.anyOf)
}

const tidyProperties = (schemas: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, child]) => [name, tidy(child)]))

const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
