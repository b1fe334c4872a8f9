import * as v from 'valibot'

type Schema = v.GenericSchema

/** The parts of a valibot schema that contain other schemas. */
interface Shape {
  readonly kind: string
  readonly type: string
  readonly message?: unknown
  readonly entries?: Readonly<Record<string, Shape>>
  readonly item?: Shape
  readonly value?: Shape
  readonly wrapped?: Shape
  readonly options?: readonly unknown[]
  readonly pipe?: readonly Shape[]
  readonly metadata?: { readonly integer?: { readonly minimum: number; readonly maximum: number } }
}

/**
 * Returns an equivalent schema that can be converted to JSON Schema. The engine accepts some values in several forms:
 * an integer also as text, a list also as comma-separated text, a boolean also as a word. JSON Schema would show these
 * as a choice without limits; the result is the integer with its limits, the list of its items, the boolean.
 */
export function plainSchema(schema: Schema): Schema {
  return plain(schema as Shape) as Schema
}

function plain(schema: Shape): Shape {
  if (schema.pipe) return plainPipe(flat(schema.pipe))
  if (isSpelledBoolean(schema)) return v.boolean()
  if (schema.type === 'custom') return plainCustom(schema)
  return {
    ...schema,
    ...(schema.entries ? { entries: mapValues(schema.entries, plain) } : {}),
    ...(schema.item ? { item: plain(schema.item) } : {}),
    ...(schema.value ? { value: plain(schema.value) } : {}),
    ...(schema.wrapped ? { wrapped: plain(schema.wrapped) } : {}),
    ...(schema.options?.some(isShape) ? { options: (schema.options as readonly Shape[]).map(plain) } : {}),
  }
}

function plainPipe(pipe: readonly Shape[]): Shape {
  const [first, ...rest] = pipe as readonly [Shape, ...Shape[]]
  const changes = rest.some(({ type }) => type === 'transform')
  if (changes && isChoice(first, 'number', 'string')) return wholeNumber(limitsOf(rest))
  if (changes && isChoice(first, 'string', 'array')) {
    const last = rest.findLast(({ kind }) => kind === 'schema')
    const after = last ? rest.slice(rest.indexOf(last) + 1) : rest.filter(({ type }) => type !== 'transform')
    const list = plain(last ?? (v.array(v.string()) as Shape))
    // Cast: valibot types each step of a pipe by the one before it, which a computed pipe cannot say.
    return v.pipe(list as Schema, ...(after as never[])) as Shape
  }
  if (isSpelledBoolean(first)) return v.boolean()
  const integer = rest.find(({ metadata }) => metadata?.integer)?.metadata?.integer
  if (integer) return wholeNumber([v.minValue(integer.minimum), v.maxValue(integer.maximum), ...limitsOf(rest)])
  // The library cannot convert the check for an object; the schema after it is more specific.
  const [head, ...tail] = first.type === 'custom' && rest[0]?.kind === 'schema' ? rest : [first, ...rest]
  const parts = [plain(head as Shape), ...tail.map((part) => (part.kind === 'schema' ? plain(part) : part))]
  return { ...(parts[0] as Shape), pipe: parts.flatMap((part) => (part.pipe ? flat(part.pipe) : [part])) }
}

function wholeNumber(limits: readonly unknown[]): Shape {
  // Cast: valibot types each step of a pipe by the one before it, which a computed pipe cannot say.
  return v.pipe(v.number(), v.integer(), ...(limits as never[]))
}

const limitsOf = (pipe: readonly Shape[]) => pipe.filter(({ type }) => type === 'min_value' || type === 'max_value')

function plainCustom({ message }: Shape): Shape {
  if (message === 'must be an array') return v.array(v.unknown())
  if (message === 'must be an object') return v.looseObject({})
  throw new Error(`a custom schema that cannot be converted to JSON Schema: ${String(message)}`)
}

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null && 'kind' in value

const flat = (pipe: readonly Shape[]): readonly Shape[] =>
  pipe.flatMap((part) => (part.pipe ? flat(part.pipe) : [part]))

function isChoice({ type, options = [] }: Shape, ...types: readonly string[]): boolean {
  return (
    type === 'union' && options.length === types.length && options.every((one) => types.includes((one as Shape).type))
  )
}

function isSpelledBoolean(schema: Shape): boolean {
  return isChoice(schema, 'boolean', 'string') || isChoice(schema, 'boolean', 'picklist')
}

function mapValues<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
