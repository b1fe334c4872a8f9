import type { FlagDescription } from '@halyard/core'
import type { EvaluationReason } from '@halyard/core/evaluation'
import type { FlagMetadata } from '@openfeature/core'

/**
 * What a resolution says of its flag: the flag's custom properties, and what the reason tells besides its kind (`ruleIndex`,
 * `ruleId`, `inExperiment`, `prerequisiteKey`, `bigSegmentsStatus`).
 *
 * A property with one value that is written as numbers and truth values are is one; several values are one text with
 * commas between them.
 */
export function flagMetadata(
  { customProperties }: Pick<FlagDescription, 'customProperties'>,
  { kind: _, ...told }: EvaluationReason,
): FlagMetadata {
  const properties = Object.entries(customProperties).flatMap(([key, { value }]) =>
    value.length === 0 ? [] : [[key, value.length === 1 ? scalar(value[0] as string) : value.join(', ')] as const],
  )
  return { ...Object.fromEntries(properties), ...reasonMembers(told) }
}

/** What the reason of an evaluation tells besides its kind, but for the kind of an error. */
export function reasonMembers(told: object): FlagMetadata {
  const { errorKind: _, ...rest } = told as Record<string, string | number | boolean>
  return rest
}

/** `1.0` and `007` stay texts, as would be lost what they look like. */
function scalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return Number.isFinite(number) && String(number) === text ? number : text
}
