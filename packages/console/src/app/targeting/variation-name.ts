/** A variation that can be served. */
export interface VariationChoice {
  readonly _id: string
  readonly name?: string | undefined
  readonly value?: unknown
}

/** Returns the name of a variation, or its value in one short line. */
export function variationName(variation: Pick<VariationChoice, 'name' | 'value'> | undefined): string {
  if (!variation) return '?'
  const text =
    variation.name || (typeof variation.value === 'string' ? variation.value : JSON.stringify(variation.value))
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
