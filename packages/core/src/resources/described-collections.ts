import type { Documents, Versioned } from '../storage/collection.ts'
import { aiConfigs } from './ai-configs/ai-config.ts'
import { environments } from './environments/environment.ts'
import { flags } from './flags/flag.ts'
import { projects } from './projects/project.ts'
import { segments } from './segments/segment.ts'

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
