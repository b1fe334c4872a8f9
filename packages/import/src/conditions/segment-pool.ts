import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { emptySegment, type MovedSegment, type MovedSegmentRule } from '../moved-project.ts'

/** The segments that an import makes in one environment, as rules here need them and the export has none. */
export interface SegmentPool {
  /**
   * The key of the segment that has these rules; the same rules are one segment, whichever flags ask for it.
   *
   * @param title a few words that tell people what it is about.
   */
  keyOf(rules: readonly MovedSegmentRule[], title: string): string
  readonly made: () => readonly MovedSegment[]
}

/** The tag that says where segments come from which nobody made by hand. */
export const madeTag = 'made-by-import'

/**
 * Makes a pool. Keys follow from what the segments hold, so that a second import of the same export names the same ones.
 *
 * @param environmentKey of all of them.
 */
export function createSegmentPool(environmentKey: string): SegmentPool {
  const made = new Map<string, MovedSegment>()
  return {
    keyOf(rules, title) {
      const key = keyFor(rules, title)
      if (!made.has(key)) {
        const name = title.length > 200 ? `${title.slice(0, 199)}…` : title
        made.set(key, { ...emptySegment(environmentKey, key, name), tags: [madeTag], description: about, rules })
      }
      return key
    },
    made: () => [...made.values()],
  }
}

const about = 'Made by an import: rules of flags ask for it, as they can say "all of these" and nothing else.'

/** As much of a segment as tells whether an import made it; lists are left out where they are empty. */
export interface FoundSegment {
  readonly key: string
  readonly name: string
  readonly description?: string | undefined
  readonly tags: readonly string[]
  readonly rules: readonly MovedSegmentRule[]
  readonly included?: readonly unknown[] | undefined
  readonly excluded?: readonly unknown[] | undefined
  readonly includedContexts?: readonly unknown[] | undefined
  readonly excludedContexts?: readonly unknown[] | undefined
}

/**
 * Whether a segment is as a pool made it: the tag, the description, no targets, and the key that follows from its rules. One
 * that somebody has changed since is theirs.
 */
export function isAsMade(segment: FoundSegment): boolean {
  const { key, name, description, tags, rules } = segment
  const lists = [segment.included, segment.excluded, segment.includedContexts, segment.excludedContexts]
  return (
    isDeepStrictEqual(tags, [madeTag]) &&
    description === about &&
    lists.every((list = []) => list.length === 0) &&
    key === keyFor(rules, name)
  )
}

/** Shares are dealt by the key of their segment, so the title counts: two flags do not share one. */
function keyFor(rules: readonly MovedSegmentRule[], title: string): string {
  const shares = rules.some(({ weight }) => weight !== undefined)
  const content = JSON.stringify(shares ? [title, rules] : rules, withoutIds)
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const slug = words.join('-').slice(0, 40).replace(/-$/, '') || 'segment'
  return `${slug}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}`
}

/** Ids are made where rules are stored, and members can stand in another order there. */
function withoutIds(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([name]) => name !== '_id')
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}
