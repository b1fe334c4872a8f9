export { createFlagLink } from './create-flag-link.ts'
export { deleteFlagLink } from './delete-flag-link.ts'
export { listFlagLinks } from './list-flag-links.ts'
export { updateFlagLink } from './update-flag-link.ts'
