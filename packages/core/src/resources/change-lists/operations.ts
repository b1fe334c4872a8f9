export { applyChanges } from './apply-changes.ts'
export { simulateChanges } from './simulate-changes.ts'
