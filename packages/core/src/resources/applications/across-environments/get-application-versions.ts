import { operation } from '../../../operation/operation.ts'
import { collection } from '../../../operation/schema.ts'
import { findVersions } from './application-version.ts'
import { applicationVersionResponse, serializeApplicationVersion } from './application-version-response.ts'
import { listQuery, pageOfItems, versionFields } from './list-query.ts'

export const getApplicationVersions = operation({
  id: 'getApplicationVersions',
  summary: 'List the versions of an application that were deployed to any environment which the caller may view',
  method: 'GET',
  path: '/api/v2/applications/{applicationKey}/versions',
  beta: 'tagged',
  query: listQuery(versionFields, 50),
  success: { status: 200, body: collection(applicationVersionResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { open: true, why: 'an application of projects that the caller may not view is not found' },
  async handle(context, { params: { applicationKey }, query }) {
    const versions = (await findVersions(context, applicationKey)) ?? context.fail('not_found')
    const items = [...versions.values()].map((version) => {
      const { key, name, supported, createdAt } = version
      const fields = { name, supported: String(supported), creationDate: createdAt, autoAdded: 'true' }
      return { key, fields, item: version }
    })
    const { items: page, ...others } = pageOfItems(items, query, context.url)
    return {
      items: page.map((version) => serializeApplicationVersion(context, applicationKey, version)),
      ...others,
    }
  },
})
