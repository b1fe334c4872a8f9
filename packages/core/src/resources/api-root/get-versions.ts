import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { stableVersions } from '../../operation/stable-versions.ts'

const latest = Math.max(...stableVersions)

export const getVersions = operation({
  id: 'getVersions',
  summary: 'Get the versions of the API; all of them have the same responses',
  method: 'GET',
  path: '/api/v2/versions',
  success: {
    status: 200,
    body: v.object({
      validVersions: list(v.number()),
      latestVersion: v.number(),
      currentVersion: v.number(),
      beta: v.boolean(),
    }),
  },
  errors: [],
  access: { open: true, why: 'the versions are the same for every caller' },
  async handle() {
    return { validVersions: stableVersions, latestVersion: latest, currentVersion: latest, beta: false }
  },
})
