import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { JsonSchema } from './open-api-document.ts'
import { plainSchema } from './plain-schema.ts'

/**
 * A card's schema as JSON Schema 2020-12. A rule that JSON Schema has no word for is told in `description`, in the words
 * in which a request that breaks it is refused.
 *
 * @param schema of what is sent: of a body or a query as it comes, of an answer as it goes out.
 */
export function jsonSchemaOf(schema: GenericSchema): JsonSchema {
  // Cast: the converter asks for its own union of schemas, which a generic schema is one of.
  const { $schema, ...converted } = toJsonSchema(plainSchema(schema) as never, config)
  return tidy(converted as JsonSchema)
}

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  overrideAction({ valibotAction, jsonSchema, errors }) {
    // Cast: valibot declares no type with the properties that all of its actions share.
    const { type, message, requirement } = valibotAction as unknown as Action
    // Every number of JSON is finite, and what is read-only is so for the engine alone.
    if (type === 'readonly' || type === 'finite') return jsonSchema
    if (type === 'check' || type === 'raw_check' || type === 'partial_check') {
      if (typeof message !== 'string') return jsonSchema
      return { ...told(jsonSchema, message), ...(isSet(jsonSchema, message) ? { uniqueItems: true } : {}) }
    }
    // A pattern of JSON Schema is always one of Unicode; that case does not count, it cannot say.
    if (type === 'regex' && requirement?.flags === 'u') return { ...jsonSchema, pattern: requirement.source }
    if (type === 'regex' && requirement?.flags && typeof message === 'string') {
      const { pattern, ...rest } = jsonSchema
      return told(rest, message)
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

function told<S extends { description?: string }>(schema: S, message: string): S {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return { ...schema, description: schema.description ? `${schema.description} ${sentence}` : sentence }
}

function isSet(schema: { type?: unknown; items?: unknown }, message: string): boolean {
  return (
    schema.type === 'array' && (schema.items as JsonSchema).type === 'string' && message.startsWith('must not repeat')
  )
}

/** Leaves out what says nothing, so that the document stays short. */
function tidy(schema: JsonSchema): JsonSchema {
  if (isTimestamp(schema)) return timestamp
  const { required, propertyNames, anyOf, oneOf, default: preset, ...rest } = schema
  return {
    ...rest,
    ...(isEmpty(preset) ? {} : { default: preset }),
    ...(schema.properties ? { properties: tidyAll(schema.properties) } : {}),
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

/** A point in time as answers show it (D4); it is in so many places that it has a name of its own. */
export const timestampSchema: JsonSchema = {
  description: 'Unix milliseconds, as text unless the host chose numbers.',
  anyOf: [{ type: 'string', pattern: '^\\d+$' }, { type: 'integer' }],
}

const timestamp: JsonSchema = { $ref: '#/components/schemas/Timestamp' }

function isTimestamp({ anyOf }: JsonSchema): boolean {
  return anyOf !== undefined && JSON.stringify(anyOf) === JSON.stringify(timestampSchema.anyOf)
}

const tidyAll = (schemas: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, tidy(one)]))

const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
