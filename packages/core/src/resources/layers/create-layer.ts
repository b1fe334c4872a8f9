import { layers } from '../../models/layers/layer.ts'
import { projects } from '../../models/projects/project.ts'
import { createOperation } from '../../operation/document-operations/create-operation.ts'
import { newSeed } from '../experiments/new-seed.ts'
import { layerRequest, layerResponse, serializeLayer } from './layer-schema.ts'

export const createLayer = createOperation(layers, {
  id: 'createLayer',
  summary: 'Create a layer, whose experiments exclude each other',
  path: '/api/v2/projects/{projectKey}/layers',
  access: { action: 'createLayer', resource: 'proj/{projectKey}:layer/{body.key}' },
  within: projects,
  body: layerRequest,
  make: (context, body) => ({
    ...body,
    seed: newSeed(context),
    reservations: [],
    createdAt: context.readClock(),
  }),
  response: layerResponse,
  serialize: serializeLayer,
})
