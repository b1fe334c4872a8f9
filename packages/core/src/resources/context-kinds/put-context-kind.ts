import { contextKinds, defaultUserKind, maxContextKinds } from '../../models/context-kinds/context-kind.ts'
import { experimentationSettings } from '../../models/experimentation-settings/experimentation-settings.ts'
import { projects } from '../../models/projects/project.ts'
import { jsonBody } from '../../operation/body.ts'
import type { WriteContext } from '../../operation/context.ts'
import { fail, type ValidationError } from '../../operation/errors.ts'
import { operation } from '../../operation/operation.ts'
import { keyPattern } from '../../operation/schema.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { contextKindRequest, contextKindResponse, serializeContextKind, visibleVersion } from './context-kind-schema.ts'

/** Keys with a meaning of their own in contexts. */
const reservedKeys = ['kind', 'multi']

interface Keys {
  readonly projectKey: string
  readonly key: string
}

export const putContextKind = operation({
  id: 'putContextKind',
  undo: [
    undoOf(contextKinds, {
      async implied({ tx }, keys) {
        const project = keys.key === userKind ? await tx.get(projects, keys) : undefined
        return project && defaultUserKind(project.createdAt)
      },
      async update({ tx }, { keys, current, wanted }) {
        refuseIfAny(wanted.archived ? await validateArchiving({ tx }, keys) : [])
        tx.replace(contextKinds, keys, current, wanted)
      },
      create: 'createContextKind',
      // No operation deletes a kind, so the right to change it is required.
      async remove(context, keys, current) {
        await context.demand('updateContextKind', contextKinds, keys, current)
        refuseIfAny(await validateArchiving(context, keys))
        context.tx.remove(contextKinds, keys, current)
      },
    }),
  ],
  summary: 'Create or replace a context kind',
  method: 'PUT',
  path: '/api/v2/projects/{projectKey}/context-kinds/{key}',
  // The key need not exist yet. Invalid keys are rejected here.
  freeParams: ['key'],
  body: jsonBody(contextKindRequest),
  success: { status: 200, body: contextKindResponse },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: ['createContextKind', 'updateContextKind'],
    resource: 'proj/{projectKey}:context-kind/{key}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body: { version, ...settings } }) {
    const { tx } = context
    const now = context.readClock()
    const { projectKey, key } = params
    if (!keyPattern.test(key)) context.fail('not_found')
    const [storedProject, stored] = await Promise.all([tx.get(projects, params), tx.get(contextKinds, params)])
    const project = storedProject ?? context.fail('not_found')
    const before = stored ?? (key === userKind ? defaultUserKind(project.createdAt) : undefined)
    const currentVersion = before ? visibleVersion(before) : 1
    if (version !== undefined && version !== currentVersion) context.fail('optimistic_locking_error')
    context.requireRevision(currentVersion)
    refuseIfAny([...validateKey(key), ...(settings.archived ? await validateArchiving(context, params) : [])])
    tx.expect(projects, params, project)
    if (!before) await requireFreeKind(context, params)
    const after = before
      ? tx.replace(contextKinds, params, before, { ...before, ...settings, lastModified: now })
      : tx.insert(contextKinds, params, { key, ...settings, holds: 0, createdAt: now, lastModified: now })
    context.setRevision(visibleVersion(after))
    return serializeContextKind(context, projectKey, after)
  },
})

function refuseIfAny(errors: readonly ValidationError[]): void {
  if (errors.length > 0) fail('invalid_request', { errors })
}

function validateKey(key: string): ValidationError[] {
  if (reservedKeys.includes(key)) return [{ attribute: 'key', reason: `must not be ${reservedKeys.join(' or ')}` }]
  return key.length > 64 ? [{ attribute: 'key', reason: 'must have at most 64 characters' }] : []
}

/**
 * Returns the errors of archiving a kind. A kind by which experiments randomize cannot be archived, and neither can
 * `user`: in a project without settings, experiments randomize by `user`.
 */
async function validateArchiving({ tx }: Pick<WriteContext, 'tx'>, keys: Keys): Promise<ValidationError[]> {
  if (keys.key === userKind)
    return [{ attribute: 'archived', reason: 'must be false, because every project has the kind user' }]
  const { randomizationUnits = [] } = (await tx.get(experimentationSettings, keys)) ?? {}
  const isUsed = randomizationUnits.some(({ randomizationUnit }) => randomizationUnit === keys.key)
  return isUsed ? [{ attribute: 'archived', reason: 'must be false while experiments randomize by it' }] : []
}

/** Requires the right to create a kind, and fewer kinds than the maximum. */
async function requireFreeKind(context: WriteContext, keys: Keys): Promise<void> {
  await context.demand('createContextKind', contextKinds, keys)
  const { total } = await context.tx.listRows(contextKinds, keys, { limit: 0 })
  if (total < maxContextKinds) return
  fail('invalid_request', { message: `A project can have at most ${maxContextKinds} context kinds` })
}
