import * as v from 'valibot'
import { parseHttpUrl } from '../rules/http-url.ts'
import type { Order } from '../storage/port.ts'
import { type Fault, fail } from './errors.ts'
import { isUnknownProperty, otherUnknownProperties } from './unknown-properties.ts'

/**
 * The seam to the validation library: everything else in the engine speaks of schemas and faults only through here.
 */
export type Schema = v.GenericSchema
export type Input<S extends Schema> = v.InferInput<S>
export type Output<S extends Schema> = v.InferOutput<S>

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: Fault[] }

/**
 * Checks a value against a schema and reports every fault
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body), never the faulty value itself: it may be a
 * secret.
 */
export function parse<S extends Schema>(schema: S, value: unknown): Parsed<Output<S>> {
  const result = v.safeParse(schema, value)
  if (result.success) return { ok: true, value: result.output }
  const issues = [...result.issues, ...otherUnknownProperties(schema, value, result.issues)]
  return { ok: false, faults: issues.map(faultOf) }
}

/**
 * Returns the value as a schema makes it, or fails with `invalid_request`, naming every validation error
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 */
export function parseOrFail<S extends Schema>(schema: S, value: unknown): Output<S> {
  const result = parse(schema, value)
  return result.ok ? result.value : fail('invalid_request', { errors: result.faults })
}

function faultOf(issue: v.BaseIssue<unknown>): Fault {
  return { attribute: v.getDotPath(issue) ?? '', reason: reasonOf(issue) }
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema') return issue.message
  if (isUnknownProperty(issue)) return 'is not a known member'
  if (issue.received === 'undefined') return 'must be present'
  return hasOwnWords(issue) ? issue.message : `must be ${expectation(issue.expected)}`
}

/** Whether the schema says itself what it wants. The words of the library show the faulty value. */
function hasOwnWords({ message }: v.BaseIssue<unknown>): boolean {
  return !/^Invalid \w+: (Expected|Received) /.test(message)
}

const expectations: Readonly<Record<string, string>> = {
  Object: 'an object',
  Array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  unknown: 'valid',
}

function expectation(expected: string | null): string {
  if (expected === null) return 'valid'
  return expectations[expected] ?? `one of ${expected.replace(/[()]/g, '').replaceAll(' | ', ', ')}`
}

/**
 * A point in time in an answer: a string of Unix milliseconds, or a number where the engine is told so
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d4-timestamps).
 */
export type Timestamp = string | number

export const timestamp = () => v.union([v.pipe(v.string(), v.digits()), v.pipe(v.number(), v.integer())])

/** Pattern of a key (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). */
export const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,255}$/

/** A key in a body (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). */
export const key = () =>
  v.pipe(
    v.string(),
    v.regex(keyPattern, 'must be 1 to 256 letters, digits, ".", "_" or "-", starting with a letter or digit'),
  )

/** Whether a value is a key (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys). */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && keyPattern.test(value)
}

/** A human-readable name: 1 to 256 characters. */
export const name = () =>
  v.pipe(v.string(), v.minLength(1, 'must not be empty'), v.maxLength(256, 'must have at most 256 characters'))

/** Free text of at most 10,000 characters. */
export const text = () => v.pipe(v.string(), v.maxLength(10_000, 'must have at most 10000 characters'))

/** An object in a request whose member names are open; a list, which has names `0`, `1` and so on, is none. */
export const dictionary = <K extends v.GenericSchema<string, string>, S extends Schema>(names: K, values: S) =>
  v.pipe(
    v.custom<Record<string, Input<S>>>((value) => !Array.isArray(value), 'must be an object'),
    v.record(names, values),
  )

/** The address of something on the web: an absolute `http` or `https` URL of at most 2,048 characters. */
export const httpUrl = () =>
  v.pipe(
    v.string(),
    v.maxLength(2048, 'must have at most 2048 characters'),
    v.check((text) => parseHttpUrl(text) !== undefined, 'must be an absolute http or https URL without a password'),
  )

/** Tags: distinct, each 1 to 64 letters, digits, `.`, `_` or `-`; at most 100. */
export const tags = () =>
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"'))),
    v.maxLength(1000, 'must contain at most 1000 tags'),
    v.check((list) => new Set(list).size === list.length, 'must not repeat a tag'),
    v.readonly(),
  )

/**
 * Any JSON object in a request. What it must not hold, wherever it stands, is refused before
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 */
export const jsonObject = () =>
  v.custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )

/** Any JSON object in an answer. */
export const anyObject = () => v.record(v.string(), v.unknown())

/** A whole number, also as a text of this pattern; a text of another one is told what it should be, not of which type. */
const wholeNumber = (pattern: RegExp, message: string) =>
  v.pipe(
    v.union([v.number(), v.string()]),
    v.check((value) => (typeof value === 'string' ? pattern.test(value) : Number.isInteger(value)), message),
    v.transform(Number),
  )

