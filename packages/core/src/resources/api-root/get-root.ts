import * as v from 'valibot'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { links } from '../../operation/schema.ts'

/** The lists that the root links to, by the name of the link. */
const lists = {
  projects: '/api/v2/projects',
  members: '/api/v2/members',
  teams: '/api/v2/teams',
  'custom-roles': '/api/v2/roles',
  tokens: '/api/v2/tokens',
  webhooks: '/api/v2/webhooks',
  auditlog: '/api/v2/auditlog',
  'caller-identity': '/api/v2/caller-identity',
  versions: '/api/v2/versions',
}

export const getRoot = operation({
  id: 'getRoot',
  summary: 'Get links to the lists of the account',
  method: 'GET',
  path: '/api/v2',
  success: { status: 200, body: v.object({ links: links() }) },
  errors: [],
  access: { open: true, why: 'the links are the same for every caller; each list has rights of its own' },
  async handle() {
    const self = linkTo('/api/v2')
    return { links: { self, ...Object.fromEntries(Object.entries(lists).map(([name, href]) => [name, linkTo(href)])) } }
  },
})
