import type { FlagFormat } from '../flag-format.ts'
import { openUnleash } from './evaluator.ts'
import { readUnleash } from './read-unleash.ts'

/** Unleash, by the answers of its server. */
export const unleashFormat: FlagFormat = {
  name: 'unleash',
  title: 'Unleash',
  holds: 'what features-batch/export or /api/client/features answers',
  read: readUnleash,
  evaluator: { package: 'unleash-client', open: openUnleash },
}
