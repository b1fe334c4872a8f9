import type { FlagFormat } from '../flag-format.ts'
import { openReference } from './evaluator.ts'
import { readReference } from './read-reference.ts'

/** The API whose shape this one has, by its answers. */
export const referenceFormat: FlagFormat = {
  name: 'reference',
  title: 'the reference API',
  holds: 'what GET /api/v2/flags/{projectKey}?summary=0 answers, and segments',
  read: readReference,
  evaluator: { package: '@launchdarkly/node-server-sdk', open: openReference },
}
