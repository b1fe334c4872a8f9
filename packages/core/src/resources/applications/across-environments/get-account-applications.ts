import { operation } from '../../../operation/operation.ts'
import { collection } from '../../../operation/schema.ts'
import { findApplications } from './account-application.ts'
import { accountApplicationResponse, serializeAccountApplication } from './account-application-response.ts'
import { applicationFields, listQuery, pageOfItems } from './list-query.ts'

export const getAccountApplications = operation({
  id: 'getAccountApplications',
  summary: 'List the applications that were deployed to any environment which the caller may view, each once',
  method: 'GET',
  path: '/api/v2/applications',
  beta: 'tagged',
  query: listQuery(applicationFields, 10),
  success: { status: 200, body: collection(accountApplicationResponse) },
  errors: ['invalid_request'],
  access: { open: true, why: 'the list omits applications of projects that the caller may not view' },
  async handle(context, { query }) {
    const applications = await findApplications(context)
    const items = [...applications.values()].map((application) => {
      const { key, name, kind, createdAt } = application.oldest
      return { key, fields: { name, kind, creationDate: createdAt, autoAdded: 'true' }, item: application }
    })
    const { items: page, ...others } = pageOfItems(items, query, context.url)
    return { items: page.map((application) => serializeAccountApplication(context, application)), ...others }
  },
})
