import * as v from 'valibot'
import { environments } from '../../../models/environments/environment.ts'
import { operation } from '../../../operation/operation.ts'
import { list } from '../../../operation/schema.ts'
import { latestContexts } from '../latest-contexts.ts'
import { redactedAttributesOf } from '../redacted-attributes.ts'
import { standardAttributes } from './user-response.ts'

const names = () => list(v.string())

const users = [{ op: 'equals', field: 'kinds', value: 'user' }] as const

export const getUserAttributeNames = operation({
  id: 'getUserAttributeNames',
  summary: 'List the names of attributes of the 1,000 contexts of kind `user` that were seen last',
  method: 'GET',
  path: '/api/v2/user-attributes/{projectKey}/{environmentKey}',
  success: { status: 200, body: v.object({ private: names(), custom: names(), standard: names() }) },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, fail }, { params }) {
    if (!(await tx.get(environments, params))) fail('not_found')
    const sent = new Set<string>()
    const redacted = new Set<string>()
    for (const { kind: _, _meta: meta, ...attributes } of await latestContexts(tx, params, users)) {
      for (const name of Object.keys(attributes)) sent.add(name)
      for (const name of redactedAttributesOf(meta)) redacted.add(name)
    }
    const standard: readonly string[] = ['key', 'anonymous', ...standardAttributes]
    return {
      private: [...redacted].sort(),
      custom: [...sent].filter((name) => !standard.includes(name)).sort(),
      standard: [...sent].filter((name) => standard.includes(name)).sort(),
    }
  },
})
