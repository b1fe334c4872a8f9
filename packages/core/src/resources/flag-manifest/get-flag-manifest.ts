import * as v from 'valibot'
import { flags } from '../../models/flags/flag.ts'
import { projects } from '../../models/projects/project.ts'
import { operation } from '../../operation/operation.ts'
import { list } from '../../operation/schema.ts'
import { manifestFlag, manifestTypes } from './manifest-flag.ts'

/** No limit, because a generator writes code for all flags. */
const noLimit = 2 ** 31 - 1

export const getFlagManifest = operation({
  id: 'getFlagManifest',
  summary:
    'Get the flags of a project as the manifest from which the OpenFeature CLI generates code, without archived flags',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/openfeature/v0/manifest',
  success: {
    status: 200,
    body: v.object({
      flags: list(
        v.object({
          key: v.string(),
          name: v.string(),
          type: v.picklist(manifestTypes),
          description: v.optional(v.string()),
          defaultValue: v.unknown(),
        }),
      ),
    }),
  },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle({ tx, fail }, { params }) {
    if (!(await tx.get(projects, params))) fail('not_found')
    const unarchived = { op: 'not', condition: { op: 'equals', field: 'state', value: 'archived' } } as const
    const { items } = await tx.list(flags, params, { where: [unarchived], limit: noLimit })
    return { flags: items.map(manifestFlag) }
  },
})
