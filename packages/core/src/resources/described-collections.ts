import { aiConfigs } from '../models/ai-configs/ai-config.ts'
import { environments } from '../models/environments/environment.ts'
import { flags } from '../models/flags/flag.ts'
import { projects } from '../models/projects/project.ts'
import { segments } from '../models/segments/segment.ts'
import type { Documents, Versioned } from '../storage/collection.ts'

/**
 * The collections whose documents have attributes that policies ask for: tags, properties, views. Every engine knows
 * them all, as a policy can speak of things that the engine has no operation for.
 */
export const describedCollections: readonly Documents<Versioned>[] = [
  projects,
  environments,
  flags,
  segments,
  aiConfigs,
] as never
