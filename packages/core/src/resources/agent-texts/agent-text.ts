import type { Maintained } from '../../models/maintainers/maintainer.ts'
import type { Revised } from '../../storage/revisions.ts'

/** A text for agents, under a name and in revisions: what prompt snippets and agent skills have in common. */
export interface AgentText extends Revised, Maintained {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
}
