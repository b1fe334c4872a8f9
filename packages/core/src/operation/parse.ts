import * as v from 'valibot'
import { fail, type ValidationError } from './errors.ts'
import { isUnknownProperty, otherUnknownProperties } from './unknown-properties.ts'

/**
 * The boundary to the validation library. The rest of the engine uses schemas and validation errors only through this
 * file and `schema.ts`.
 */
export type Schema = v.GenericSchema
export type Input<S extends Schema> = v.InferInput<S>
export type Output<S extends Schema> = v.InferOutput<S>

export type ParseResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: ValidationError[] }

/**
 * Validates a value against a schema and returns every validation error
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body). An array is not an object. An error never
 * contains the invalid value, because it may be a secret.
 */
export function parse<S extends Schema>(schema: S, value: unknown): ParseResult<Output<S>> {
  return parsed(prepared(schema), value)
}

function parsed<S extends Schema>(schema: S, value: unknown): ParseResult<Output<S>> {
  const result = v.safeParse(schema, value)
  if (result.success) return { ok: true, value: result.output }
  const issues = [...result.issues, ...otherUnknownProperties(schema, value, result.issues)]
  return { ok: false, errors: issues.map(errorOf) }
}

/**
 * Validates properties of an object, each against its own schema, as `parse` does.
 *
 * @param entries the schemas of the properties; others are ignored.
 * @param value an object that is not an array.
 */
export function parseProperties(entries: Readonly<Record<string, Schema>>, value: object): ParseResult<object> {
  for (const entry of Object.values(entries)) prepared(entry)
  return parsed(v.object(entries), value)
}

/**
 * Returns the output of a schema for a value, or fails with `invalid_request`, naming every validation error
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 */
export function parseOrFail<S extends Schema>(schema: S, value: unknown): Output<S> {
  const result = parse(schema, value)
  return result.ok ? result.value : fail('invalid_request', { errors: result.errors })
}

function errorOf(issue: v.BaseIssue<unknown>): ValidationError {
  return { attribute: v.getDotPath(issue) ?? '', reason: reasonOf(issue) }
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== 'schema') return issue.message
  if (isUnknownProperty(issue)) return 'is not a known member'
  if (issue.received === 'undefined') return 'must be present'
  return hasOwnMessage(issue) ? issue.message : `must be ${expectation(issue.expected)}`
}

/** Returns true when the schema has a message of its own. The library's default message contains the invalid value. */
function hasOwnMessage({ message }: v.BaseIssue<unknown>): boolean {
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

/** The parts of a schema that contain other schemas. */
interface SchemaParts {
  readonly kind: string
  readonly type: string
  '~run': v.GenericSchema['~run']
  readonly entries?: Readonly<Record<string, SchemaParts>>
  readonly item?: SchemaParts
  readonly items?: readonly SchemaParts[]
  readonly key?: SchemaParts
  readonly value?: SchemaParts
  readonly rest?: SchemaParts
  readonly wrapped?: SchemaParts
  readonly options?: readonly unknown[]
  readonly pipe?: readonly (SchemaParts | LengthCheck)[]
}

/**
 * The types of schemas for objects. The library accepts an array for each of them, because `typeof` returns `object`
 * for arrays too.
 */
const objectTypes: ReadonlySet<string> = new Set([
  'object',
  'strict_object',
  'loose_object',
  'object_with_rest',
  'record',
  'variant',
])

const changed = new WeakSet<object>()

/**
 * Changes a schema and all schemas inside it: schemas of objects then refuse arrays like other values that are not
 * objects, and schemas of lists check the length before the elements. Schemas are changed in place, once, because pipes
 * and fast paths keep references to the original schemas in closures.
 */
function prepared<S extends v.GenericSchema>(schema: S): S {
  // Cast: a schema is an object with these parts, which its type does not show.
  visit(schema as unknown as SchemaParts)
  return schema
}

function visit(schema: SchemaParts): void {
  if (changed.has(schema)) return
  changed.add(schema)
  if (objectTypes.has(schema.type)) schema['~run'] = withoutArrays(schema)
  const lengthCheck = schema.type === 'array' ? schema.pipe?.find(isLengthCheck) : undefined
  if (lengthCheck) schema['~run'] = withLengthFirst(schema, lengthCheck)
  for (const part of partsOf(schema)) visit(part)
}

/** A value that is not an object. For an array, the schema reports the issue that it reports for this value. */
const noObject = false

function withoutArrays(schema: SchemaParts): SchemaParts['~run'] {
  const run = schema['~run']
  // The function uses `this` and not `schema`, because the library copies schemas, e.g. to make their properties
  // optional.
  return function (this: SchemaParts, dataset, config) {
    return run.call(this, Array.isArray(dataset.value) ? { ...dataset, value: noObject } : dataset, config)
  }
}

/** A check of the length of a list. */
interface LengthCheck {
  readonly type: 'max_length' | 'length'
  readonly requirement: number
  '~run'(dataset: v.OutputDataset<unknown, v.BaseIssue<unknown>>, config: v.Config<v.BaseIssue<unknown>>): RunResult
}

type RunResult = ReturnType<SchemaParts['~run']>

function isLengthCheck(part: object): part is LengthCheck {
  return 'type' in part && (part.type === 'max_length' || part.type === 'length')
}

/** Refuses a list that is too long before its elements are checked, because checking all of them could take long. */
function withLengthFirst(schema: SchemaParts, check: LengthCheck): SchemaParts['~run'] {
  const run = schema['~run']
  return function (this: SchemaParts, dataset, config) {
    const { value } = dataset
    if (!Array.isArray(value) || value.length <= check.requirement) return run.call(this, dataset, config)
    const { issues } = check['~run']({ typed: true, value }, config)
    // `typed` is false, because otherwise checks of the value that contains the list would read elements that were not
    // checked.
    return { typed: false, value, issues: issues as NonNullable<typeof issues> }
  }
}

function partsOf(schema: SchemaParts): readonly SchemaParts[] {
  const { entries = {}, item, items = [], key, value, rest, wrapped, options = [], pipe = [] } = schema
  return [...Object.values(entries), item, ...items, key, value, rest, wrapped, ...options, ...pipe].filter(isSchema)
}

/**
 * Tests whether a part of a schema is a schema itself. The options of a picklist are values, and a pipe also contains
 * checks and transformations.
 */
function isSchema(part: unknown): part is SchemaParts {
  return typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'schema'
}
