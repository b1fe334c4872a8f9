import { type JsonPatch, patchBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { actionsByPath } from '../../../operation/patch-actions.ts'
import { patchDocument } from '../../../operation/patch-document.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { type Application, applications } from '../application.ts'
import { applicationSettings } from '../application-response.ts'
import { type AccountApplication, findApplication, revisionOf } from './account-application.ts'
import { accountApplicationResponse, serializeAccountApplication } from './account-application-response.ts'

const properties = ['name', 'kind', 'description'] as const
const paths = properties.map((property) => `/${property}`)

export const patchAccountApplication = operation({
  id: 'patchAccountApplication',
  undo: [undoOf(applications, {})],
  summary: 'Update an application in all environments that have it; the caller needs the right in each of them',
  method: 'PATCH',
  path: '/api/v2/applications/{applicationKey}',
  beta: 'tagged',
  body: patchBody(actionsByPath(paths, applications)),
  success: { status: 200, body: accountApplicationResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the environments are known only after the applications were read; the rights to update are checked then',
  },
  async handle(context, { params, body }) {
    const { tx, fail } = context
    const application = (await findApplication(context, params.applicationKey)) ?? fail('not_found')
    context.requireRevision(await revisionOf(application.parts))
    const patched = await patchDocument(application.oldest, body, applicationSettings, {
      shown: () => serializeAccountApplication(context, application),
    })
    const settings = settingsNamedBy(body.operations, patched)
    const parts = application.parts.map(({ keys, document }) => ({
      keys,
      document: tx.replace(applications, keys, document, { ...document, ...settings }),
    }))
    context.setRevision(await revisionOf(parts))
    return serializeAccountApplication(context, { oldest: oldestOf({ ...application, parts }), parts })
  },
})

/**
 * Returns the properties that a patch names. A property whose value the patch does not change is included too, because
 * another environment can have a different value.
 */
function settingsNamedBy(operations: JsonPatch['operations'], patched: Application): Partial<Application> {
  const changedProperties = new Set(operations.filter(({ op }) => op !== 'test').map((each) => each.path.tokens[0]))
  const written = properties.filter((property) => changedProperties.has(property))
  return Object.fromEntries(written.map((property) => [property, patched[property]]))
}

function oldestOf({ oldest, parts }: AccountApplication): Application {
  const { createdAt } = oldest
  return parts.find(({ document }) => document.createdAt === createdAt)?.document ?? oldest
}
