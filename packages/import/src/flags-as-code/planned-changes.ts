import { isDeepStrictEqual } from 'node:util'
import { compact, defaultOf } from './compact.ts'
import { configNames, environmentNames, flagNames, segmentContentNames, settingNames } from './file-properties.ts'
import { ownership } from './ownership.ts'
import { type ProjectFile, ProjectFileError } from './project-file.ts'
import type { StoredPart, StoredProject } from './stored-project.ts'
import { withIds } from './with-ids.ts'

/** A call of an operation, and the resource that it changes. */
export interface PlannedChange {
  /** Kind and key of the resource, e.g. `flag checkout`. */
  readonly resource: string
  readonly operation: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** The changes that make a project equal to a file. */
export interface PlannedChanges {
  readonly changes: readonly PlannedChange[]
  /** Resources that the file owns and does not contain, e.g. `flag old`. */
  readonly unlisted: readonly string[]
}

interface PatchOperation {
  readonly op: 'test' | 'add' | 'replace' | 'remove'
  readonly path: string
  readonly value?: unknown
}

/** Options of the changes. */
export interface ChangeOptions {
  /** Deletes resources that the file owns but does not contain. Default false. */
  readonly prune?: boolean
  /** Comment of each change in the change log. */
  readonly comment?: string
}

/**
 * Returns the changes that make a project equal to a file. Each tests the values that it replaces, so that it conflicts
 * with a change of the same part by another caller.
 *
 * @throws ProjectFileError for a part of the file that no change can produce.
 */
export function plannedChanges(file: ProjectFile, stored: StoredProject, options: ChangeOptions = {}): PlannedChanges {
  const projectKey = file.project
  const owned = ownership(file.owns)
  const deleted = { flags: unlistedFlags(file, stored), segments: unlistedSegments(file, stored) }
  const segments = segmentChanges(file, stored)
  const flags = flagChanges(file, stored)
  const changes = [
    ...(owned.settings ? settingChanges(file, stored) : []),
    ...segments.creations,
    ...flags.creations,
    ...segments.patches,
    ...byPrerequisites(flags.patches, file),
    ...(options.prune ? deletions(projectKey, stored, deleted) : []),
    // These come last: before, a configuration may serve a variation that they remove, or a flag to delete may depend
    // on it.
    ...flags.removals,
  ]
  return {
    changes: options.comment === undefined ? changes : changes.map((change) => withComment(change, options.comment)),
    unlisted: [
      ...deleted.flags.map((key) => `flag ${key}`),
      ...deleted.segments.map(([environmentKey, key]) => `segment ${key} in ${environmentKey}`),
    ],
  }
}

function withComment(change: PlannedChange, comment: string | undefined): PlannedChange {
  return Array.isArray(change.body) ? { ...change, body: { comment, patch: change.body } } : change
}

function settingChanges({ project, settings, environments = {} }: ProjectFile, stored: StoredProject): PlannedChange[] {
  const patch = settings ? patchOf(settings, stored.settings, settingNames) : []
  const projectChanges =
    patch.length === 0 ? [] : [patchChange(`project ${project}`, 'patchProject', { projectKey: project }, patch)]
  const others = Object.entries(environments).flatMap(([environmentKey, desired]) => {
    const current = environmentIn(stored, environmentKey, `environments.${environmentKey}`)
    const operations = patchOf(desired, current, environmentNames)
    if (operations.length === 0) return []
    const parameters = { projectKey: project, environmentKey }
    return [patchChange(`environment ${environmentKey}`, 'patchEnvironment', parameters, operations)]
  })
  return [...projectChanges, ...others]
}

function environmentIn({ environments }: StoredProject, key: string, path: string): StoredPart {
  const environment = environments.get(key)
  if (!environment) throw new ProjectFileError(`${path}: the project has no environment "${key}"; create it first`)
  return environment
}

function segmentChanges({ project, segments = {}, owns }: ProjectFile, stored: StoredProject) {
  const owned = ownership(owns)
  const creations: PlannedChange[] = []
  const patches: PlannedChange[] = []
  for (const [environmentKey, items] of Object.entries(segments)) {
    environmentIn(stored, environmentKey, `segments.${environmentKey}`)
    for (const [key, desired] of Object.entries(items)) {
      const path = `segments.${environmentKey}.${key}`
      if (!owned.segment(key)) throw new ProjectFileError(`${path}: must be a segment that the file owns`)
      const resource = `segment ${key} in ${environmentKey}`
      const current = stored.segments.get(environmentKey)?.get(key)
      const { unbounded = false, unboundedContextKind, name, description, tags } = desired
      if (current && current.unbounded !== unbounded) throw new ProjectFileError(`${path}.unbounded: cannot be changed`)
      const kind = unboundedContextKind === undefined ? {} : { unboundedContextKind }
      if (!current) {
        const body = {
          key,
          name,
          ...(description !== undefined && { description }),
          tags: tags ?? [],
          unbounded,
          ...kind,
        }
        creations.push({
          resource,
          operation: 'createSegment',
          parameters: { projectKey: project, environmentKey },
          body,
        })
      }
      const names = ['name', 'description', 'tags', ...(unbounded ? [] : segmentContentNames)]
      const operations = patchOf(desired, current ?? { name, description, tags }, names)
      const parameters = { projectKey: project, environmentKey, segmentKey: key }
      if (operations.length > 0) patches.push(patchChange(resource, 'patchSegment', parameters, operations))
    }
  }
  return { creations, patches }
}

type FileFlag = NonNullable<ProjectFile['flags']>[string]

function flagChanges(file: ProjectFile, stored: StoredProject) {
  const { project: projectKey, flags = {}, owns } = file
  const owned = ownership(owns)
  const creations: PlannedChange[] = []
  const patches: PlannedChange[] = []
  const removals: PlannedChange[] = []
  for (const [key, desired] of Object.entries(flags)) {
    const current = stored.flags.get(key)
    if (!owned.flag(key, desired.tags ?? []))
      throw new ProjectFileError(`flags.${key}: must be a flag that the file owns`)
    for (const name of Object.keys(desired.environments))
      environmentIn(stored, name, `flags.${key}.environments.${name}`)
    if (!current) creations.push(flagCreation(projectKey, key, desired))
    else if (!isDeepStrictEqual(current.migrationSettings, desired.migrationSettings))
      throw new ProjectFileError(`flags.${key}.migrationSettings: cannot be changed`)
    const parameters = { projectKey, flagKey: key }
    const common = flagPatch(desired, current)
    const isRemoval = desired.variations.length < countOf(current)
    const retained = isRemoval ? common.filter(({ path }) => path !== '/variations') : common
    const operations = [...retained, ...configPatches(desired, current)]
    if (operations.length > 0) patches.push(patchChange(`flag ${key}`, 'patchFlag', parameters, operations))
    const removed = common.filter(({ path }) => isRemoval && path === '/variations')
    if (removed.length > 0) removals.push(patchChange(`flag ${key}`, 'patchFlag', parameters, removed))
  }
  return { creations, patches, removals }
}

/** Returns the number of variations of a flag. */
function countOf(flag: StoredPart | undefined): number {
  return ((flag?.variations ?? []) as readonly unknown[]).length
}

function flagCreation(projectKey: string, key: string, desired: FileFlag): PlannedChange {
  const { environments: _, migrationSettings, variations, archived: __, deprecated: ___, ...settings } = desired
  const kind = migrationSettings ? { purpose: 'migration', migrationSettings } : { variations }
  return {
    resource: `flag ${key}`,
    operation: 'createFlag',
    parameters: { projectKey },
    body: { key, ...settings, ...kind },
  }
}

/**
 * Returns the changes that concern all environments. For a new flag, only the changes that its creation cannot make.
 */
function flagPatch(desired: FileFlag, current: StoredPart | undefined): PatchOperation[] {
  if (current) return patchOf(desired, current, flagNames)
  return patchOf(desired, { archived: false, deprecated: false }, ['archived', 'deprecated'])
}

function configPatches({ environments }: FileFlag, current: StoredPart | undefined): PatchOperation[] {
  const configs = current?.environments as Readonly<Record<string, StoredPart>> | undefined
  return Object.entries(environments).flatMap(([key, desired]) => {
    const at = `/environments/${key}`
    return configs ? patchOf(desired, configs[key] as StoredPart, configNames, at) : newConfigPatch(desired, at)
  })
}

/**
 * Returns the operations for a new flag: settings of the project decide its first configurations, so all are replaced.
 */
function newConfigPatch(desired: object, at: string): PatchOperation[] {
  return configNames.map((name): PatchOperation => {
    const value = propertyOf(desired, name) ?? defaultOf(name)
    return value === undefined ? { op: 'remove', path: `${at}/${name}` } : { op: 'add', path: `${at}/${name}`, value }
  })
}

/** Returns the operations that set properties, each after a test of the value that it replaces. */
function patchOf(desired: object, current: object, names: readonly string[], at = ''): PatchOperation[] {
  return names.flatMap((name): PatchOperation[] => {
    const [wanted, is] = [propertyOf(desired, name), propertyOf(current, name)]
    if (isDeepStrictEqual(compact({ [name]: wanted }), compact({ [name]: is }))) return []
    const path = `${at}/${name}`
    const tests = is === undefined ? [] : [{ op: 'test' as const, path, value: is }]
    const value = wanted ?? defaultOf(name)
    if (value === undefined) return [...tests, { op: 'remove', path }]
    return [...tests, { op: is === undefined ? 'add' : 'replace', path, value: withIds(value, is) }]
  })
}

function propertyOf(values: object, name: string): unknown {
  return (values as Readonly<Record<string, unknown>>)[name]
}

function patchChange(
  resource: string,
  operation: string,
  parameters: PlannedChange['parameters'],
  body: readonly PatchOperation[],
): PlannedChange {
  return { resource, operation, parameters, body }
}

/**
 * Orders flags so that a prerequisite is changed before the flags that depend on it, because these may need a variation
 * that the change adds.
 */
function byPrerequisites(patches: readonly PlannedChange[], { flags = {} }: ProjectFile): PlannedChange[] {
  const waiting = new Map(patches.map((change) => [change.parameters.flagKey as string, change]))
  const ordered: PlannedChange[] = []
  function take(key: string): void {
    const change = waiting.get(key)
    if (!change) return
    waiting.delete(key)
    for (const { prerequisites = [] } of Object.values(flags[key]?.environments ?? {})) {
      for (const prerequisite of prerequisites) take(prerequisite.key)
    }
    ordered.push(change)
  }
  for (const key of [...waiting.keys()]) take(key)
  return ordered
}

function unlistedFlags({ flags = {}, owns }: ProjectFile, stored: StoredProject): string[] {
  const owned = ownership(owns)
  const all = [...stored.flags].filter(([key, { tags }]) => owned.flag(key, tags as readonly string[]))
  return all.flatMap(([key]) => (Object.hasOwn(flags, key) ? [] : [key]))
}

function unlistedSegments({ segments = {}, owns }: ProjectFile, stored: StoredProject): [string, string][] {
  const owned = ownership(owns)
  return [...stored.segments].flatMap(([environmentKey, items]) =>
    [...items.keys()].flatMap((key): [string, string][] =>
      owned.segment(key) && !Object.hasOwn(segments[environmentKey] ?? {}, key) ? [[environmentKey, key]] : [],
    ),
  )
}

/** Returns the deletions, each after a test of the version: another caller may have changed the resource. */
function deletions(
  projectKey: string,
  stored: StoredProject,
  { flags, segments }: { readonly flags: readonly string[]; readonly segments: readonly (readonly [string, string])[] },
): PlannedChange[] {
  const flagDeletions = dependentsFirst(flags, stored).flatMap((flagKey) => {
    const parameters = { projectKey, flagKey }
    const test = [{ op: 'test' as const, path: '/_version', value: stored.flags.get(flagKey)?._version }]
    const resource = `flag ${flagKey}`
    return [patchChange(resource, 'patchFlag', parameters, test), { resource, operation: 'deleteFlag', parameters }]
  })
  const segmentDeletions = segments.flatMap(([environmentKey, segmentKey]) => {
    const parameters = { projectKey, environmentKey, segmentKey }
    const current = stored.segments.get(environmentKey)?.get(segmentKey)
    const test = [{ op: 'test' as const, path: '/version', value: current?.version }]
    const resource = `segment ${segmentKey} in ${environmentKey}`
    return [
      patchChange(resource, 'patchSegment', parameters, test),
      { resource, operation: 'deleteSegment', parameters },
    ]
  })
  return [...flagDeletions, ...segmentDeletions]
}

function dependentsFirst(keys: readonly string[], { flags }: StoredProject): string[] {
  const remaining = new Set(keys)
  const ordered: string[] = []
  function take(key: string): void {
    if (!remaining.delete(key)) return
    const configs = Object.values((flags.get(key)?.environments ?? {}) as Record<string, StoredPart>)
    for (const { prerequisites } of configs) {
      for (const prerequisite of (prerequisites ?? []) as readonly { readonly key: string }[]) take(prerequisite.key)
    }
    ordered.unshift(key)
  }
  for (const key of keys) take(key)
  return ordered
}
