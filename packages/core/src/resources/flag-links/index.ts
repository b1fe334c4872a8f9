import { createFlagLink } from './create-flag-link.ts'
import { deleteFlagLink } from './delete-flag-link.ts'
import { listFlagLinks } from './list-flag-links.ts'
import { updateFlagLink } from './update-flag-link.ts'

export const flagLinkOperations = [listFlagLinks, createFlagLink, updateFlagLink, deleteFlagLink] as const
