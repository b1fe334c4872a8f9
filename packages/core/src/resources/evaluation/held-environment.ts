import type { Host } from '../../operation/context.ts'
import { fail } from '../../operation/errors.ts'
import { bigSegmentName } from '../../rules/evaluation/index.ts'
import type { Touched } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { type EnvironmentKeys, readContent, readFlags, readSegments } from './environment-content.ts'
import { changedContent, type EvaluatedContent, evaluatedContent, laterContent } from './evaluated-content.ts'
import { contentWatch } from './touched-content.ts'

/** The content of an environment, held in memory and kept as it is in storage. */
export interface HeldEnvironment {
  /** What is evaluated by now; undefined before it has been read. */
  content(): EvaluatedContent | undefined
  /** Grows when it may have changed which big segments list a context. */
  membershipRevision(): number
  /**
   * Reads what is not known, if anything.
   *
   * @throws ApiError `not_found` where there is no such environment; whatever storage throws.
   */
  catchUp(): Promise<void>
  /** What reads at the moment; undefined where nothing does. */
  readonly working: Promise<void> | undefined
  /** Is told what was committed, and reads it again at once. */
  told(touched: readonly Touched[] | 'anything'): void
  /** Drops everything: it is read again when it is asked for. */
  forget(): void
  /**
   * Tells whenever what is evaluated has become something else, as soon as it has.
   *
   * @returns what stops it.
   */
  follow(told: (change: HeldChange) => void): () => void
}

/** What has become of the content of an environment. */
export interface HeldChange {
  /** What it is now; undefined where the environment is gone. */
  readonly content: EvaluatedContent | undefined
  /** Where nothing else differs: keys of what may be different now. Left out where anything may be. */
  readonly only?: { readonly flags: readonly string[]; readonly segments: readonly string[] }
}

/** How long a failed reading rests before evaluations begin another one, ms. */
const restMs = 1_000

/** Holds nothing at first. */
export function heldEnvironment(tx: Reader, host: Host, keys: EnvironmentKeys): HeldEnvironment {
  const outdatedBy = contentWatch(keys)
  let content: EvaluatedContent | undefined
  let outdated = nothingKnown()
  let working: Promise<void> | undefined
  let epoch = 0
  let asked = false
  let memberships = 0
  let restUntil = Number.NEGATIVE_INFINITY
  const followers = new Set<(change: HeldChange) => void>()
  const tell = (change: HeldChange) => {
    for (const told of [...followers]) told(change)
  }

  async function catchUp(): Promise<void> {
    asked = true
    if (isOutdated(outdated)) working ??= readUntilKnown()
    await working
    if (!content) fail('not_found', { message: `there is no environment ${keys.environmentKey} of ${keys.projectKey}` })
  }

  /** What is told while it reads is read in another turn, so nothing older ever takes the place of something newer. */
  async function readUntilKnown(): Promise<void> {
    try {
      while (isOutdated(outdated)) await readOnce()
    } finally {
      // At once, not when those who wait hear of it: what is told in between would find it at work, and nobody would read.
      working = undefined
    }
  }

  async function readOnce(): Promise<void> {
    const turn = outdated
    const begun = epoch
    outdated = knownAll()
    try {
      const next = await read(turn)
      if (begun !== epoch) return
      // Whoever looked up memberships did not look into a big segment that has come since.
      if (content && bigSegmentsOf(content) !== bigSegmentsOf(next)) memberships++
      const whole = turn.all || !content
      content = next
      tell(whole ? { content } : { content, only: { flags: [...turn.flags], segments: [...turn.segments] } })
    } catch (error) {
      if (begun === epoch) outdated = together(turn, outdated)
      restUntil = host.now() + restMs
      throw error
    }
  }

  async function read({ all, flags, segments }: OutdatedParts): Promise<EvaluatedContent | undefined> {
    const known = content
    if (all || !known) {
      const found = await readContent(tx, keys)
      return found && evaluatedContent(found, host.now())
    }
    const [flagKeys, segmentKeys] = [[...flags], [...segments]]
    const [placed, found] = await Promise.all([
      readFlags(tx, keys, flagKeys, known.environment),
      readSegments(tx, keys, segmentKeys),
    ])
    const change = {
      flags: new Map(flagKeys.map((key, at) => [key, placed[at]])),
      segments: new Map(segmentKeys.map((key, at) => [key, found[at]])),
    }
    return changedContent(known, change, host.now())
  }

  function catchUpUnasked(): void {
    if (working) return
    catchUp().catch((error) => {
      host.log({
        level: 'error',
        event: 'ruleset_not_read',
        message: `${keys.projectKey}/${keys.environmentKey}`,
        error,
      })
    })
  }

  return {
    content() {
      if (isOutdated(outdated) && !working && host.now() >= restUntil) catchUpUnasked()
      if (content && content.nextExpiry !== Number.POSITIVE_INFINITY) {
        const now = host.now()
        if (content.nextExpiry <= now) {
          content = laterContent(content, now)
          tell({ content })
        }
      }
      return content
    },
    membershipRevision: () => memberships,
    catchUp,
    get working() {
      return working
    },
    told(touched) {
      if (touched === 'anything') {
        memberships++
        outdated = { ...outdated, all: true }
      } else {
        for (const one of touched) {
          const found = outdatedBy(one)
          if (found?.what === 'all') outdated = { ...outdated, all: true }
          if (found?.what === 'flag') outdated.flags.add(found.key)
          if (found?.what === 'segment') outdated.segments.add(found.key)
          if (found?.what === 'all' || found?.what === 'memberships') memberships++
        }
      }
      if (asked && isOutdated(outdated)) catchUpUnasked()
    },
    forget() {
      epoch++
      memberships++
      content = undefined
      outdated = nothingKnown()
    },
    follow(told) {
      // Of its own, so that whoever follows twice is told twice and stops once.
      const mine = (change: HeldChange) => told(change)
      followers.add(mine)
      return () => void followers.delete(mine)
    },
  }
}

function bigSegmentsOf(content: EvaluatedContent | undefined): string {
  return [...(content?.bigSegments.values() ?? [])].map(bigSegmentName).sort().join()
}

/** What must be read again. */
interface OutdatedParts {
  readonly all: boolean
  readonly flags: Set<string>
  readonly segments: Set<string>
}

function knownAll(): OutdatedParts {
  return { all: false, flags: new Set(), segments: new Set() }
}

function nothingKnown(): OutdatedParts {
  return { ...knownAll(), all: true }
}

function isOutdated({ all, flags, segments }: OutdatedParts): boolean {
  return all || flags.size > 0 || segments.size > 0
}

function together(a: OutdatedParts, b: OutdatedParts): OutdatedParts {
  return {
    all: a.all || b.all,
    flags: new Set([...a.flags, ...b.flags]),
    segments: new Set([...a.segments, ...b.segments]),
  }
}
