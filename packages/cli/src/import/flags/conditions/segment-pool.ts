import { createHash } from 'node:crypto'
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

/** Shares are dealt by the key of their segment, so the title counts: two flags do not share one. */
function keyFor(rules: readonly MovedSegmentRule[], title: string): string {
  const shares = rules.some(({ weight }) => weight !== undefined)
  const content = JSON.stringify(shares ? [title, rules] : rules)
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const slug = words.join('-').slice(0, 40).replace(/-$/, '') || 'segment'
  return `${slug}-${createHash('sha256').update(content).digest('hex').slice(0, 8)}`
}
