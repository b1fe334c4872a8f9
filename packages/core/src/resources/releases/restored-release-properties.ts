import type { Release } from '../../models/releases/release.ts'

/**
 * Properties of a release that callers do not change directly, and that a revert restores together with the properties
 * that callers change.
 */
export const restoredReleaseProperties = [
  'key',
  'pipelineName',
  'pipelineDescription',
  'isLegacy',
  'createdAt',
  'completedAt',
] as const satisfies readonly (keyof Release)[]
