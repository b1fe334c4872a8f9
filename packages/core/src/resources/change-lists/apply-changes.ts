import * as v from 'valibot'
import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { entityTag, listedCall, listedChanges, maxListed } from './listed-changes.ts'

export const applyChanges = operation({
  id: 'applyChanges',
  summary:
    'Apply a list of changes as one commit: each change is a call of an operation, with the rights of the caller',
  method: 'POST',
  path: '/api/v2/changes',
  body: jsonBody(
    v.strictObject({
      changes: listedChanges(),
      preconditions: v.optional(
        v.pipe(
          v.array(v.strictObject({ ...listedCall, ifMatch: entityTag() })),
          v.maxLength(maxListed, `must contain at most ${maxListed} preconditions`),
        ),
      ),
    }),
  ),
  success: {
    status: 200,
    body: v.object({
      items: list(
        v.object({
          operation: v.string(),
          entryId: v.optional(v.string()),
          sentences: list(v.string()),
          body: v.optional(v.unknown()),
        }),
      ),
    }),
  },
  errors: ['invalid_request', 'forbidden', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { open: true, why: 'each change is authorized as a call of its own operation' },
  combines: true,
  async handle(context, { body }) {
    const results = await context.runChanges(body)
    return {
      items: results.map(({ operation: id, entryId, sentences, body: response }) => ({
        operation: id,
        sentences,
        ...(entryId !== undefined && { entryId }),
        ...(response !== undefined && { body: response }),
      })),
    }
  },
})
