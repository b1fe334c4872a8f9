export { getCallerIdentity } from './get-caller-identity.ts'
export { getRoot } from './get-root.ts'
export { getVersions } from './get-versions.ts'
export { listTags } from './list-tags.ts'
