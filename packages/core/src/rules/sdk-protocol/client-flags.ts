import type { EvaluationReason, EvaluationResult, FlagData, Ruleset } from '../evaluation/index.ts'

/** A flag as client-side SDKs receive it: evaluated for their context. */
export interface ClientFlag {
  /** Null if the flag has no value: the SDK then uses the caller's default. */
  readonly value: unknown
  /** Index of the variation; null if no variation is served. */
  readonly variation: number | null
  readonly version: number
  /** Version that the events of the SDK refer to. */
  readonly flagVersion: number
  /** True if the SDK is to send an event for each evaluation. */
  readonly trackEvents: boolean
  /** True if the event of an evaluation is to contain its reason. */
  readonly trackReason?: true
  readonly debugEventsUntilDate?: number
  readonly reason?: EvaluationReason
}

/**
 * Returns evaluated flags as client-side SDKs receive them, by flag key.
 *
 * @param results results of `evaluateAll` for the same ruleset.
 * @param options `reasons`: true if the SDK requests reasons; tracked evaluations contain them in any case.
 */
export function clientFlags(
  { flags }: Ruleset,
  results: Readonly<Record<string, EvaluationResult>>,
  { reasons }: { readonly reasons: boolean },
): Readonly<Record<string, ClientFlag>> {
  const entries: [string, ClientFlag][] = []
  for (const [key, result] of Object.entries(results)) {
    const data = flags.get(key)?.data
    if (data) entries.push([key, clientFlag(data, result, reasons)])
  }
  return Object.fromEntries(entries)
}

function clientFlag(data: FlagData, { value, variationIndex, reason }: EvaluationResult, reasons: boolean): ClientFlag {
  const { version = 0, trackEvents = false, debugEventsUntilDate } = data
  const tracked = isTracked(data, reason)
  return {
    value: value ?? null,
    variation: variationIndex,
    version,
    flagVersion: version,
    trackEvents: trackEvents || tracked,
    ...(tracked ? { trackReason: true } : {}),
    ...(typeof debugEventsUntilDate === 'number' ? { debugEventsUntilDate } : {}),
    ...(reasons || tracked ? { reason } : {}),
  }
}

/** Returns true if the evaluation is part of an experiment or of a rule that is tracked. */
function isTracked(data: FlagData, reason: EvaluationReason): boolean {
  if (reason.kind !== 'FALLTHROUGH' && reason.kind !== 'RULE_MATCH') return false
  return reason.inExperiment === true || tracksRule(data, reason)
}

/** Returns true if an SDK is to send an event for every evaluation with this reason, also outside of experiments. */
export function tracksEvaluation(data: FlagData, reason: EvaluationReason): boolean {
  return data.trackEvents === true || tracksRule(data, reason)
}

function tracksRule({ rules, trackEventsFallthrough }: FlagData, reason: EvaluationReason): boolean {
  if (reason.kind === 'FALLTHROUGH') return trackEventsFallthrough === true
  return reason.kind === 'RULE_MATCH' && rules?.[reason.ruleIndex]?.trackEvents === true
}
