import type { Evaluated, EvaluationReason, FlagData, Ruleset } from '../evaluation/index.ts'

/** A flag as client-side SDKs are sent it: evaluated for their context. */
export interface ClientFlag {
  /** Null where the flag has none: the SDK then uses the caller's default. */
  readonly value: unknown
  /** Index of the variation; null where there is none. */
  readonly variation: number | null
  readonly version: number
  /** The version that events are to name. */
  readonly flagVersion: number
  /** Whether each evaluation is to be told of by an event of its own. */
  readonly trackEvents: boolean
  /** Whether such an event is to say why. */
  readonly trackReason?: true
  readonly debugEventsUntilDate?: number
  readonly reason?: EvaluationReason
}

/**
 * Evaluated flags as client-side SDKs are sent them, by flag key.
 *
 * @param evaluated what `evaluateAll` gave for the same ruleset.
 * @param options `reasons`: whether they want to know why; of what counts in an experiment they are told anyway.
 */
export function clientFlags(
  { flags }: Ruleset,
  evaluated: Readonly<Record<string, Evaluated>>,
  { reasons }: { readonly reasons: boolean },
): Readonly<Record<string, ClientFlag>> {
  const sent: [string, ClientFlag][] = []
  for (const [key, outcome] of Object.entries(evaluated)) {
    const data = flags.get(key)?.data
    if (data) sent.push([key, clientFlag(data, outcome, reasons)])
  }
  return Object.fromEntries(sent)
}

function clientFlag(data: FlagData, { value, variationIndex, reason }: Evaluated, reasons: boolean): ClientFlag {
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

/** Whether the evaluation is one that an experiment, or whoever tracks a rule, wants to know of. */
function isTracked({ rules, trackEventsFallthrough }: FlagData, reason: EvaluationReason): boolean {
  if (reason.kind === 'FALLTHROUGH') return reason.inExperiment === true || trackEventsFallthrough === true
  if (reason.kind !== 'RULE_MATCH') return false
  return reason.inExperiment === true || rules?.[reason.ruleIndex]?.trackEvents === true
}
