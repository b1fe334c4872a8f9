import type { FlagFormat } from './flag-format.ts'
import { flagdFormat } from './flagd/flagd-format.ts'
import { flagsmithFormat } from './flagsmith/flagsmith-format.ts'
import { growthbookFormat } from './growthbook/growthbook-format.ts'
import { referenceFormat } from './reference/reference-format.ts'
import { unleashFormat } from './unleash/unleash-format.ts'

/** Every service whose exports can be imported; each has a command. */
export const flagFormats: readonly FlagFormat[] = [
  unleashFormat,
  flagsmithFormat,
  growthbookFormat,
  flagdFormat,
  referenceFormat,
]
