import { resource } from '../../operation/resource.ts'
import { createFlagLink } from './create-flag-link.ts'
import { deleteFlagLink } from './delete-flag-link.ts'
import { flagLinks as flagLinkDocuments, flagLinkKeys } from './flag-link.ts'
import { listFlagLinks } from './list-flag-links.ts'
import { updateFlagLink } from './update-flag-link.ts'

export const flagLinks = resource({
  title: 'Flag links',
  description: 'Links from a flag to pages elsewhere.',
  collections: [flagLinkKeys, flagLinkDocuments],
  operations: [listFlagLinks, createFlagLink, updateFlagLink, deleteFlagLink],
})
