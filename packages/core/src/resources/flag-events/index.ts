import { createFlagEvents } from './create-flag-events.ts'
import { listFlagEvents } from './list-flag-events.ts'

export const flagEventOperations = [createFlagEvents, listFlagEvents] as const
