import * as v from 'valibot'
import { type FlagConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { key, text } from '../../../operation/schema.ts'
import { refuseWith } from '../changes/flag-change.ts'
import { saveFlag } from '../changes/save-flag.ts'
import { flagResponse, serializeFlag } from '../flag-schema.ts'
import { loadFlag, revisionOf } from '../flag-state.ts'
import { copiedConfig, copyableAspects } from './copied-config.ts'

const aspects = v.array(v.picklist(copyableAspects))

/** Schema of one of the two environments, and the version of the flag that the caller has read there. */
const sideRequest = v.strictObject({
  key: key(),
  currentVersion: v.optional(v.pipe(v.number(), v.integer('must be an integer'))),
})

const copyRequest = v.pipe(
  v.strictObject({
    source: sideRequest,
    target: sideRequest,
    comment: v.optional(text()),
    includedActions: v.optional(aspects),
    excludedActions: v.optional(aspects),
  }),
  v.forward(
    v.check(
      ({ includedActions, excludedActions }) => !includedActions || !excludedActions,
      'must not be given together with includedActions',
    ),
    ['excludedActions'],
  ),
  v.forward(
    v.check(({ source, target }) => source.key !== target.key, 'must be another environment than the source'),
    ['target', 'key'],
  ),
)

export const copyFlag = operation({
  id: 'copyFlag',
  summary: 'Copy the configuration of a feature flag from one environment to another',
  method: 'POST',
  path: '/api/v2/flags/{projectKey}/{flagKey}/copy',
  body: jsonBody(copyRequest),
  success: { status: 201, body: flagResponse },
  errors: ['invalid_request', 'forbidden', 'not_found', 'optimistic_locking_error'],
  // The response contains all environments. The handler checks the permissions for the two environments of the body.
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { projectKey, flagKey }, body }) {
    const { tx } = context
    const { source, target } = body
    const keys = { projectKey, flagKey }
    const before = (await loadFlag(tx, keys, context)) ?? context.fail('not_found')
    context.requireRevision(revisionOf(before))
    const sides = { source, target }
    const unknown = Object.entries(sides).filter(([, selection]) => !before.configs.has(selection.key))
    if (unknown.length > 0) {
      const reason = 'must be the key of an environment of the project'
      context.fail('invalid_request', { errors: unknown.map(([name]) => ({ attribute: `${name}.key`, reason })) })
    }
    await context.demand('copyFlagConfigFrom', flagConfigs, { ...keys, environmentKey: source.key })
    await context.demand('copyFlagConfigTo', flagConfigs, { ...keys, environmentKey: target.key })
    const configOf = (selection: typeof source): FlagConfig => {
      const config = before.configs.get(selection.key) as FlagConfig
      // Versions in responses start at 1.
      if (selection.currentVersion === undefined || selection.currentVersion === config.version + 1) return config
      const message = `The flag has version ${config.version + 1} in the environment ${selection.key}`
      return context.fail('optimistic_locking_error', { message })
    }
    const [from, to] = [configOf(source), configOf(target)]
    const after = await saveFlag(
      context,
      { keys, before },
      {
        flag: before.flag,
        configs: new Map([[target.key, copiedConfig(from, to, body)]]),
        comment: body.comment,
        sentences: {
          flag: [],
          config: [
            ({ name, place, nameOf }) =>
              `copied ${name} from ${nameOf('environment', source.key)} to its configuration${place}`,
          ],
        },
        refuse: refuseWith(({ attribute }) => `target.${attribute}`),
      },
    )
    context.setRevision(revisionOf(after))
    return serializeFlag(context, projectKey, after)
  },
})