const lastMoment = 8_640_000_000_000_000

/**
 * A point in time in a request: integer Unix milliseconds, also written as a string.
 *
 * One look at each value: batches have tens of thousands of them, and a pipe of checks took most of the time.
 */
export const moment = () =>
  v.pipe(
    v.custom<string | number>(
      (value) => isMoment(value),
      ({ input }) => momentFault(input),
    ),
    v.transform(Number),
    // What a schema of one's own takes can be read nowhere else.
    v.metadata({ integer: { minimum: 0, maximum: lastMoment } }),
  )

/** Whether a value is a point in time as requests write it. */
export function isMoment(value: unknown): value is string | number {
  if (typeof value === 'string') return /^\d{1,16}$/.test(value) && Number(value) <= lastMoment
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= lastMoment
}

function momentFault(value: unknown): string {
  if (typeof value !== 'number' && typeof value !== 'string') return 'must be one of number, string'
  const isWhole = typeof value === 'string' ? /^\d{1,16}$/.test(value) : Number.isInteger(value)
  if (!isWhole) return 'must be integer Unix milliseconds'
  return Number(value) < 0 ? 'must not be negative' : 'must be a date'
}

/**
 * The same schema, which looks once at what nearly all values are: of the tens of thousands of a batch the checks of each
 * member would take longer than all that is done with them. What it does not know at that look it checks in full, so that
 * faults read the same.
 *
 * @param look the checked value made anew from an object, or undefined where that takes a closer look.
 */
export function atOneLook<S extends Schema>(
  schema: S,
  look: (value: Readonly<Record<string, unknown>>) => Output<S> | undefined,
): S {
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const { value } = dataset
      const known = typeof value === 'object' && value !== null ? look(value as Record<string, unknown>) : undefined
      return known === undefined ? schema['~run'](dataset, config) : { typed: true, value: known }
    },
  }
}

/** A whole number in a query, also written as a string. */
export const integer = (min: number, max: number) =>
  v.pipe(
    wholeNumber(/^-?\d{1,15}$/, 'must be an integer'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  )

/** A comma-separated list in a query; in process also an array. Empty items are dropped. */
export const commaList = () =>
  v.pipe(
    v.union([v.string(), v.array(v.string())]),
    v.transform((value) => (typeof value === 'string' ? value.split(',') : value).filter((item) => item !== '')),
  )

/**
 * `expand` in a query: a comma list of the named members
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d10-unknown-query-parameters).
 */
export const expand = <const Member extends string>(...members: readonly Member[]) =>
  v.optional(v.pipe(commaList(), v.array(v.picklist(members, `must be one of ${members.join(', ')}`))), [])

/**
 * `limit` and `offset` in a query (docs/decisions/0001-follow-one-set-of-http-conventions.md#d9-pagination): default
 * 20, at most 100 unless said otherwise.
 */
export const page = ({ limit = 20, most = 100 }: { limit?: number; most?: number } = {}) => ({
  limit: v.optional(integer(1, most), limit),
  offset: v.optional(integer(0, Number.MAX_SAFE_INTEGER), 0),
})

/**
 * `sort` in a query: the name of one of the orders, `-` before it for descending
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d10-unknown-query-parameters).
 *
 * @param orders what each name sorts by: a stored field, or only its type where the field has that name.
 */
export const sort = <const Name extends string>(
  orders: Readonly<Record<Name, Order | Order['type']>>,
  preset: NoInfer<Name> | `-${NoInfer<Name>}`,
) =>
  v.optional(
    v.pipe(
      v.picklist(
        Object.keys(orders).flatMap((name) => [name, `-${name}`]),
        `must be one of ${Object.keys(orders).join(', ')}, with "-" before it for descending`,
      ),
      v.transform((value): Order => {
        const name = value.replace(/^-/, '') as Name
        const order = orders[name]
        return { ...(typeof order === 'string' ? { field: name, type: order } : order), descending: value !== name }
      }),
    ),
    preset,
  )

/** An array in an answer; read-only, so that stored lists can be shown without copying them. */
export const list = <S extends Schema>(item: S) => v.pipe(v.array(item), v.readonly())

/** An answer that is too long to be held, as its pieces of text. */
export const pieces = () =>
  v.custom<AsyncIterable<string>>(
    (value) => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  )

export const link = () => v.object({ href: v.string(), type: v.string() })
export const links = () => v.record(v.string(), link())

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

/** `_access` (docs/decisions/0002-decide-access-by-policy.md#d18-access-details). */
export const accessDetails = () => v.object({ denied: list(accessEntry), allowed: list(accessEntry) })

/** The envelope of a collection (docs/decisions/0001-follow-one-set-of-http-conventions.md#d9-pagination). */
export const collection = <S extends Schema>(item: S) =>
  v.object({ items: list(item), totalCount: v.number(), _links: links() })
