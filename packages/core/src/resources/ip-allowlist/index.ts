import { ipAllowlists } from '../../models/ip-allowlist/ip-allowlist.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const ipAllowlist = resource({
  title: 'IP allowlist',
  description:
    'The addresses from which requests of the management API come. It can limit requests with sessions, and those with access tokens.',
  kinds: [
    {
      shape: 'ip-allowlist',
      noun: 'IP allowlist',
      accountLevel: true,
      actions: [
        'viewIpAllowlist',
        'updateIpAllowlistEnabled',
        'createIpAllowlistEntry',
        'updateIpAllowlistEntry',
        'deleteIpAllowlistEntry',
      ],
    },
  ],
  collections: [ipAllowlists],
  operations: Object.values(operations),
  parameters: {
    id: 'Id of the entry.',
    search: 'Text that the address or the description of an entry contains, ignoring case.',
    limit: 'Maximum number of entries, 1 to 100. Default: all.',
    offset: 'Number of entries to skip. Default 0.',
  },
})
