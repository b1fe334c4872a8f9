import type { EvaluationReason } from '@halyard/core/evaluation'

/** A flag as it was evaluated elsewhere. */
export interface EvaluatedFlag {
  readonly value?: unknown
  /** Index of the variation; null where there is none, and the caller's default is to be used. */
  readonly variation: number | null
  readonly reason?: EvaluationReason
}

export type EvaluatedFlags = ReadonlyMap<string, EvaluatedFlag>

/**
 * Reads what a service answers: `{ <flag key>: { value, variation, reason } }`.
 *
 * @throws TypeError for anything else.
 */
export function evaluatedFlags(body: unknown): EvaluatedFlags {
  if (!isRecord(body)) throw new TypeError('the answer has no flags')
  return new Map(
    Object.entries(body).map(([key, flag]) => {
      if (!isRecord(flag)) throw new TypeError(`the answer has no value for flag ${key}`)
      const { value, variation, reason } = flag
      return [key, { value, variation: typeof variation === 'number' ? variation : null, ...reasonIn(reason) }]
    }),
  )
}

function reasonIn(reason: unknown): Pick<EvaluatedFlag, 'reason'> {
  return isRecord(reason) && typeof reason.kind === 'string' ? { reason: reason as unknown as EvaluationReason } : {}
}

/** The keys of flags that are not what they were, sorted. */
export function differingFlags(before: EvaluatedFlags, after: EvaluatedFlags): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key))).sort()
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
