import type { ExposureSource, Measurement } from '../../models/measurements/measurement.ts'
import type { ReportedExposure } from '../../rules/measurement/measured-report.ts'

/**
 * Returns the index of the variation of a measurement to which an exposure counts; undefined when it does not count.
 */
export type VariationOfExposure = (exposure: ReportedExposure) => number | undefined

/**
 * Makes the function that assigns exposures to the variations of a measurement: by the variation that was served, or
 * for a holdout by the rule that served it.
 */
export function exposedVariations({ flagKey, places, variations, sources }: Measurement): VariationOfExposure {
  if (sources) {
    const byPlace = new Map<string, ExposureSource[]>()
    for (const source of sources) byPlace.set(nameOf(source), [...(byPlace.get(nameOf(source)) ?? []), source])
    return (exposure) =>
      byPlace
        .get(nameOf(exposure))
        ?.find(({ from, until = Number.POSITIVE_INFINITY }) => exposure.at >= from && exposure.at < until)?.variation
  }
  const variationAt = new Map(variations.map(({ index }, at) => [index, at]))
  return ({ flagKey: exposedKey, place, variation }) =>
    exposedKey === flagKey && places.includes(place) ? variationAt.get(variation) : undefined
}

function nameOf({ flagKey, place }: { readonly flagKey: string; readonly place: string }): string {
  return `${place} ${flagKey}`
}
