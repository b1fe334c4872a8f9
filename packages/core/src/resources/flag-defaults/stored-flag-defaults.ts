import { type FlagDefaults, flagDefaults, initialFlagDefaults } from '../../models/projects/flag-defaults.ts'
import { type Project, projects } from '../../models/projects/project.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Writer } from '../../storage/writer.ts'
import type { FlagDefaultSettings } from './flag-defaults-schema.ts'

interface ProjectKeys {
  readonly projectKey: string
}

/** The two documents in which the defaults of new flags are stored. */
export interface StoredFlagDefaults {
  readonly project: Project
  readonly defaults: FlagDefaults
}

/** Loads the defaults of new flags of a project; undefined when the project does not exist. */
export async function loadFlagDefaults(tx: Reader, keys: ProjectKeys): Promise<StoredFlagDefaults | undefined> {
  const [project, defaults = initialFlagDefaults] = await Promise.all([
    tx.get(projects, keys),
    tx.get(flagDefaults, keys),
  ])
  return project && { project, defaults }
}

/** Returns the revision of the defaults, which changes with each of the two documents. */
export function revisionOf({ project, defaults }: StoredFlagDefaults): string {
  return `${project.version}.${defaults.version}`
}

/** Stores other defaults. The caller needs the right of each part that differs. */
export function saveFlagDefaults(
  tx: Writer,
  keys: ProjectKeys,
  { project, defaults }: StoredFlagDefaults,
  { defaultClientSideAvailability, ...settings }: FlagDefaultSettings,
): StoredFlagDefaults {
  const after = {
    defaults: tx.replace(flagDefaults, keys, defaults, { ...defaults, ...settings }),
    project: tx.replace(projects, keys, project, { ...project, defaultClientSideAvailability }),
  }
  // The defaults of a project that is deleted concurrently are not stored.
  if (after.project === project) tx.expect(projects, keys, project)
  return after
}
