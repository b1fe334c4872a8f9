import type { Release } from '../../models/releases/release.ts'

/** Properties of a release that no caller changes by themselves, and that a revert restores with the others. */
export const restoredReleaseProperties = [
  'key',
  'pipelineName',
  'pipelineDescription',
  'isLegacy',
  'createdAt',
  'completedAt',
] as const satisfies readonly (keyof Release)[]
