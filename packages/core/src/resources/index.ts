import type { Documents, Versioned } from '../storage/collection.ts'
import { changeLogOperations } from './change-log/index.ts'
import { codeReferenceOperations } from './code-references/index.ts'
import { deploymentOperations } from './deployments/index.ts'
import { environments } from './environments/environment.ts'
import { environmentOperations } from './environments/index.ts'
import { flags } from './flags/flag.ts'
import { flagOperations } from './flags/index.ts'
import { leadTimeOperations } from './lead-time/index.ts'
import { memberOperations } from './members/index.ts'
import { projectOperations } from './projects/index.ts'
import { projects } from './projects/project.ts'
import { roleOperations } from './roles/index.ts'
import { segmentOperations } from './segments/index.ts'
import { segments } from './segments/segment.ts'
import { teamOperations } from './teams/index.ts'
import { tokenOperations } from './tokens/index.ts'
import { viewOperations } from './views/index.ts'

/** Every operation of the engine: one line for each resource. */
export const operations = [
  ...projectOperations,
  ...environmentOperations,
  ...roleOperations,
  ...memberOperations,
  ...teamOperations,
  ...flagOperations,
  ...segmentOperations,
  ...viewOperations,
  ...tokenOperations,
  ...codeReferenceOperations,
  ...deploymentOperations,
  ...leadTimeOperations,
  ...changeLogOperations,
] as const

export type Operations = typeof operations

/** The collections whose documents have attributes that policies ask for: tags, properties, views. */
export const collections: readonly Documents<Versioned>[] = [projects, environments, flags, segments] as never
