import { dryRunQuery } from '../operation/dry-run-query.ts'
import { fail, type ValidationError } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import { type Parsed, parse } from '../operation/schema.ts'
import type { DecodedCall } from './call-state.ts'

/**
 * Checks the query parameters of an operation that changes something. It refuses those that it does not know, because a
 * misspelled `dryRun` must not write
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d10-unknown-query-parameters).
 *
 * @param values the parameters by name; in process also the other properties of the input.
 * @param others names in `values` that are not query parameters.
 * @throws ApiError `invalid_request` naming each invalid and each unknown parameter.
 */
export function decodeWritingQuery(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  others: readonly string[],
): Pick<DecodedCall, 'query' | 'dryRun'> {
  const own: Parsed<unknown> = operation.query ? parse(operation.query, values) : { ok: true, value: {} }
  const run = parse(dryRunQuery, values)
  const errors = [
    ...unknownParameters(operation, values, others),
    ...(own.ok ? [] : own.errors),
    ...(run.ok ? refusedDryRun(operation, run.value.dryRun) : run.errors),
  ]
  if (errors.length > 0) fail('invalid_request', { errors })
  return { query: outputOf(own), dryRun: outputOf(run).dryRun }
}

function outputOf<T>(parsed: Parsed<T>): T {
  return parsed.ok ? parsed.value : fail('invalid_request', { errors: parsed.errors })
}

function unknownParameters(
  { query, body }: Operation,
  values: Readonly<Record<string, unknown>>,
  others: readonly string[],
): ValidationError[] {
  // The fields of an upload are query parameters when the file is the whole body.
  const upload = body?.kind === 'upload' ? ['filename', ...namesIn(body.fields)] : []
  const known = new Set([...namesIn(query), ...upload, ...Object.keys(dryRunQuery.entries), ...others])
  return Object.keys(values)
    .filter((name) => !known.has(name) && values[name] !== undefined)
    .map((attribute) => ({ attribute, reason: 'is not a known parameter' }))
}

/** Returns the names of the properties of an object schema. */
function namesIn(schema: Operation['query']): readonly string[] {
  // Cast: a schema of parameters is an object schema, or a pipe that starts with one and has its properties.
  return Object.keys((schema as { readonly entries?: object } | undefined)?.entries ?? {})
}

function refusedDryRun({ body }: Operation, dryRun: boolean): ValidationError[] {
  if (!dryRun || body?.kind !== 'upload') return []
  return [{ attribute: 'dryRun', reason: 'must not be true for an upload, which is stored in parts while it is read' }]
}
