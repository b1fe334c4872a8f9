import { layers as layerDocuments } from '../../models/layers/layer.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const layers = resource({
  title: 'Layers',
  description: 'Sets of experiments in which no context is in two experiments.',
  kinds: [{ shape: 'proj:layer', actions: ['createLayer', 'updateLayer'] }],
  collections: [layerDocuments],
  operations: Object.values(operations),
  parameters: {
    layerKey: 'Key of the layer.',
    filter: 'Layers with an experiment: `reservations.experimentKey contains` and the key of the experiment.',
  },
})
