import type { FlagDescription } from '@halyard/core'
import type { EvaluationReason } from '@halyard/core/evaluation'
import type { FlagMetadata } from '@openfeature/core'

/**
 * Returns the metadata of a resolution: the custom properties of the flag, and the properties of the reason.
 *
 * A single value that is the JSON text of a number or a boolean becomes that number or boolean. Several values become
 * one string, separated by commas.
 */
export function flagMetadata(
  { customProperties }: Pick<FlagDescription, 'customProperties'>,
  reason: EvaluationReason,
): FlagMetadata {
  const properties = Object.entries(customProperties).flatMap(([key, { value }]) =>
    value.length === 0 ? [] : [[key, value.length === 1 ? scalar(value[0] as string) : value.join(', ')] as const],
  )
  return { ...Object.fromEntries(properties), ...reasonMetadata(reason) }
}

/**
 * Returns the properties of a reason: `ruleIndex`, `ruleId`, `inExperiment`, `prerequisiteKey`, `bigSegmentsStatus`.
 * Its `kind` and `errorKind` are the reason and the error code of the resolution.
 */
export function reasonMetadata(reason: EvaluationReason): FlagMetadata {
  const { kind: _, errorKind: __, ...properties } = reason as EvaluationReason & { readonly errorKind?: string }
  return properties as FlagMetadata
}

/**
 * Returns a boolean or a number when a text is one. `1.0` and `007` remain strings, because a number would lose their
 * spelling.
 */
function scalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}
