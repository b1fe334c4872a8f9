import * as v from 'valibot'
import { deployments } from '../../../models/deployments/deployment.ts'
import { patchBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { actionsByPath } from '../../../operation/patch-actions.ts'
import { patchDocument } from '../../../operation/patch-document.ts'
import { undoOf } from '../../../operation/undo/undo-rules.ts'
import { revisionOf } from './account-application.ts'
import { findVersions, versionOf } from './application-version.ts'
import { applicationVersionResponse, serializeApplicationVersion } from './application-version-response.ts'

const settings = v.object({ supported: v.boolean() })

export const patchApplicationVersion = operation({
  id: 'patchApplicationVersion',
  undo: [undoOf(deployments, {})],
  summary:
    'Mark a version of an application as supported or not; the caller needs the right to each of its deployments',
  method: 'PATCH',
  path: '/api/v2/applications/{applicationKey}/versions/{versionKey}',
  freeParams: ['versionKey'],
  beta: 'tagged',
  body: patchBody(actionsByPath(['/supported'], deployments)),
  success: { status: 200, body: applicationVersionResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    open: true,
    why: 'the environments are known only after the deployments were read; the rights to update are checked then',
  },
  async handle(context, { params: { applicationKey, versionKey }, body }) {
    const { tx, fail } = context
    const before = (await findVersions(context, applicationKey, versionKey))?.get(versionKey) ?? fail('not_found')
    context.requireRevision(await revisionOf(before.parts))
    const { supported } = await patchDocument({ supported: before.supported, version: 0 }, body, settings, {
      shown: () => serializeApplicationVersion(context, applicationKey, before),
    })
    const parts = before.parts.map(({ keys, document }) => ({
      keys,
      document: tx.replace(deployments, keys, document, { ...document, supported }),
    }))
    context.setRevision(await revisionOf(parts))
    return serializeApplicationVersion(context, applicationKey, versionOf(versionKey, parts))
  },
})
