import type { FlagFormat } from '../flag-format.ts'
import { openUnleash } from './evaluator.ts'
import { readUnleash } from './read-unleash.ts'

/** The format of Unleash: the responses of its server. */
export const unleashFormat: FlagFormat = {
  name: 'unleash',
  title: 'Unleash',
  fileContent: 'responses of features-batch/export or /api/client/features',
  read: readUnleash,
  evaluator: { package: 'unleash-client', open: openUnleash },
}
