import * as v from 'valibot'
import { parseDocument } from 'yaml'

const texts = v.array(v.string())
const clause = v.looseObject({ attribute: v.string(), op: v.string(), values: v.array(v.unknown()) })
const rule = v.looseObject({ clauses: v.array(clause) })
const target = v.strictObject({ values: texts, variation: v.number(), contextKind: v.optional(v.string()) })
const keys = v.strictObject({ values: texts, contextKind: v.optional(v.string()) })

const config = v.strictObject({
  on: v.boolean(),
  offVariation: v.optional(v.number()),
  fallthrough: v.looseObject({}),
  targets: v.optional(v.array(target)),
  contextTargets: v.optional(v.array(target)),
  rules: v.optional(v.array(rule)),
  prerequisites: v.optional(v.array(v.strictObject({ key: v.string(), variation: v.number() }))),
  trackEvents: v.optional(v.boolean()),
  trackEventsFallthrough: v.optional(v.boolean()),
})

const flag = v.strictObject({
  name: v.string(),
  description: v.optional(v.string()),
  tags: v.optional(texts),
  temporary: v.boolean(),
  archived: v.optional(v.boolean()),
  deprecated: v.optional(v.boolean()),
  migrationSettings: v.optional(v.strictObject({ stageCount: v.number(), contextKind: v.optional(v.string()) })),
  variations: v.array(
    v.strictObject({ value: v.unknown(), name: v.optional(v.string()), description: v.optional(v.string()) }),
  ),
  defaults: v.strictObject({ onVariation: v.number(), offVariation: v.number() }),
  clientSideAvailability: v.strictObject({ usingEnvironmentId: v.boolean(), usingMobileKey: v.boolean() }),
  customProperties: v.optional(v.record(v.string(), v.strictObject({ name: v.string(), value: texts }))),
  environments: v.record(v.string(), config),
})

const segment = v.strictObject({
  name: v.string(),
  description: v.optional(v.string()),
  tags: v.optional(texts),
  unbounded: v.optional(v.boolean()),
  unboundedContextKind: v.optional(v.string()),
  included: v.optional(texts),
  excluded: v.optional(texts),
  includedContexts: v.optional(v.array(keys)),
  excludedContexts: v.optional(v.array(keys)),
  rules: v.optional(v.array(rule)),
})

const environment = v.strictObject({
  name: v.string(),
  color: v.string(),
  defaultTtl: v.optional(v.number()),
  secureMode: v.optional(v.boolean()),
  defaultTrackEvents: v.optional(v.boolean()),
  requireComments: v.optional(v.boolean()),
  confirmChanges: v.optional(v.boolean()),
  critical: v.optional(v.boolean()),
  tags: v.optional(texts),
})

const owned = v.strictObject({
  flags: v.optional(texts),
  tags: v.optional(texts),
  segments: v.optional(texts),
  settings: v.optional(v.boolean()),
})

const projectFile = v.strictObject({
  version: v.literal(1),
  project: v.string(),
  owns: v.optional(owned),
  settings: v.optional(
    v.strictObject({
      name: v.string(),
      tags: v.optional(texts),
      defaultClientSideAvailability: v.strictObject({ usingEnvironmentId: v.boolean(), usingMobileKey: v.boolean() }),
    }),
  ),
  environments: v.optional(v.record(v.string(), environment)),
  segments: v.optional(v.record(v.string(), v.record(v.string(), segment))),
  flags: v.optional(v.record(v.string(), flag)),
})

/** A project as a file: settings, environments, segments and flags. A property that is left out has its default. */
export type ProjectFile = v.InferOutput<typeof projectFile>

/**
 * The parts of a project that a file owns: flags by patterns of keys or by tags, segments by patterns of keys, and the
 * settings.
 */
export type OwnedParts = v.InferOutput<typeof owned>

/**
 * An error of a file of flags, with the path of the wrong part.
 *
 * @example
 * ```ts
 * import { ProjectFileError, parseProjectFile } from '@halyard/import'
 *
 * try {
 *   parseProjectFile('version: 1\nproject: web\nflags: { checkout: { name: 7 } }\n')
 * } catch (error) {
 *   if (!(error instanceof ProjectFileError)) throw error
 *   console.log(error.message.startsWith('flags.checkout')) // true
 * }
 * ```
 */
export class ProjectFileError extends Error {
  override readonly name = 'ProjectFileError'
}

/**
 * Reads a file of flags.
 *
 * @param text YAML.
 * @throws ProjectFileError naming the line that is not YAML, or the property that is wrong.
 *
 * @example
 * ```ts
 * import { applyPlan, parseProjectFile, planFlags, planText, pullFlags } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * await engine.given.flag('web', 'checkout')
 * const target = { api: engine.as({ role: 'owner' }) }
 * const text = await pullFlags(target, 'web')
 * const file = parseProjectFile(text.replace('on: false', 'on: true'))
 * const plan = await planFlags(target, file)
 * console.log(planText(plan).split('\n')[1]?.trim()) // turned on checkout in Production
 * await applyPlan(target, plan)
 * ```
 */
export function parseProjectFile(text: string): ProjectFile {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new ProjectFileError(error.message)
  return checkProjectFile(document.toJS())
}

/**
 * Returns a value as a file of flags, such as what a TypeScript module exports.
 *
 * @throws ProjectFileError naming the property that is wrong.
 *
 * @example
 * ```ts
 * import { checkProjectFile } from '@halyard/import'
 *
 * console.log(checkProjectFile({ version: 1, project: 'web' }).project) // web
 * ```
 */
export function checkProjectFile(value: unknown): ProjectFile {
  const parsed = v.safeParse(projectFile, value)
  if (parsed.success) return parsed.output
  const issue = parsed.issues[0]
  const path = v.getDotPath(issue) ?? ''
  throw new ProjectFileError(`${path === '' ? 'the file' : path}: ${issue.message}`)
}
