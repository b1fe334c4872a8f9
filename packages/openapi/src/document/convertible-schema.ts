import * as v from 'valibot'

type Schema = v.GenericSchema

/** The parts of a valibot schema that contain other schemas. */
interface SchemaShape {
  readonly kind: string
  readonly type: string
  readonly message?: unknown
  readonly entries?: Readonly<Record<string, SchemaShape>>
  readonly item?: SchemaShape
  readonly value?: SchemaShape
  readonly wrapped?: SchemaShape
  readonly options?: readonly unknown[]
  readonly pipe?: readonly SchemaShape[]
  readonly metadata?: {
    readonly integer?: { readonly minimum: number; readonly maximum: number }
    readonly 'x-stored-only'?: boolean
  }
}

/**
 * Returns an equivalent schema that can be converted to JSON Schema. The engine accepts some values in several forms:
 * an integer also as text, a list also as comma-separated text, a boolean also as a word. JSON Schema would show these
 * as a choice without limits; the result is the integer with its limits, the list of its items, the boolean.
 */
export function toConvertibleSchema(schema: Schema): Schema {
  return convertSchema(schema as SchemaShape) as Schema
}

function convertSchema(schema: SchemaShape): SchemaShape {
  if (schema.pipe) return convertPipe(flatten(schema.pipe))
  if (isBooleanOrText(schema)) return v.boolean()
  if (schema.type === 'custom') return convertCustom(schema)
  return {
    ...schema,
    ...(schema.entries ? { entries: mapValues(schema.entries, convertSchema) } : {}),
    ...(schema.item ? { item: convertSchema(schema.item) } : {}),
    ...(schema.value ? { value: convertSchema(schema.value) } : {}),
    ...(schema.wrapped ? { wrapped: convertSchema(schema.wrapped) } : {}),
    ...(schema.options?.some(isSchemaShape)
      ? { options: (schema.options as readonly SchemaShape[]).map(convertSchema) }
      : {}),
  }
}

function convertPipe(pipe: readonly SchemaShape[]): SchemaShape {
  const mark = pipe.find(({ metadata }) => metadata?.['x-stored-only'])
  if (mark) {
    const converted = convertPipe(pipe.filter((part) => part !== mark))
    return { ...converted, pipe: [...(converted.pipe ?? [converted]), mark] }
  }
  const [first, ...rest] = pipe as readonly [SchemaShape, ...SchemaShape[]]
  const hasTransform = rest.some(({ type }) => type === 'transform')
  if (hasTransform && isChoice(first, 'number', 'string')) return wholeNumber(limitsOf(rest))
  if (hasTransform && isChoice(first, 'string', 'array')) {
    const lastSchema = rest.findLast(({ kind }) => kind === 'schema')
    const validations = lastSchema
      ? rest.slice(rest.indexOf(lastSchema) + 1)
      : rest.filter(({ type }) => type !== 'transform')
    const list = convertSchema(lastSchema ?? (v.array(v.string()) as SchemaShape))
    // Cast: valibot types each step of a pipe by the previous one, which a computed pipe cannot express.
    return v.pipe(list as Schema, ...(validations as never[])) as SchemaShape
  }
  if (isBooleanOrText(first)) return v.boolean()
  const integer = rest.find(({ metadata }) => metadata?.integer)?.metadata?.integer
  if (integer) return wholeNumber([v.minValue(integer.minimum), v.maxValue(integer.maximum), ...limitsOf(rest)])
  // The library cannot convert the check for an object; the schema after it is more specific.
  const [head, ...tail] = first.type === 'custom' && rest[0]?.kind === 'schema' ? rest : [first, ...rest]
  const parts = [
    convertSchema(head as SchemaShape),
    ...tail.map((part) => (part.kind === 'schema' ? convertSchema(part) : part)),
  ]
  return { ...(parts[0] as SchemaShape), pipe: parts.flatMap((part) => (part.pipe ? flatten(part.pipe) : [part])) }
}

function wholeNumber(limits: readonly unknown[]): SchemaShape {
  // Cast: valibot types each step of a pipe by the previous one, which a computed pipe cannot express.
  return v.pipe(v.number(), v.integer(), ...(limits as never[]))
}

const limitsOf = (pipe: readonly SchemaShape[]) =>
  pipe.filter(({ type }) => type === 'min_value' || type === 'max_value')

function convertCustom({ message }: SchemaShape): SchemaShape {
  if (message === 'must be an array') return v.array(v.unknown())
  if (message === 'must be an object') return v.looseObject({})
  throw new Error(`a custom schema that cannot be converted to JSON Schema: ${String(message)}`)
}

const isSchemaShape = (value: unknown): value is SchemaShape =>
  typeof value === 'object' && value !== null && 'kind' in value

const flatten = (pipe: readonly SchemaShape[]): readonly SchemaShape[] =>
  pipe.flatMap((part) => (part.pipe ? flatten(part.pipe) : [part]))

function isChoice({ type, options = [] }: SchemaShape, ...types: readonly string[]): boolean {
  return (
    type === 'union' &&
    options.length === types.length &&
    options.every((option) => types.includes((option as SchemaShape).type))
  )
}

function isBooleanOrText(schema: SchemaShape): boolean {
  return isChoice(schema, 'boolean', 'string') || isChoice(schema, 'boolean', 'picklist')
}

function mapValues<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
