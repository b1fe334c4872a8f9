export { getAutomatedRelease } from './get-automated-release.ts'
export { listAutomatedReleases } from './list-automated-releases.ts'
