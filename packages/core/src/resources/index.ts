import type { Documents, Versioned } from '../storage/collection.ts'
import { environments } from './environments/environment.ts'
import { environmentOperations } from './environments/index.ts'
import { projectOperations } from './projects/index.ts'
import { projects } from './projects/project.ts'
import { roleOperations } from './roles/index.ts'
import { tokenOperations } from './tokens/index.ts'

/** Every operation of the engine: one line for each resource. */
export const operations = [
  ...projectOperations,
  ...environmentOperations,
  ...roleOperations,
  ...tokenOperations,
] as const

export type Operations = typeof operations

/** The collections whose documents have attributes that policies ask for: tags, properties, views. */
export const collections: readonly Documents<Versioned>[] = [projects, environments] as never
