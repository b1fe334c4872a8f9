export { getFlagDefaults } from './get-flag-defaults.ts'
export { patchFlagDefaults } from './patch-flag-defaults.ts'
export { putFlagDefaults } from './put-flag-defaults.ts'
