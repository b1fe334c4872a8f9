export { createFlagEvents } from './create-flag-events.ts'
export { listFlagEvents } from './list-flag-events.ts'
