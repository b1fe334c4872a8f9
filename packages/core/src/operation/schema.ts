import * as v from 'valibot'
import { parseHttpUrl } from '../rules/http-url.ts'
import type { Order } from '../storage/port.ts'

import type { Output, Schema } from './parse.ts'

export { type Input, type Output, type ParseResult, parse, parseOrFail, type Schema } from './parse.ts'

/**
 * A time in a response: a string of Unix milliseconds, or a number if the engine is configured so
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
 */
export type Timestamp = string | number

// The factories below declare their return types. Otherwise, the type declarations of operations would repeat the
// inferred type of a schema wherever it is used.
export const timestamp = (): v.GenericSchema<Timestamp> =>
  v.union([v.pipe(v.string(), v.digits()), v.pipe(v.number(), v.integer())])

/** Pattern of a key (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). */
export const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/

/** Schema of a key in a body (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). */
export const key = (): v.GenericSchema<string> =>
  v.pipe(
    v.string(),
    v.regex(keyPattern, 'must be 1 to 256 letters, digits, ".", "_" or "-", starting with a letter or digit'),
  )

/** Returns true when a value is a key (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && keyPattern.test(value)
}

/** Schema of a human-readable name: 1 to 256 characters. */
export const name = (): v.GenericSchema<string> =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))

/** Schema of a text of at most 10,000 characters. */
export const text = (): v.GenericSchema<string> =>
  v.pipe(v.string(), v.maxLength(10_000, 'must have at most 10000 characters'))

/** Schema of an object in a request with arbitrary property names. */
export const dictionary = <K extends v.GenericSchema<string, string>, S extends Schema>(names: K, values: S) =>
  v.record(names, values)

/** Schema of an absolute `http` or `https` URL of at most 2,048 characters. */
export const httpUrl = (): v.GenericSchema<string> =>
  v.pipe(
    v.string(),
    v.maxLength(2048, 'must have at most 2048 characters'),
    v.check((text) => parseHttpUrl(text) !== undefined, 'must be an absolute http or https URL without a password'),
  )

/**
 * Marks a property that the engine stores and shows but does not use
 * (docs/decisions/0058-mark-properties-that-only-store.md). The OpenAPI document and the reference pages state this.
 */
export const storedOnly = <S extends Schema>(schema: S) => v.pipe(schema, v.metadata({ 'x-stored-only': true }))

/** Schema of tags: distinct, each 1 to 64 letters, digits, `.`, `_` or `-`; at most 1,000. */
export const tags = (): v.GenericSchema<readonly string[], readonly string[]> =>
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"'))),
    v.maxLength(1000, 'must contain at most 1000 tags'),
    v.check((list) => new Set(list).size === list.length, 'must not repeat a tag'),
    v.readonly(),
  )

/**
 * Schema of any JSON object in a request. Values that are not allowed anywhere in a body are rejected before
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 */
export const jsonObject = () =>
  v.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )

/** Schema of any JSON object in a response. */
export const anyObject = () => v.record(v.string(), v.unknown())

/**
 * Schema of an integer, also as a string that matches the pattern. Any other string or number fails with `message`, and
 * not with a message about its type.
 */
const wholeNumber = (pattern: RegExp, message: string) =>
  v.pipe(
    v.union([v.number(), v.string()]),
    v.check((value) => (typeof value === 'string' ? pattern.test(value) : Number.isInteger(value)), message),
    v.transform(Number),
  )

const latestMoment = 8_640_000_000_000_000

/**
 * Schema of a time in a request: integer Unix milliseconds, also written as a string.
 *
 * One function checks each value, because batches contain tens of thousands of them and a pipe of checks took most of
 * the time.
 */
export const moment = (): v.GenericSchema<string | number, number> =>
  v.pipe(
    v.custom<string | number>(
      (value) => isMoment(value),
      ({ input }) => momentError(input),
    ),
    v.transform(Number),
    // The JSON Schema of a custom schema can only be generated from this metadata.
    v.metadata({ integer: { minimum: 0, maximum: latestMoment } }),
  )

/** Returns true when a value is a time as requests contain it. */
export function isMoment(value: unknown): value is string | number {
  if (typeof value === 'string') return /^\d{1,16}$/.test(value) && Number(value) <= latestMoment
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= latestMoment
}

function momentError(value: unknown): string {
  if (typeof value !== 'number' && typeof value !== 'string') return 'must be one of number, string'
  const isWhole = typeof value === 'string' ? /^\d{1,16}$/.test(value) : Number.isInteger(value)
  if (!isWhole) return 'must be integer Unix milliseconds'
  return Number(value) < 0 ? 'must not be negative' : 'must be a date'
}

/**
 * Returns the schema with a fast path for common values. For a batch of tens of thousands of objects, checking each
 * property by its schema would take longer than processing the batch. Values that the fast path does not accept are
 * checked by the schema, so validation errors are the same.
 *
 * @param readFast returns a validated copy of an object, or undefined when the schema has to check it.
 */
export function withFastPath<S extends Schema>(
  schema: S,
  readFast: (value: Readonly<Record<string, unknown>>) => Output<S> | undefined,
): S {
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const { value } = dataset
      const output =
        typeof value === 'object' && value !== null ? readFast(value as Record<string, unknown>) : undefined
      return output === undefined ? schema['~run'](dataset, config) : { typed: true, value: output }
    },
  }
}

