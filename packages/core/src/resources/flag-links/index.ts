import { resource } from '../../operation/resource.ts'
import { flagLinks as flagLinkDocuments, flagLinkKeys } from './flag-link.ts'
import * as operations from './operations.ts'

export const flagLinks = resource({
  title: 'Flag links',
  description: 'Links from a flag to pages elsewhere.',
  collections: [flagLinkKeys, flagLinkDocuments],
  operations: Object.values(operations),
})
