// Generated from the descriptors of the resources: npm run generate

import type { StoredCollection } from '../../storage/collection.ts'
import { aiConfigs } from '../../models/ai-configs/ai-config.ts'
import { environments } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { metricGroups } from '../../models/metric-groups/metric-group.ts'
import { metrics } from '../../models/metrics/metric.ts'
import { projects } from '../../models/projects/project.ts'
import { segments } from '../../models/segments/segment.ts'

/**
 * The collections whose documents have attributes for policies: tags, properties, views. Every engine needs all of
 * them, because policies can name resources that the engine has no operation for.
 */
export const describedCollections: readonly StoredCollection[] = [
  projects,
  environments,
  flags,
  segments,
  aiConfigs,
  metricGroups,
  metrics,
]
