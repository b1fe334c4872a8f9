export { getAutomatedRelease } from './get-automated-release.ts'
export { getAutomatedReleaseResults } from './get-automated-release-results.ts'
export { listAutomatedReleases } from './list-automated-releases.ts'
