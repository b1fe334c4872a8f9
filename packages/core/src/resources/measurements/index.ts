import {
  measuredUnits,
  measurements as measurementDocuments,
  measurementSums,
} from '../../models/measurements/measurement.ts'
import { resource } from '../../operation/resource.ts'

export const measurements = resource({
  title: 'Measurements',
  description: 'Comparisons of variations: units, their events, and the sums from which results are computed.',
  collections: [measurementDocuments, measurementSums, measuredUnits],
  operations: [],
})
