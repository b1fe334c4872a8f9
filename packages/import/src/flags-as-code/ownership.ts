import type { OwnedParts } from './project-file.ts'

/** Decides which resources belong to a file. The commands neither write other resources to the file nor change them. */
export interface Ownership {
  /** True for a flag whose key or one of whose tags the file names. */
  flag(key: string, tags: readonly string[]): boolean
  segment(key: string): boolean
  readonly settings: boolean
}

/** Returns the resources that a file owns: everything without `owns`, otherwise the resources that `owns` names. */
export function ownership(owns: OwnedParts | undefined): Ownership {
  if (!owns) return { flag: () => true, segment: () => true, settings: true }
  const flagPatterns = (owns.flags ?? []).map(patternOf)
  const segmentPatterns = (owns.segments ?? []).map(patternOf)
  const ownedTags = new Set(owns.tags ?? [])
  return {
    flag: (key, tags) => flagPatterns.some((pattern) => pattern.test(key)) || tags.some((tag) => ownedTags.has(tag)),
    segment: (key) => segmentPatterns.some((pattern) => pattern.test(key)),
    settings: owns.settings ?? false,
  }
}

/** Returns a pattern of keys in which `*` matches any characters. */
function patternOf(pattern: string): RegExp {
  const literals = pattern.split('*').map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literals.join('.*')}$`)
}
