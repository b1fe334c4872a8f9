import type { Resource, ResourceLevel } from '../address.ts'
import { compileQualifiers, type Qualifier } from './qualifier.ts'
import type { Specifier, SpecifierLevel } from './specifier.ts'
import { compileTextPattern, matchesEverything, type RoleAttributes, type TextTest } from './text-pattern.ts'

/** A specifier tied to a caller, reduced to the levels that can fail. */
export interface CompiledSpecifier {
  readonly source: string
  /** Only resources with these kinds may be put to the tests. */
  readonly shape: string
  readonly tests: readonly LevelTest[]
}

export interface LevelTest {
  /** Index of the level in the resource. */
  readonly at: number
  /** Undefined when every name will do. */
  readonly name: TextTest | undefined
  /** Code of the character that every such name begins with, if there is one: refuses most names without a call. */
  readonly initial: number | undefined
  readonly qualifiers: readonly Qualifier[]
}

/**
 * Ties a specifier to a caller.
 *
 * @param attributes what `${roleAttribute/…}` stands for.
 */
export function compileSpecifier(specifier: Specifier, attributes: RoleAttributes): CompiledSpecifier {
  const tests = specifier.levels
    .map((level, at) => compileLevel(level, at, attributes))
    .filter((test) => test.name !== undefined || test.qualifiers.length > 0)
  return { source: specifier.source, shape: specifier.shape, tests }
}

/**
 * How much of what a resource stands for has to be named. The two differ only for a key `*`.
 *
 * A change to a flag in all environments is named as a whole by `env/*` alone: not by `env/prod*`, and not by
 * `env/*;qa` unless all environments are known to have the tag. Some of it is named by `env/production` already, and
 * by `env/*;{critical:true}`, as one of them may be critical.
 */
export type Reach = 'all' | 'some'

/**
 * Whether a specifier names a resource.
 *
 * @param resource of the specifier's shape.
 */
export function namesResource(specifier: CompiledSpecifier, resource: Resource, reach: Reach): boolean {
  for (const test of specifier.tests) if (!namesLevel(test, resource[test.at] as ResourceLevel, reach)) return false
  return true
}

/** Whether the name of a level passes; every name must, when the level stands for all. */
export function hasName(test: LevelTest, level: ResourceLevel): boolean {
  if (test.name === undefined) return true
  if (test.initial !== undefined && level.key.charCodeAt(0) !== test.initial) return false
  return test.name(level.key) && level.key !== '*'
}

/** Looks for the key `*` last: nearly every level is decided before, and this is the innermost loop. */
function namesLevel(test: LevelTest, level: ResourceLevel, reach: Reach): boolean {
  if (!hasName(test, level)) return reach === 'some' && level.key === '*'
  for (const qualifier of test.qualifiers) if (!qualifier.holds(level)) return reach === 'some' && level.key === '*'
  return true
}

function compileLevel(level: SpecifierLevel, at: number, attributes: RoleAttributes): LevelTest {
  const qualifiers = compileQualifiers(level, attributes)
  if (!level.name || matchesEverything(level.name)) return { at, name: undefined, initial: undefined, qualifiers }
  const [first] = level.name.parts
  const initial = first?.kind === 'text' ? first.text.charCodeAt(0) : undefined
  return { at, name: compileTextPattern(level.name, attributes), initial, qualifiers }
}
