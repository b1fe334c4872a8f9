import * as v from 'valibot'
import type { ExportedRecord } from './record-line.ts'

/** Maximum nesting of containers: more than requests may have, because the change log contains parts of requests. */
const maxDepth = 200

const name = v.pipe(v.string(), v.nonEmpty())
const time = v.pipe(v.number(), v.safeInteger())
const json = v.custom<unknown>(
  (value) => value !== undefined && isShallow(value, maxDepth),
  'must not be nested deeper than 200 levels',
)
const body = v.custom<Readonly<Record<string, unknown>>>(
  (value) => isObject(value) && isShallow(value, maxDepth),
  'must be an object that is not nested deeper than 200 levels',
)

const record = v.variant('kind', [
  v.strictObject({
    kind: v.literal('document'),
    collection: name,
    scope: v.string(),
    key: v.string(),
    version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    withheld: v.optional(v.array(name)),
    body,
  }),
  v.strictObject({ kind: v.literal('member'), name, scope: v.string(), member: v.string() }),
  v.strictObject({
    kind: v.literal('sample'),
    name,
    scope: v.string(),
    sample: v.strictObject({
      id: v.string(),
      at: time,
      label: v.string(),
      values: v.pipe(v.array(v.nullable(v.pipe(v.number(), v.finite()))), v.maxLength(8)),
      terms: v.exactOptional(v.pipe(v.array(v.string()), v.minLength(1))),
      body: json,
    }),
  }),
  v.strictObject({
    kind: v.literal('task'),
    name,
    scope: v.string(),
    task: v.strictObject({ id: v.string(), lane: v.string(), at: time, due: time, body: json }),
  }),
])

/** The record of a line, or the reason, as a clause, why the line is not a record. */
export type ParsedRecord = { readonly record: ExportedRecord } | { readonly error: string }

/**
 * Parses the record of a line.
 *
 * @param value the line, parsed as JSON.
 */
export function parseRecord(value: unknown): ParsedRecord {
  const parsed = v.safeParse(record, value)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const path = v.getDotPath(issue)
    return { error: path ? `${path}: ${issue.message}` : issue.message }
  }
  const output = parsed.output
  switch (output.kind) {
    case 'document':
      if (output.body.version !== output.version) return { error: 'version: must equal the version of the body' }
      // Cast: the schema does not change the body, so the output is the input.
      return { record: output as ExportedRecord }
    case 'member':
      return { record: { kind: 'member', set: nameAndScope(output), member: output.member } }
    case 'sample':
      return { record: { kind: 'sample', series: nameAndScope(output), sample: output.sample } }
    case 'task':
      return { record: { kind: 'task', queue: nameAndScope(output), task: output.task } }
  }
}

function nameAndScope({ name, scope }: { readonly name: string; readonly scope: string }) {
  return { name, scope }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((child) => isShallow(child, levels - 1))
}
