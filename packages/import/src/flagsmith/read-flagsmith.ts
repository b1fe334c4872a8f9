import type { ReadExport, ReadOptions } from '../flag-format.ts'
import { createKeyList, renameLosses } from '../imported-names.ts'
import type { ImportedFlag, Loss } from '../imported-project.ts'
import { readDocuments } from './documents.ts'
import { featuresIn } from './features.ts'
import { flagOf } from './flag.ts'
import { segmentsOf } from './segments.ts'
import { unknownPropertiesIn } from './unknown-properties.ts'

/**
 * Reads the environment documents that Flagsmith's server-side SDKs receive (`/api/v1/environment-document/`), or its
 * feature export.
 */
export function readFlagsmith(values: readonly unknown[], options: ReadOptions): ReadExport {
  const read = readDocuments(values, options)
  if (!read.ok) return read
  const segments = segmentsOf(read.documents)
  const features = featuresIn(read.documents)
  const keys = createKeyList(features.map(({ name }) => name))
  const losses: Loss[] = [...segments.losses, ...read.documents.flatMap(unknownPropertiesIn)]
  const flags: ImportedFlag[] = []
  for (const feature of features) {
    const key = keys.keyOf(feature.name)
    const flagResult = flagOf(feature, key, segments)
    if (flagResult.flag) flags.push(flagResult.flag)
    losses.push(...renameLosses({ flag: key }, feature.name, key), ...flagResult.losses)
  }
  const environments = read.documents.map((located) => ({ key: located.environmentKey, name: located.environmentName }))
  const importedProject = {
    environments,
    contextKinds: [],
    segments: segments.segments,
    flags,
    losses,
    advice,
    examples: segments.examples,
  }
  return { ok: true, importedProject }
}

const advice = [
  'The identifier of an identity is the key of a context of the kind user, and its traits are attributes: send all attributes that rules test with each request, because none are stored.',
  'A trait is compared by the type that the value in the rule looks like, as a number where it is one: the order of texts is not compared.',
  'A feature with values has the empty text, 0 or false when it is off; a feature without values is true or false.',
]
