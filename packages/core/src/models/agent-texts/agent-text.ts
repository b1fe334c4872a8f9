import type { Maintained } from '../../models/maintainers/maintainer.ts'
import type { Revised } from '../../storage/revisions.ts'

/** A named text for agents, stored in revisions: the common part of prompt snippets and agent skills. */
export interface AgentText extends Revised, Maintained {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
}
