import * as v from 'valibot'
import type { ExportError } from '../flag-format.ts'
import { errorAt, pointer, readShape } from '../read-shape.ts'

const flagShape = v.looseObject({
  state: v.picklist(['ENABLED', 'DISABLED']),
  variants: v.record(v.string(), v.unknown()),
  defaultVariant: v.nullish(v.string()),
  targeting: v.nullish(v.looseObject({})),
  metadata: v.nullish(v.record(v.string(), v.unknown())),
})

const setShape = v.looseObject({
  flags: v.record(v.string(), flagShape),
  $evaluators: v.nullish(v.record(v.string(), v.unknown())),
  metadata: v.nullish(v.record(v.string(), v.unknown())),
})

export type FlagdFlag = v.InferOutput<typeof flagShape>

export interface FlagdExport {
  readonly ok: true
  /** Flags by key, with the references in their targeting resolved. */
  readonly flags: Readonly<Record<string, FlagdFlag>>
  readonly metadata: Readonly<Record<string, unknown>>
  /** Properties of the flag set that are not read. */
  readonly unknownProperties: object
}

/** Reads a flag set of flagd. */
export function readFlagdExport(values: readonly unknown[]): FlagdExport | ExportError {
  if (values.length !== 1) return errorAt('', 'must be exactly one flag set')
  const read = readShape(setShape, values[0], '')
  if (!read.ok) return read
  const { flags, $evaluators, metadata, ...rest } = read.value
  const evaluators = $evaluators ?? {}
  const resolvedFlags = Object.entries(flags).map(([key, flag]) => [
    key,
    { ...flag, targeting: resolveReferences(flag.targeting, evaluators) },
  ])
  for (const [key, flag] of Object.entries(flags)) {
    if (Object.keys(flag.variants).length === 0)
      return errorAt(pointer('', 'flags', key, 'variants'), 'must contain at least one variant')
    if (flag.defaultVariant && !Object.hasOwn(flag.variants, flag.defaultVariant)) {
      return errorAt(pointer('', 'flags', key, 'defaultVariant'), 'must be the name of a variant')
    }
  }
  return { ok: true, flags: Object.fromEntries(resolvedFlags), metadata: metadata ?? {}, unknownProperties: rest }
}

/**
 * Inserts shared parts where they are referred to. A part that itself refers to parts is resolved only once, as flagd
 * does.
 */
function resolveReferences<T>(logic: T, evaluators: Readonly<Record<string, unknown>>): T {
  if (Array.isArray(logic)) return logic.map((item) => resolveReferences(item, evaluators)) as T
  if (typeof logic !== 'object' || logic === null) return logic
  const entries = Object.entries(logic)
  const [only] = entries
  if (entries.length === 1 && only?.[0] === '$ref' && Object.hasOwn(evaluators, String(only[1]))) {
    return evaluators[String(only[1])] as T
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, resolveReferences(value, evaluators)])) as T
}
