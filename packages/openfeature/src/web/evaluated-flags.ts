import type { EvaluationReason } from '@halyard/core/evaluation'

/** A flag as the service evaluated it. */
export interface EvaluatedFlag {
  readonly value?: unknown
  /** Index of the variation; null when the caller's default value applies. */
  readonly variation: number | null
  readonly reason?: EvaluationReason
}

/** Evaluated flags by their keys. */
export type EvaluatedFlags = ReadonlyMap<string, EvaluatedFlag>

/**
 * Reads the body of a response: `{ <flag key>: { value, variation, reason } }`.
 *
 * @throws TypeError when the body has another shape.
 */
export function evaluatedFlags(body: unknown): EvaluatedFlags {
  if (!isRecord(body)) throw new TypeError('the response must be an object of flags')
  return new Map(
    Object.entries(body).map(([key, flag]) => {
      if (!isRecord(flag)) throw new TypeError(`flag ${key} of the response must be an object`)
      const { value, variation, reason } = flag
      return [key, { value, variation: typeof variation === 'number' ? variation : null, ...reasonIn(reason) }]
    }),
  )
}

function reasonIn(reason: unknown): Pick<EvaluatedFlag, 'reason'> {
  return isRecord(reason) && typeof reason.kind === 'string' ? { reason: reason as EvaluationReason } : {}
}

/** Returns the sorted keys of the flags that differ. */
export function changedFlags(before: EvaluatedFlags, after: EvaluatedFlags): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key))).sort()
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
