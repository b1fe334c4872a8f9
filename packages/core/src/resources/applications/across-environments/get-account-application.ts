import { operation } from '../../../operation/operation.ts'
import { findApplication, revisionOf } from './account-application.ts'
import { accountApplicationResponse, serializeAccountApplication } from './account-application-response.ts'

export const getAccountApplication = operation({
  id: 'getAccountApplication',
  summary: 'Get an application, combined from all environments to which it was deployed',
  method: 'GET',
  path: '/api/v2/applications/{applicationKey}',
  beta: 'tagged',
  success: { status: 200, body: accountApplicationResponse },
  errors: ['not_found'],
  access: { open: true, why: 'an application of projects that the caller may not view is not found' },
  async handle(context, { params }) {
    const application = (await findApplication(context, params.applicationKey)) ?? context.fail('not_found')
    context.setRevision(await revisionOf(application.parts))
    return serializeAccountApplication(context, application)
  },
})
