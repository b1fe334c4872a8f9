import * as v from 'valibot'
import { patchBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { booleanParameter } from '../../operation/schema.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { applyFlagInstructions } from './changes/apply-flag-instructions.ts'
import { applyFlagPatch, flagPathActions } from './changes/apply-flag-patch.ts'
import { saveFlag } from './changes/save-flag.ts'
import { undoFlags } from './changes/undo-flags.ts'
import { flagResponse, serializeFlag } from './flag-schema.ts'
import { loadFlag, revisionOf } from './flag-state.ts'
import { flagInstruction } from './instructions/flag-instruction.ts'
import { removeFlag } from './remove-flag.ts'

export const patchFlag = operation({
  id: 'patchFlag',
  undo: undoFlags,
  summary: 'Update a feature flag in one environment or in all, with a JSON Patch or a semantic patch',
  method: 'PATCH',
  path: '/api/v2/flags/{projectKey}/{flagKey}',
  query: v.object({ ...bypassQuery, ignoreConflicts: v.optional(booleanParameter(), false) }),
  body: patchBody(flagPathActions, flagInstruction),
  success: { status: 200, body: flagResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  // The response contains all environments. The permissions for a patch are checked at the address of each document
  // that it changes.
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { projectKey, flagKey }, body }) {
    const { tx } = context
    const keys = { projectKey, flagKey }
    const before = (await loadFlag(tx, keys, context)) ?? context.fail('not_found')
    context.requireRevision(revisionOf(before))
    if (body.format === 'semantic' && body.instructions.length === 1 && body.instructions[0]?.kind === 'deleteFlag') {
      await removeFlag(context, keys, before)
      return serializeFlag(context, projectKey, before)
    }
    const change =
      body.format === 'semantic'
        ? await applyFlagInstructions(context, { keys, before }, body)
        : await applyFlagPatch(context, projectKey, before, body)
    const after = await saveFlag(context, { keys, before }, change)
    context.setRevision(revisionOf(after))
    return serializeFlag(context, projectKey, after)
  },
})