/** Schema of an integer in a query, also written as a string. */
export const integer = (min: number, max: number): v.GenericSchema<string | number, number> =>
  v.pipe(
    wholeNumber(/^-?\d{1,15}$/, 'must be an integer'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )

/** Schema of a comma-separated list in a query; in process also an array. Empty items are dropped. */
export const commaList = () =>
  v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform((value) => (typeof value === 'string' ? value.split(',') : value).filter((item) => item !== '')),
  )

/**
 * Schema of `expand` in a query: a comma-separated list of some of these properties
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d10-unknown-query-parameters).
 */
export const expand = <const Property extends string>(...properties: readonly Property[]) =>
  v.optional(v.pipe(commaList(), v.array(v.picklist(properties, `must be one of ${properties.join(', ')}`))), [])

/**
 * Schemas of `limit` and `offset` in a query (docs/decisions/0001-follow-one-set-of-http-conventions.md#d9-pagination).
 * `limit` is 20 by default and at most 100, unless the caller passes other numbers.
 */
export const page = ({ limit = 20, maxLimit = 100 }: { limit?: number; maxLimit?: number } = {}) => ({
  limit: v.optional(integer(1, maxLimit), limit),
  offset: v.optional(integer(0, Number.MAX_SAFE_INTEGER), 0),
})

/**
 * Schema of `sort` in a query: the name of one of the orders, with `-` before it for descending
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d10-unknown-query-parameters). Names are sorted without
 * regard to the case of ASCII letters.
 *
 * @param orders the order of each name: a stored field and its type, or only the type when the field has that name.
 * @param preset order of a query without `sort`.
 */
export const sort = <const Name extends string>(
  orders: Readonly<Record<Name, Order | Order['type']>>,
  preset: NoInfer<Name> | `-${NoInfer<Name>}`,
) => v.optional(order(orders), preset)

/**
 * Schema of `sort` in a query that takes several orders, separated by commas: a later order applies to items that are
 * equal in all earlier orders. Parameters as for {@link sort}.
 */
export const sorts = <const Name extends string>(
  orders: Readonly<Record<Name, Order | Order['type']>>,
  preset: NoInfer<Name> | `-${NoInfer<Name>}`,
) =>
  v.pipe(
    v.optional(v.pipe(commaList(), v.maxLength(10, 'must contain at most 10 orders')), []),
    v.transform((names) => (names.length === 0 ? [preset] : names)),
    v.array(order(orders)),
  )

const order = <const Name extends string>(orders: Readonly<Record<Name, Order | Order['type']>>) =>
  v.pipe(
    v.picklist(
      Object.keys(orders).flatMap((name) => [name, `-${name}`]),
      `must be one of ${Object.keys(orders).join(', ')}, with "-" before it for descending`,
    ),
    v.transform((value): Order => {
      const name = value.replace(/^-/, '') as Name
      const order: Order | Order['type'] = orders[name]
      const stored: Order = typeof order === 'string' ? { field: name, type: order } : order
      return { ...stored, descending: value !== name, ...(stored.field === 'name' ? { ignoreCase: true } : {}) }
    }),
  )

/** Schema of an array in a response; read-only, so that stored lists can be part of a response without a copy. */
export const list = <S extends Schema>(item: S): ListSchema<S> => v.pipe(v.array(item), v.readonly())

/** Type of the schema of an array. */
export interface ListSchema<S extends Schema>
  extends v.GenericSchema<readonly v.InferInput<S>[], readonly v.InferOutput<S>[]> {}

/** Schema of a response that is too long for memory, as an iterable of its pieces. */
export const pieces = () =>
  v.custom<AsyncIterable<string>>(
    (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  )

/** A link of a response. */
export interface Link {
  href: string
  type: string
}

/** `_links` of a response, by their names. */
export interface Links {
  [name: string]: Link
}

export const link = (): v.GenericSchema<Link> => v.object({ href: v.string(), type: v.string() })
export const links = (): v.GenericSchema<Links> => v.record(v.string(), link())

/** An action of `_access`, with the statement that decides about it. */
export interface ShownDecision {
  action: string
  reason: {
    effect: 'allow' | 'deny'
    resources?: readonly string[] | undefined
    notResources?: readonly string[] | undefined
    actions?: readonly string[] | undefined
    notActions?: readonly string[] | undefined
    role_name?: string | undefined
  }
}

/** `_access` of a response. */
export interface ShownAccess {
  readonly denied: readonly ShownDecision[]
  readonly allowed: readonly ShownDecision[]
}

const accessEntry = v.object({
  action: v.string(),
  reason: v.object({
    effect: v.picklist(['allow', 'deny']),
    resources: v.optional(list(v.string())),
    notResources: v.optional(list(v.string())),
    actions: v.optional(list(v.string())),
    notActions: v.optional(list(v.string())),
    role_name: v.optional(v.string()),
  }),
})

/** Schema of `_access` (docs/decisions/0002-decide-access-by-policy.md#d18-access-details). */
export const accessDetails = (): v.GenericSchema<ShownAccess> =>
  v.object({ denied: list(accessEntry), allowed: list(accessEntry) })

/** Schema of a page of a collection (docs/decisions/0001-follow-one-set-of-http-conventions.md#d9-pagination). */
export const collection = <S extends Schema>(item: S) =>
  v.object({ items: list(item), totalCount: v.number(), _links: links() })

/** Schema of a boolean in a query or a form, which contain only text; in process also a boolean. */
export const booleanParameter = () =>
  v.pipe(
    v.union([v.boolean(), v.picklist(['true', 'false'])], 'must be true or false'),
    v.transform((value) => value === true || value === 'true'),
  )
