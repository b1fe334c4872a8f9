import type { FlagData } from '../evaluation/index.ts'
import { targetingDataOf } from '../evaluation/targeting-data.ts'
import type { Targeting } from '../targeting/targeting.ts'
import type { AIConfigValue } from './ai-config-value.ts'

/** Properties of an AI config in the form of a flag, in which SDKs receive it. */
interface AIConfigFlag {
  readonly key: string
  readonly version: number
  readonly salt: string
  readonly targeting: Targeting
  readonly values: readonly AIConfigValue[]
  readonly clientSideAvailability: NonNullable<FlagData['clientSideAvailability']>
}

/**
 * Returns an AI config of an environment as SDKs receive it: a flag whose values are the variations. While the
 * targeting is off, the off variation is served disabled. The disabled variation is an additional value after all
 * others, because rules can serve the same variation enabled.
 */
export function aiConfigFlag({ values, targeting, ...flag }: AIConfigFlag): FlagData {
  const { offVariation, ...data } = targetingDataOf(targeting)
  const off = offVariation === undefined ? undefined : values[offVariation]
  return {
    ...flag,
    ...data,
    prerequisites: [],
    variations: off ? [...values, { ...off, _ldMeta: { ...off._ldMeta, enabled: false } }] : values,
    offVariation: off ? values.length : undefined,
  }
}
