import * as v from 'valibot'
import { layers } from '../../models/layers/layer.ts'
import { projects } from '../../models/projects/project.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { page } from '../../operation/schema.ts'
import type { Condition } from '../../storage/port.ts'
import { layerResponse, serializeLayer } from './layer-schema.ts'

const form = /^\s*reservations\.experimentKey\s+contains\s+"?([A-Za-z0-9._-]+)"?\s*$/

/** Schema of the only filter of layers. */
const filter = v.optional(
  v.pipe(
    v.string(),
    v.regex(form, 'must be `reservations.experimentKey contains` and the key of an experiment'),
    v.transform((text): readonly Condition[] => [
      { op: 'equals', field: 'experimentKeys', value: form.exec(text)?.[1] ?? '' },
    ]),
  ),
)

export const getLayers = listOperation(layers, {
  id: 'getLayers',
  summary: 'List the layers of a project',
  path: '/api/v2/projects/{projectKey}/layers',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: projects,
  query: v.object({ ...page(), filter }),
  select: ({ filter: conditions = [] }) => ({ where: conditions }),
  response: layerResponse,
  serialize: serializeLayer,
})
