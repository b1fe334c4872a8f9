import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { emptySegment, type ImportedSegment, type ImportedSegmentRule } from '../imported-project.ts'

/**
 * The segments that an import creates in one environment, because rules of Halyard need them and the export does not
 * contain them.
 */
export interface SegmentPool {
  /**
   * Returns the key of the segment that has these rules. The same rules are one segment, whichever flags refer to it.
   *
   * @param title a short description for users.
   */
  keyOf(rules: readonly ImportedSegmentRule[], title: string): string
  readonly segments: () => readonly ImportedSegment[]
}

/** Tag of the segments that an import created. */
export const importTag = 'made-by-import'

/**
 * Makes a pool. Keys are derived from the contents of the segments, so that a second import of the same export uses the
 * same segments.
 *
 * @param environmentKey environment of all segments.
 */
export function createSegmentPool(environmentKey: string): SegmentPool {
  const created = new Map<string, ImportedSegment>()
  return {
    keyOf(rules, title) {
      const key = keyFor(rules, title)
      if (!created.has(key)) {
        const name = title.length > 200 ? `${title.slice(0, 199)}…` : title
        created.set(key, {
          ...emptySegment(environmentKey, key, name),
          tags: [importTag],
          description: importDescription,
          rules,
        })
      }
      return key
    },
    segments: () => [...created.values()],
  }
}

const importDescription = 'Created by an import for conditions of flags that one rule cannot express.'

/** The properties of a segment that show whether an import created it; lists are omitted when empty. */
export interface SegmentContent {
  readonly key: string
  readonly name: string
  readonly description?: string | undefined
  readonly tags: readonly string[]
  readonly rules: readonly ImportedSegmentRule[]
  readonly included?: readonly unknown[] | undefined
  readonly excluded?: readonly unknown[] | undefined
  readonly includedContexts?: readonly unknown[] | undefined
  readonly excludedContexts?: readonly unknown[] | undefined
}

/**
 * Tests whether a segment is as a pool created it: with the tag, the description, no targets, and the key that is
 * derived from its rules. A segment that a member has changed since belongs to the member.
 */
export function isUnchangedSinceImport(segment: SegmentContent): boolean {
  const { key, name, description, tags, rules } = segment
  const lists = [segment.included, segment.excluded, segment.includedContexts, segment.excludedContexts]
  return (
    isDeepStrictEqual(tags, [importTag]) &&
    description === importDescription &&
    lists.every((list = []) => list.length === 0) &&
    key === keyFor(rules, name)
  )
}

/**
 * Returns the key of a segment. The key determines which contexts a percentage includes. So the key of a segment with a
 * percentage also depends on the title, and two flags do not share such a segment.
 */
function keyFor(rules: readonly ImportedSegmentRule[], title: string): string {
  const shares = rules.some(({ weight }) => weight !== undefined)
  const content = JSON.stringify(shares ? [title, rules] : rules, withoutIds)
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const slug = words.join('-').slice(0, 40).replace(/-$/, '') || 'segment'
  return `${slug}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}`
}

/** Ids are generated when rules are stored, and the storage may order properties differently. */
function withoutIds(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const properties = Object.entries(value).filter(([name]) => name !== '_id')
  return Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1)))
}
