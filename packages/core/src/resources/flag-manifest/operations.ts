export { getFlagManifest } from './get-flag-manifest.ts'
