export { applyChanges } from './apply-changes.ts'
